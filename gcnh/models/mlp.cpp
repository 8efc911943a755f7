// MLP: the floor that ignores the graph.
//   H <- ELU(dropout(H) W + b) for all layers but the last;   logits = dropout(H) W + b;   H0 = X
// The form used by Yan et al., ICDM 2022, arXiv:2102.06462, whose numbers the GCNH paper quotes.
#include "gcnh/models/model.h"

namespace gcnh {
namespace {

class Mlp : public Model {
 public:
  struct Options : StackOptions {
    void visit(auto&& f) {
      StackOptions::visit(f, "linear layers", "share of each layer's input dropped in training, the features included");
    }
  };

  Mlp(const Dataset& d, const Options& options, const Rng& rng) : Model(d, rng), options_(options) {
    for (const auto& [name, in, out] : stack(options.layers, options.hidden))
      layers_.push_back(add_linear(name, in, out, /*fan=*/in));
  }

  Var forward(Tape& t, std::span<const Index> rows) override {
    Var h = gather_rows(t, layers_[0](t, input(), options_.dropout), rows);
    for (std::size_t l = 1; l < layers_.size(); ++l) h = layers_[l](t, t.layer(elu(t, h)), options_.dropout);
    return h;
  }

 private:
  Options options_;
  std::vector<Linear> layers_;
};

}  // namespace

ModelType mlp_model() {
  ModelType type = describe_model<Mlp>("mlp", "multi-layer perceptron on the features alone");
  type.sees_graph = false;
  type.needs_whole = [](const OptionValues&) { return ""; };
  return type;
}

}  // namespace gcnh
