// GAT: a weighted mean over the neighbourhood, the node included, whose weights are computed from the two ends.
//   per head: P = H W,  e_uv = LeakyReLU(a1 P_u + a2 P_v) for v in N(u) + u, slope 0.2
//   softmax: w_u = dropout(softmax of e_u);   exp: k = dropout(exp(-e)), w_uv = k_uv / max(sum over v of k_uv, 1e-9)
//   H <- ELU(sum over v of w_uv P_v), the heads side by side; the last layer has one head, its ELU gives the logits
//   H is dropped out before every layer, H0 = X
// Velickovic, Cucurull, Casanova, Romero, Lio, Bengio, ICLR 2018, arXiv:1710.10903, in the two forms of Yan et al.,
// arXiv:2102.06462: `exp` flips the sign of the scores and normalises after dropout.
#include <cmath>

#include "gcnh/models/model.h"

namespace gcnh {
namespace {

enum class Weighing { softmax, exp };
Words words_of(Weighing) {
  return {{"softmax", "dropout on the weights"}, {"exp", "exp(-score), dropout before normalising"}};
}

class Gat : public Model {
 public:
  struct Options {
    int layers = 2;
    int hidden = 8;
    int heads = 8;
    Weighing attention = Weighing::softmax;
    double dropout = 0.6;

    void visit(auto&& f) {
      f("layers", layers, "attention layers", at_least(1));
      f("hidden", hidden, "width of each head of the hidden layers", at_least(1));
      f("heads", heads, "heads of the hidden layers", at_least(1));
      f("attention", attention, "how scores become weights");
      f("dropout", dropout, "share of each layer's input and of the attention dropped in training", share());
    }
  };

  Gat(const Dataset& d, const Options& options, const Rng& rng)
      : Model(d, rng), options_(options), edges_(pattern_with_loops(d.adjacency)) {
    for (auto [name, in, out] : stack(options.layers, options.hidden)) {
      const Index heads = static_cast<int>(layers_.size()) + 1 == options.layers ? 1 : options.heads;
      if (!layers_.empty()) in *= options.heads;  // the heads side by side
      Layer layer;
      layer.weight = add_xavier(name + ".weight", in, heads * out, in + out);
      layer.attention = {heads, add_xavier(name + ".attention", 2, heads * out, 1 + 2 * out)};
      layers_.push_back(layer);
    }
  }

  Var forward(Tape& t, std::span<const Index> rows) override {
    Var h = attend(t, layers_[0], input());
    for (std::size_t l = 1; l < layers_.size(); ++l) h = attend(t, layers_[l], t.layer(h));
    return gather_rows(t, h, rows);
  }

 private:
  struct Layer {
    Param* weight;  // (in, heads width)
    Attention attention;
  };

  // Drawn as if each head stood alone: uniform for softmax, normal for exp, both with gain 1.414.
  Param* add_xavier(const std::string& name, Index rows, Index cols, Index fans) {
    constexpr double kGain = 1.414;
    return options_.attention == Weighing::softmax ? add_param(name, rows, cols, kGain * std::sqrt(6.0 / fans))
                                                   : add_normal_param(name, rows, cols, kGain * std::sqrt(2.0 / fans));
  }

  Var attend(Tape& t, const Layer& layer, const Input& h) const {
    Var p = h.times(t, layer.weight, options_.dropout);
    return elu(t, edge_spmm(t, edges_, weights(t, layer.attention(t, edges_, p)), p));
  }

  // w of all edges and heads from their scores e
  Var weights(Tape& t, Var e) const {
    if (options_.attention == Weighing::softmax) return dropout(t, edge_softmax(t, edges_, e), options_.dropout);
    return edge_shares(t, edges_, dropout(t, exp_negative(t, e), options_.dropout));
  }

  Options options_;
  Propagator edges_;
  std::vector<Layer> layers_;
};

}  // namespace

ModelType gat_model() {
  ModelType type =
      describe_model<Gat>("gat", "attention: a mean of the neighbours with weights computed from both ends");
  type.reads_weights = [](const OptionValues&) { return false; };
  type.cost = 1.5;
  return type;
}

}  // namespace gcnh
