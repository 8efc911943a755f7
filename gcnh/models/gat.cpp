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

class Gat : public Model {
 public:
  struct Options {
    int layers = 2;
    int hidden = 8;
    int heads = 8;
    std::string attention = "softmax";
    double dropout = 0.6;

    void visit(auto&& f) {
      f("layers", layers, "attention layers");
      f("hidden", hidden, "width of each head of the hidden layers");
      f("heads", heads, "heads of the hidden layers");
      f("attention", attention, "softmax (dropout on the weights) | exp (exp(-score), dropout before normalising)");
      f("dropout", dropout, "share of each layer's input and of the attention dropped in training");
    }
  };

  Gat(const Dataset& d, const Options& options, const Rng& rng)
      : Model(d, rng), options_(options), edges_(pattern_with_loops(d.adjacency)) {
    require_positive("layers", options.layers);
    require_positive("hidden", options.hidden);
    require_positive("heads", options.heads);
    require_one_of("attention", options.attention, {"softmax", "exp"});
    require_share("dropout", options.dropout);
    Index in = d.features.cols();
    for (int l = 0; l < options.layers; ++l) {
      const bool last = l + 1 == options.layers;
      const Index heads = last ? 1 : options.heads, width = last ? d.num_classes() : options.hidden;
      const std::string name = "layers." + std::to_string(l);
      Layer layer{heads, nullptr, nullptr};
      layer.weight = add_xavier(name + ".weight", in, heads * width, in + width);
      layer.attention = add_xavier(name + ".attention", 2, heads * width, 1 + 2 * width);
      layers_.push_back(layer);
      in = heads * width;
    }
  }

  Var forward(Tape& t, std::span<const Index> rows) override {
    Var h = nullptr;  // stands for the input before the first layer
    for (const Layer& layer : layers_) {
      Var p = h ? matmul(t, dropout(t, h, options_.dropout), layer.weight)
                : input().times(t, layer.weight, options_.dropout);
      h = elu(t, edge_spmm(t, edges_, weights(t, layer, p), p));
    }
    return gather_rows(t, h, rows);
  }

 private:
  struct Layer {
    Index heads;
    Param* weight;     // (in, heads width)
    Param* attention;  // (2, heads width): a1 of all heads, a2 of all heads
  };

  // Drawn as if each head stood alone: uniform for softmax, normal for exp, both with gain 1.414.
  Param* add_xavier(const std::string& name, Index rows, Index cols, Index fans) {
    constexpr double kGain = 1.414;
    return options_.attention == "softmax" ? add_param(name, rows, cols, kGain * std::sqrt(6.0 / fans))
                                           : add_normal_param(name, rows, cols, kGain * std::sqrt(2.0 / fans));
  }

  // w_uv of all heads, (edges, heads)
  Var weights(Tape& t, const Layer& layer, Var p) const {
    Var st = matmul(t, p, block_diagonal(t, layer.attention, layer.heads));  // (n, 2 heads): a1 P and a2 P
    Var e = edge_scores(t, edges_, st, kSlope);
    if (options_.attention == "softmax") return dropout(t, edge_softmax(t, edges_, e), options_.dropout);
    return edge_shares(t, edges_, dropout(t, exp_negative(t, e), options_.dropout));
  }

  static constexpr Real kSlope = Real(0.2);
  Options options_;
  EdgeIndex edges_;
  std::vector<Layer> layers_;
};

}  // namespace

ModelType gat_model() {
  return describe_model<Gat>("gat", "attention: a mean of the neighbours with weights computed from both ends");
}

}  // namespace gcnh
