// From what the files say (Tables) to what a model sees (Dataset), under a View.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "gcnh/base/csr.h"
#include "gcnh/base/options.h"
#include "gcnh/graph/columns.h"
#include "gcnh/graph/features.h"

namespace gcnh {

struct Edge {
  Index source;
  Index target;
};

// Disjoint lists of node numbers. Those of a dataset ascend.
struct Split {
  std::vector<Index> train = {};
  std::vector<Index> val = {};
  std::vector<Index> test = {};
};

// Sparse matrices between the nodes that a model reads besides edges and features; what they mean is its affair.
struct Derived {
  std::string name = {};           // what they are called, in JSON too
  std::string source = {};         // where they come from, in two words
  std::vector<Csr> matrices = {};  // (nodes, nodes)
};

// Matrices between the nodes that were published with a graph, by name; each is read when called.
using PublishedMatrices = std::map<std::string, std::function<std::vector<Csr>()>>;

// Weights that sums and products of them stay finite with, and above 0.
inline constexpr double kLeastWeight = 1e-15, kMostWeight = 1e15;
inline bool is_weight(double x) {
  const auto stored = static_cast<Real>(x);
  return stored >= static_cast<Real>(kLeastWeight) && stored <= static_cast<Real>(kMostWeight);
}

// The files' contents, rows placed by node id, before any cleaning.
struct Tables {
  std::string name = {};
  std::vector<Edge> edges = {};         // as written: direction, repeats and loops included
  std::vector<Real> edge_weights = {};  // of every edge, in kLeastWeight..kMostWeight; empty: all 1
  Features features = {};
  std::vector<int> labels = {};                 // class number, -1: unlabelled
  std::vector<std::string> classes = {};        // class names
  std::vector<std::string> ids = {};            // node ids as the user wrote them; empty: the row numbers
  std::vector<std::string> feature_names = {};  // empty: the column numbers
  std::vector<Column> columns = {};             // of a table with typed columns, which `features` then only describe
  std::vector<Split> splits = {};               // empty when the source brings none
  std::vector<Index> file_order = {};           // id of the k-th row of the file; empty when rows stand in id order
  PublishedMatrices published = {};
  std::string metric = {};  // that results on this graph are usually given in; empty: none in particular
  // What the reader wants to be told to whoever gave the files: what it does not use, and how it took cells that say
  // less than others.
  std::vector<std::string> notes = {}, assumptions = {};

  Index num_nodes() const { return features.rows(); }
};

// How tables become a dataset. The defaults are the `clean` view; recipes describe what each paper's code did.
struct View {
  enum class Direction { both, out, in, separate };
  enum class Duplicates { merge, count };
  enum class SelfLoops { drop, keep };
  enum class Unlabelled { keep, remove };
  enum class Rows { by_id, by_file };
  enum class Columns { by_index, shifted };

  Direction direction = Direction::both;
  Duplicates duplicates = Duplicates::merge;
  SelfLoops self_loops = SelfLoops::drop;
  Unlabelled unlabelled = Unlabelled::keep;
  Rows rows = Rows::by_id;
  Columns columns = Columns::by_index;

  void visit(auto&& f) {
    f("direction", direction, "whom a node receives from");
    f("duplicates", duplicates, "edges that are written several times; weights that they were given are added up");
    f("self_loops", self_loops, "edges from a node to itself");
    f("unlabelled", unlabelled, "nodes without a label");
    f("rows", rows, "where the features of a node stand");
    f("columns", columns, "where a feature stands");
  }
};
inline Words words_of(View::Direction) {
  return {{"both", "either way, the larger of two weights"},
          {"out", "those it points to"},
          {"in", "those that point to it"},
          {"separate", "either way, the two kept apart"}};
}
inline Words words_of(View::Duplicates) {
  return {{"merge", "weight 1"}, {"count", "an edge's weight is how often it is written"}};
}
inline Words words_of(View::SelfLoops) { return {{"drop"}, {"keep"}}; }
inline Words words_of(View::Unlabelled) { return {{"keep", "never scored"}, {"delete", "they leave the graph"}}; }
inline Words words_of(View::Rows) {
  return {{"id", "rows placed by node id"}, {"file", "k-th row of the file belongs to node k"}};
}
inline Words words_of(View::Columns) {
  return {{"index"}, {"shifted", "index i in column i-1, index 0 in the last one"}};
}

struct Dataset {
  std::string name = {};
  Csr adjacency = {};     // row u lists the nodes u receives from; values where edges have weights or repeats count
  bool weighted = false;  // whether its values are weights that the edges were given
  // Where the view keeps directions apart, row u lists the nodes that u points to, while the adjacency is that of both;
  // else empty.
  Csr pointing_to = {};
  // Where this is a part of a graph (part.h), of its rows in the adjacency of the whole; else empty.
  MatrixSums whole_sums = {};
  Features features = {};
  std::vector<int> labels = {};  // -1: unlabelled
  std::vector<std::string> classes = {};
  std::vector<std::string> ids = {};  // empty: the row numbers
  std::vector<std::string> feature_names = {};
  std::shared_ptr<const std::vector<Column>> columns = {};  // what features are made from, split by split; else null
  std::vector<Split> splits = {};                           // labelled nodes only
  PublishedMatrices published = {};
  Derived derived = {};       // for models that ask for it (ModelType::derive), else empty
  Offset num_edges = 0;       // distinct undirected edges without loops in the source, whatever the view
  Offset num_one_way = 0;     // those of them that are written in one direction only
  Offset num_self_loops = 0;  // distinct loops in the source
  std::uint64_t form = 0;     // of the model that it was brought into the form of (fit_to_model), a fingerprint; else 0

  Index num_nodes() const { return adjacency.rows; }
  bool keeps_apart() const { return pointing_to.rows > 0; }
  Index num_classes() const { return static_cast<Index>(classes.size()); }
  std::string id(Index node) const;
};

// Throws a data error unless there are such nodes, or classes.
void check_nodes(const Dataset& dataset, std::span<const Index> nodes);
void check_classes(const Dataset& dataset, std::span<const int> classes);

// Throws a data error unless all parts are of one size, every number of a node or class exists, ids and names of
// classes differ, and the rows of sparse features are as Csr promises. make_dataset calls it.
void check_tables(const Tables& tables);

Dataset make_dataset(Tables tables, const View& view = {});

}  // namespace gcnh
