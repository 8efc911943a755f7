// GCN: average over the neighbourhood, the node included.
//   H <- dropout(ReLU(S (H W) + b)) for all layers but the last;   logits = S (H W) + b
//   S = D^-1/2 (A + I) D^-1/2, D the row sums of A + I, H0 = X
// Kipf and Welling, ICLR 2017, arXiv:1609.02907, in the form of Yan et al., arXiv:2102.06462: biases, no dropout on X.
#include "gcnh/models/model.h"

namespace gcnh {
namespace {

class Gcn : public Model {
 public:
  struct Options : StackOptions {
    void visit(auto&& f) {
      StackOptions::visit(f, "graph convolutions", "share of each hidden layer dropped in training");
    }
  };

  Gcn(const Dataset& d, const Options& options, const Rng& rng)
      : Model(d, rng), options_(options), s_(symmetric_normalized_with_loops(d.adjacency)) {
    for (const auto& [name, in, out] : stack(options.layers, options.hidden))
      layers_.push_back(add_linear(name, in, out, /*fan=*/out));  // the output width, as in Kipf's code
  }

  Var forward(Tape& t, std::span<const Index> rows) override {
    Var h = convolve(t, layers_[0], input());
    for (std::size_t l = 1; l < layers_.size(); ++l)
      h = convolve(t, layers_[l], dropout(t, t.layer(relu(t, h)), options_.dropout));
    return gather_rows(t, h, rows);
  }

 private:
  // S (H W) + b
  Var convolve(Tape& t, const Linear& layer, const Input& h) const {
    return add_bias(t, spmm(t, s_, h.times(t, layer.weight)), layer.bias);
  }

  Options options_;
  Propagator s_;
  std::vector<Linear> layers_;
};

}  // namespace

ModelType gcn_model() {
  return describe_model<Gcn>("gcn", "graph convolution: the normalised mean of a node and its neighbours");
}

}  // namespace gcnh
