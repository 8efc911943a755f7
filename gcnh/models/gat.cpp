// GAT: a weighted mean over the neighbourhood, the node included, whose weights are computed from the two ends.
//   per head: P = H W,  e_uv = LeakyReLU(a1 P_u + a2 P_v) for v in N(u) + u, slope 0.2
//   softmax: w_u = dropout(softmax of e_u);   exp: k = dropout(exp(-e)), w_uv = k_uv / max(sum over v of k_uv, 1e-9)
//   H <- ELU(sum over v of w_uv P_v), the heads side by side; the last layer has one head, its ELU gives the logits
//   H is dropped out before every layer, H0 = X
//   with trimmings ELU(norm(sum + R)), R = H where widths agree, or H W' + b'; with a head the last layer is like the
//   others, and logits = J W + b, J the last H, all side by side, or their maximum
// Velickovic, Cucurull, Casanova, Romero, Lio, Bengio, ICLR 2018, arXiv:1710.10903, in the two forms of Yan et al.,
// arXiv:2102.06462: `exp` flips the sign of the scores and normalises after dropout.
#include <cmath>
#include <utility>

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
    Trimmings trimmings;

    void visit(auto&& f) {
      f("layers", layers, "attention layers", at_least(1));
      f("hidden", hidden, "width of each head of the hidden layers", at_least(1));
      f("heads", heads, "heads of the hidden layers", at_least(1));
      f("attention", attention, "how scores become weights");
      f("dropout", dropout, "share of each layer's input and of the attention dropped in training", share());
      trimmings.visit(f);
    }
  };

  Gat(const Dataset& d, const Options& options, const Rng& rng)
      : Model(d, rng), options_(options), edges_(pattern_with_loops(d.adjacency)) {
    const auto& [norm, residual, head] = options.trimmings;
    for (auto [name, in, out] : stack(options.layers, options.hidden, head)) {
      const bool first = layers_.empty();
      Layer& layer = layers_.emplace_back();
      layer.gives_logits = head == Head::none && std::cmp_equal(layers_.size(), options.layers);
      const Index heads = layer.gives_logits ? 1 : options.heads;
      if (!first) in *= options.heads;  // the heads side by side
      layer.weight = add_xavier(name + ".weight", in, heads * out, in + out);
      layer.attention = {heads, add_xavier(name + ".attention", 2, heads * out, 1 + 2 * out)};
      layer.shortcut = add_shortcut(name + ".residual", residual, in, heads * out);
      if (layer.gives_logits) break;
      layer.norm = add_norm(name + ".norm", norm, heads * out);
    }
    head_ = add_head(head, options.layers, options.heads * options.hidden);
  }

  Var forward(Tape& t, std::span<const Index> rows) override {
    Input h = input();
    std::vector<Var> outputs;
    for (const Layer& layer : layers_) {
      const Var z = layer.shortcut(t, attend(t, layer, h), h);
      if (layer.gives_logits) return gather_rows(t, elu(t, z), rows);
      outputs.push_back(t.layer(elu(t, layer.norm(t, z))));
      h = outputs.back();
    }
    return head_(t, gather_rows(t, jump(t, jump_to(options_.trimmings.head), outputs), rows), options_.dropout);
  }

 private:
  struct Layer {
    Param* weight = nullptr;  // (in, heads width)
    Attention attention;
    Shortcut shortcut;
    Normalizer norm;
    bool gives_logits = false;
  };

  // Drawn as if each head stood alone: uniform for softmax, normal for exp, both with gain 1.414.
  Param* add_xavier(const std::string& name, Index rows, Index cols, Index fans) {
    constexpr double kGain = 1.414;
    return options_.attention == Weighing::softmax ? add_param(name, rows, cols, kGain * std::sqrt(6.0 / fans))
                                                   : add_normal_param(name, rows, cols, kGain * std::sqrt(2.0 / fans));
  }

  // sum over v of w_uv P_v
  Var attend(Tape& t, const Layer& layer, const Input& h) const {
    Var p = h.times(t, layer.weight, options_.dropout);
    return edge_spmm(t, edges_, weights(t, layer.attention(t, edges_, p)), p);
  }

  // w of all edges and heads from their scores e
  Var weights(Tape& t, Var e) const {
    if (options_.attention == Weighing::softmax) return dropout(t, edge_softmax(t, edges_, e), options_.dropout);
    return edge_shares(t, edges_, dropout(t, exp_negative(t, e), options_.dropout));
  }

  Options options_;
  Propagator edges_;
  std::vector<Layer> layers_;
  Linear head_;
};

}  // namespace

ModelType gat_model() {
  ModelType type =
      describe_model<Gat>("gat", "attention: a mean of the neighbours with weights computed from both ends");
  type.reads_weights = [](const OptionValues&) { return false; };
  type.needs_whole = trimmings_that_need_whole;
  type.cost = 1.5;
  return type;
}

}  // namespace gcnh
