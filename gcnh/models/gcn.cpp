// GCN: average over the neighbourhood, the node included.
//   H <- dropout(ReLU(S (H W) + b)) for all layers but the last;   logits = S (H W) + b
//   S = D^-1/2 (A + I) D^-1/2, D the row sums of A + I, H0 = X
// Kipf and Welling, ICLR 2017, arXiv:1609.02907, in the form of Yan et al., arXiv:2102.06462: biases, no dropout on X.
#include "gcnh/models/model.h"

namespace gcnh {
namespace {

class Gcn : public Model {
 public:
  struct Options {
    int layers = 2;
    int hidden = 16;
    double dropout = 0.5;

    void visit(auto&& f) {
      f("layers", layers, "graph convolutions");
      f("hidden", hidden, "width of the hidden layers");
      f("dropout", dropout, "share of each hidden layer dropped in training");
    }
  };

  Gcn(const Dataset& d, const Options& options, const Rng& rng)
      : Model(d, rng), options_(options), s_(symmetric_normalized_with_loops(d.adjacency)) {
    require_positive("layers", options.layers);
    require_positive("hidden", options.hidden);
    require_share("dropout", options.dropout);
    for (int l = 0; l < options.layers; ++l) {
      const Index in = l == 0 ? d.features.cols() : options.hidden;
      const Index out = l + 1 == options.layers ? d.num_classes() : options.hidden;
      layers_.push_back(
          add_linear("layers." + std::to_string(l), in, out, /*fan=*/out));  // the output width, as in Kipf's code
    }
  }

  Var forward(Tape& t, std::span<const Index> rows) override {
    Var h = convolve(t, layers_[0], input().times(t, layers_[0].weight));
    for (std::size_t l = 1; l < layers_.size(); ++l) {
      h = dropout(t, relu(t, h), options_.dropout);
      h = convolve(t, layers_[l], matmul(t, h, layers_[l].weight));
    }
    return gather_rows(t, h, rows);
  }

 private:
  // S (H W) + b
  Var convolve(Tape& t, const Linear& layer, Var hw) const { return add_bias(t, spmm(t, s_, hw), layer.bias); }

  Options options_;
  Propagator s_;
  std::vector<Linear> layers_;
};

}  // namespace

ModelType gcn_model() {
  return describe_model<Gcn>("gcn", "graph convolution: the normalised mean of a node and its neighbours");
}

}  // namespace gcnh
