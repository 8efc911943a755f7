// H2GCN: a node's own features, its neighbours' and the strict second ring's, kept apart from each other.
//   r0 = ReLU(X W);   r(k) = [S1 r(k-1) | S2 r(k-1)];   logits = dropout([r0 | r1 | ... | rK]) W_out
//   Sk = D^-1/2 Nk D^-1/2, N1 the neighbours, N2 the nodes two steps away, D the row sums of Nk; no biases
//   With edge weights N1 has them; N2 says who is two steps away, and no more.
// Zhu et al., NeurIPS 2020, arXiv:2006.11468.
#include <cmath>
#include <numeric>

#include "gcnh/graph/adjacency.h"
#include "gcnh/graph/second_ring.h"
#include "gcnh/models/model.h"

namespace gcnh {
namespace {

std::vector<Index> consecutive(Index first, Index count) {
  std::vector<Index> out(count);
  std::iota(out.begin(), out.end(), first);
  return out;
}

// Undirected and without loops, whatever the view; with weights where edges were given them.
Csr first_ring(const Dataset& d) {
  if (!d.weighted) return simple_graph(d.adjacency);
  Csr out = symmetric_max(d.adjacency);
  drop_loops(out);
  return out;
}

class H2gcn : public Model {
 public:
  struct Options {
    int rounds = 2;
    int hidden = 64;
    bool relu = true;
    double dropout = 0.5;

    void visit(auto&& f) {
      f("rounds", rounds, "how often both rings are aggregated; each doubles the width", within(1, 8));
      f("hidden", hidden, "width of the hidden layers", at_least(1));
      f("relu", relu, "whether the features pass a ReLU before they are aggregated");
      f("dropout", dropout, "share of the classifier's input dropped in training", share());
    }
  };

  H2gcn(const Dataset& d, const Options& options, const Rng& rng)
      : Model(d, rng), options_(options), all_nodes_(consecutive(0, d.num_nodes())) {
    Csr neighbours = first_ring(d);
    Csr ring = second_ring(neighbours);
    rings_.emplace_back(std::move(neighbours));
    rings_.emplace_back(std::move(ring));
    const Index h = options.hidden, blocks = (Index{2} << options.rounds) - 1, width = side_by_side(blocks, h);
    for (Index b = 0; b < blocks; ++b) block_rows_.push_back(consecutive(b * h, h));
    encoder_ = add_glorot("encoder.weight", d.features.cols(), h);
    classifier_ = add_glorot("classifier.weight", width, d.num_classes());
  }

  Var forward(Tape& t, std::span<const Index> rows) override {
    Var r0 = input().times(t, encoder_);
    if (options_.relu) r0 = relu(t, r0);
    t.layer(r0);
    const bool drops = t.training() && options_.dropout > 0;
    return drops ? classify_blocks(t, r0, rows) : classify_early(t, r0, 0, rows);
  }

 private:
  Param* add_glorot(const std::string& name, Index in, Index out) {
    return add_param(name, in, out, std::sqrt(6.0 / (in + out)));
  }

  // The rows of W_out that belong to block b of [r0 | r1 | ...]. Blocks are numbered 0: r0, 1: S1 r0, 2: S2 r0,
  // 3: S1 S1 r0, 4: S1 S2 r0, 5: S2 S1 r0, ...: block b sees r0 through the operators of its parent (b - 1) / 2 and
  // then, as innermost, S1 for odd and S2 for even b.
  Var weights(Tape& t, Index b) const { return gather_rows(t, classifier_, block_rows_[b]); }

  // As the equation says, block by block: sum over b of dropout(block) W_b. The last round is needed at `rows` only.
  Var classify_blocks(Tape& t, Var r0, std::span<const Index> rows) const {
    auto classify = [&, b = Index{0}](Var block) mutable {
      return matmul(t, dropout(t, block, options_.dropout), weights(t, b++));
    };
    Var logits = classify(gather_rows(t, r0, rows));
    std::vector<Var> r = {r0};
    for (int k = 1; k <= options_.rounds; ++k) {
      const bool last = k == options_.rounds;
      std::vector<Var> next;
      for (const NormalizedPattern& s : rings_)
        for (Var block : r) next.push_back(s.times(t, block, last ? rows : all_nodes_));
      for (Var block : next) logits = add(t, logits, classify(last ? block : gather_rows(t, block, rows)));
      r = next;
    }
    return logits;
  }

  // The same without dropout: nothing stands between the rings and W_out, so W_out is applied first and the rings
  // aggregate classes instead of hidden units. For b = 0:  r0 W_0 + S1 (r0 W_1 + S1 r0 W_3 + S2 r0 W_4) + S2 (...)
  Var classify_early(Tape& t, Var r0, Index b, std::span<const Index> rows) const {
    Var logits = gather_rows(t, matmul(t, r0, weights(t, b)), rows);
    Index child = 2 * b + 1;
    if (child >= static_cast<Index>(block_rows_.size())) return logits;
    for (const NormalizedPattern& s : rings_)
      logits = add(t, logits, s.times(t, classify_early(t, r0, child++, all_nodes_), rows));
    return logits;
  }

  Options options_;
  std::vector<NormalizedPattern> rings_;
  std::vector<Index> all_nodes_;
  std::vector<std::vector<Index>> block_rows_;
  Param* encoder_ = nullptr;
  Param* classifier_ = nullptr;
};

}  // namespace

ModelType h2gcn_model() {
  ModelType type =
      describe_model<H2gcn>("h2gcn", "own features, neighbours and second ring, aggregated apart and concatenated");
  type.reads_direction = false;
  type.cost = 12;
  return type;
}

}  // namespace gcnh
