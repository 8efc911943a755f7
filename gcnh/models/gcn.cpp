// GCN: average over the neighbourhood, the node included.
//   H <- dropout(ReLU(S (H W) + b)) for all layers but the last;   logits = S (H W) + b
//   S = D^-1/2 (A + I) D^-1/2, D the row sums of A + I, H0 = X
// Kipf and Welling, ICLR 2017, arXiv:1609.02907, in the form of Yan et al., arXiv:2102.06462: biases, no dropout on X.
// With trimmings a hidden layer is dropout(ReLU(norm(S (H W) + b + R))), R = H where widths agree, or H W' + b'; with a
// head all layers are hidden, and logits = J W + b, J the last of them, all side by side, or their maximum
// Luo, Shi, Wu, NeurIPS 2024, arXiv:2406.08993.
#include <utility>

#include "gcnh/models/model.h"

namespace gcnh {
namespace {

class Gcn : public Model {
 public:
  struct Options : StackOptions {
    Trimmings trimmings;

    void visit(auto&& f) {
      StackOptions::visit(f, "graph convolutions", "share of each hidden layer dropped in training");
      trimmings.visit(f);
    }
  };

  Gcn(const Dataset& d, const Options& options, const Rng& rng)
      : Model(d, rng), options_(options), s_(symmetric_normalized_with_loops(d.adjacency, d.whole_sums)) {
    const auto& [norm, residual, head] = options.trimmings;
    for (const auto& [name, in, out] : stack(options.layers, options.hidden, head)) {
      Layer& layer = layers_.emplace_back();
      layer.gives_logits = head == Head::none && std::cmp_equal(layers_.size(), options.layers);
      layer.linear = add_linear(name, in, out, /*fan=*/out);  // the output width, as in Kipf's code
      layer.shortcut = add_shortcut(name + ".residual", residual, in, out);
      if (layer.gives_logits) break;
      layer.norm = add_norm(name + ".norm", norm, out);
    }
    head_ = add_head(head, options.layers, options.hidden);
  }

  Var forward(Tape& t, std::span<const Index> rows) override {
    Input h = input();
    std::vector<Var> outputs;
    for (const Layer& layer : layers_) {
      const Var z = layer.shortcut(t, convolve(t, layer.linear, h), h);
      if (layer.gives_logits) return gather_rows(t, z, rows);
      outputs.push_back(dropout(t, t.layer(relu(t, layer.norm(t, z))), options_.dropout));
      h = outputs.back();
    }
    return head_(t, gather_rows(t, jump(t, jump_to(options_.trimmings.head), outputs), rows));
  }

 private:
  struct Layer {
    Linear linear;
    Shortcut shortcut;
    Normalizer norm;
    bool gives_logits = false;
  };

  // S (H W) + b
  Var convolve(Tape& t, const Linear& linear, const Input& h) const {
    return add_bias(t, spmm(t, s_, h.times(t, linear.weight)), linear.bias);
  }

  Options options_;
  Propagator s_;
  std::vector<Layer> layers_;
  Linear head_;
};

}  // namespace

ModelType gcn_model() {
  ModelType type = describe_model<Gcn>("gcn", "graph convolution: the normalised mean of a node and its neighbours");
  type.needs_whole = trimmings_that_need_whole;
  return type;
}

}  // namespace gcnh
