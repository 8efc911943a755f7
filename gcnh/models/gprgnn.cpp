// GPR-GNN: classify with an MLP, then mix what reaches a node in 0, 1, ... K steps with learned weights.
//   Z = dropout_p(dropout(ReLU(dropout(X) W1 + b1)) W2 + b2);   logits = sum over k of gamma_k P^k Z
//   P = D^-1/2 B' D^-1/2, B = (A + I) > 0, D the column sums of B: what u says travels along u -> v. With edge weights
//   B = A + I.
//   gamma starts as PageRank with restarts: gamma_k = alpha (1 - alpha)^k for k < K, gamma_K = (1 - alpha)^K
// Chien, Peng, Li and Milenkovic, ICLR 2021, arXiv:2006.07988, in the form of Yan et al., arXiv:2102.06462.
#include <cmath>

#include "gcnh/graph/adjacency.h"
#include "gcnh/models/model.h"

namespace gcnh {
namespace {

// The operator P: row v lists the nodes that point to v, and v itself with weight 1 before the division. How often an
// edge is repeated does not matter, weights that it was given do.
Csr spreading(const Dataset& d) {
  Csr received = transpose(d.adjacency);
  if (!d.weighted) received.values = {};
  drop_loops(received);
  return symmetric_normalized_with_loops(received);
}

class Gprgnn : public Model {
 public:
  struct Options {
    int steps = 10;
    int hidden = 64;
    double dropout = 0.5;
    double propagation_dropout = 0.5;
    double alpha = 0.1;

    void visit(auto&& f) {
      f("steps", steps, "steps that predictions travel along edges", at_least(1));
      f("hidden", hidden, "width of the hidden layers", at_least(1));
      f("dropout", dropout, "share of each layer's input dropped in training, the features included", share());
      f("propagation_dropout", propagation_dropout, "share of the predictions dropped before they travel", share());
      f("alpha", alpha, "restart probability that the weights of the steps start with", within(0, 1));
    }
  };

  Gprgnn(const Dataset& d, const Options& options, const Rng& rng)
      : Model(d, rng), options_(options), p_(spreading(d)) {
    const Index in = d.features.cols();
    hidden_ = add_linear("hidden", in, options.hidden, in);
    output_ = add_linear("output", options.hidden, d.num_classes(), options.hidden);
    gamma_ = add_param("gamma", 1, options.steps + 1, 0);
    for (int k = 0; k <= options.steps; ++k)
      gamma_->value(0, k) = static_cast<Real>((k < options.steps ? options.alpha : 1) * std::pow(1 - options.alpha, k));
  }

  Var forward(Tape& t, std::span<const Index> rows) override {
    Var z = t.layer(relu(t, hidden_(t, input(), options_.dropout)));
    z = dropout(t, output_(t, z, options_.dropout), options_.propagation_dropout);
    return gather_rows(t, power_sum(t, p_, gamma_, z), rows);
  }

 private:
  Options options_;
  Propagator p_;
  Linear hidden_, output_;
  Param* gamma_ = nullptr;
};

}  // namespace

ModelType gprgnn_model() {
  ModelType type =
      describe_model<Gprgnn>("gprgnn", "an MLP's predictions, spread along edges with learned weights per step");
  type.rows_list_receivers = true;
  type.cost = 5;
  return type;
}

}  // namespace gcnh
