// A graph from two tables: nodes with an id, a label and columns of any kind, and edges naming two ids.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "gcnh/graph/dataset.h"
#include "gcnh/io/feature_spec.h"
#include "gcnh/io/rows.h"

namespace gcnh {

struct CsvSource {
  std::string nodes = {}, edges = {};  // files; .tsv: tab-separated; no edges: none are read
  std::string database = "";           // an SQLite file, whose queries nodes and edges are then
  std::string id = "id";               // columns of the node table; all others are features
  std::string label = "label";         // empty: there is no label column
  bool label_required = true;          // false: the label column may be absent, as in data that asks for predictions
  std::string source = "source";       // columns of the edge table; a note names the others
  std::string target = "target";
  bool skip_unknown_ids = false;  // edges that name an id without a row are left out and counted, not refused
  std::string weight = "";        // column of weights above 0, or value of a matrix; empty: all are 1
  std::string labels = "";        // file with the labels of nodes that are a matrix (read_graph_files)
  std::vector<std::string> split =
      {};                     // columns of the node table with train, val, test or nothing, one for every split
  FeatureSpec features = {};  // kinds of its other columns, where they are not to be found by looking
  std::vector<std::string> missing = {};  // words in a feature's cell that stand for no value, as an empty cell does
  std::map<std::string, std::vector<std::string>> missing_of = {};  // the same, by the name of a column
  std::vector<std::string> missing_labels = {};                     // and in a label's
  std::string more = "";                                            // a second table of features; empty: there is none
  std::string key = "id";  // its column of node ids; a node may have several rows
};

// Opens what `nodes`, `edges` or `more` names; a database is the second word.
using OpenRows = std::function<std::unique_ptr<Rows>(const std::string& name, const std::string& database)>;

// The edges alone, between nodes that are there already; those without ids go by their row, from 0.
void read_edge_table(const CsvSource& source, Tables& out);

// Classes are sorted, as numbers when all of them are integers. A blank label means unlabelled.
Tables read_csv(const CsvSource& source, const OpenRows& open = open_rows);

}  // namespace gcnh
