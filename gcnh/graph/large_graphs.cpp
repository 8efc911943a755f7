#include "gcnh/graph/large_graphs.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "gcnh/base/error.h"
#include "gcnh/base/options.h"
#include "gcnh/base/random.h"
#include "gcnh/graph/splits.h"

namespace gcnh {
namespace {

enum ShapeStream : std::uint64_t { kRanks, kShapeEdges, kShapeFeatures, kShapeSplits };

constexpr double kTopic = 0.2;          // share of a node's words that come from its class
constexpr Real kSignal = 1;             // how far the dense features of a class stand out,
constexpr Real kNoise = Real(1.73205);  // of noise in -sqrt(3)..sqrt(3), whose variance is 1

void check_options(const ShapeOptions& o) {
  check_ranges(o);
  const auto check = [](bool holds, const char* name, double value, const std::string& allowed) {
    if (!holds) fail(Status::usage, name, " ", value, "; allowed: ", allowed);
  };
  check(o.nodes >= o.classes, "nodes", o.nodes, join("at least one for each of the ", o.classes, " classes"));
  check(o.words <= o.features, "words", o.words, join("0..", o.features));
  check(o.words == 0 || o.features >= o.classes, "features", o.features, join("at least ", o.classes, " with words"));
}

double unit(std::uint32_t bits) { return (bits + 0.5) * 0x1p-32; }  // (0, 1)

// count u^2 for a uniform u: the chance of a rank falls with rank^-1/2.
Index draw_rank(std::uint32_t bits, Index count) { return static_cast<Index>(count * unit(bits) * unit(bits)); }

// Classes take turns along the ranks, so a rank of the wanted class is a few steps off.
Index nearest_of_class(Index rank, Index wanted, Index classes, Index count) {
  const Index near = rank - rank % classes + wanted;
  return near < count ? near : near - classes;
}

std::vector<Edge> draw_edges(const ShapeOptions& o, const std::vector<Index>& node_of_rank, const Rng& rng) {
  std::vector<Edge> edges(o.edges);
  for (std::size_t e = 0; e < edges.size(); ++e) {
    const auto bits = rng.block(e);
    const Index from = draw_rank(bits[0], o.nodes);
    const Index wanted = (from + (unit(bits[2]) < o.homophily ? 0 : 1)) % o.classes;
    const Index to = nearest_of_class(draw_rank(bits[1], o.nodes), wanted, o.classes, o.nodes);
    edges[e] = {node_of_rank[from], node_of_rank[to]};
  }
  return edges;
}

// Noise, and in the columns whose turn it is the class.
Matrix dense_features(const ShapeOptions& o, const std::vector<int>& labels, const Rng& rng) {
  Matrix x(o.nodes, o.features);
  const std::uint64_t blocks = (o.features + 3) / 4;
  for (Index u = 0; u < o.nodes; ++u) {
    Real* row = x.row(u);
    for (Index j = 0; j < o.features; j += 4) {
      const auto bits = rng.block(u * blocks + j / 4);
      for (Index i = j; i < std::min(j + 4, o.features); ++i)
        row[i] = kNoise * static_cast<Real>(2 * unit(bits[i - j]) - 1);
    }
    for (Index j = labels[u]; j < o.features; j += o.classes) row[j] += kSignal;
  }
  return x;
}

// A bag of words; a word drawn twice counts once.
Csr sparse_features(const ShapeOptions& o, const std::vector<int>& labels, const Rng& rng) {
  Csr x{o.nodes, o.features, {0}, {}, {}};
  x.offsets.reserve(o.nodes + 1);
  x.indices.reserve(static_cast<std::size_t>(o.nodes) * o.words);
  std::vector<Index> words(o.words);
  for (Index u = 0; u < o.nodes; ++u) {
    for (int i = 0; i < o.words; ++i) {
      const auto bits = rng.block(static_cast<std::uint64_t>(u) * o.words + i);
      const Index word = draw_rank(bits[0], o.features);
      words[i] = unit(bits[1]) < kTopic ? nearest_of_class(word, labels[u], o.classes, o.features) : word;
    }
    std::sort(words.begin(), words.end());
    x.indices.insert(x.indices.end(), words.begin(), std::unique(words.begin(), words.end()));
    x.offsets.push_back(x.nnz());
  }
  return x;
}

}  // namespace

ShapeOptions named_shape(const std::string& name) {
  ShapeOptions o;
  if (require_one_of("shape", name, {"arxiv", "products"}) == 0) return o;
  o.nodes = 2'449'029;
  o.edges = 61'859'140;
  o.classes = 47;
  o.features = 100;
  o.train = 0.08;
  o.val = 0.02;
  return o;
}

Tables make_shape(const ShapeOptions& options) {
  check_options(options);
  const Rng rng(static_cast<std::uint64_t>(options.seed));
  // Ranks are scattered over the node numbers: hubs that stood side by side in memory would flatter every measurement.
  std::vector<Index> node_of_rank(options.nodes);
  std::iota(node_of_rank.begin(), node_of_rank.end(), 0);
  shuffle(node_of_rank, rng.fork(kRanks));

  Tables out;
  out.name = join("shape-", options.nodes, "-", options.edges);
  out.labels.resize(options.nodes);
  for (Index rank = 0; rank < options.nodes; ++rank) out.labels[node_of_rank[rank]] = rank % options.classes;
  for (Index k = 0; k < options.classes; ++k) out.classes.push_back(std::to_string(k));
  out.edges = draw_edges(options, node_of_rank, rng.fork(kShapeEdges));
  const Rng stream = rng.fork(kShapeFeatures);
  if (options.words > 0) {
    out.features = sparse_features(options, out.labels, stream);
  } else {
    out.features = dense_features(options, out.labels, stream);
  }
  out.splits = stratified_splits(out.labels, options.classes, options.train, options.val, 1, rng.fork(kShapeSplits));
  return out;
}

}  // namespace gcnh
