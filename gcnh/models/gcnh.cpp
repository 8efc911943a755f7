// GCNH: encode a node and its neighbours separately, then weigh the two with one learned coefficient per layer.
//   z = s(H Wself + bself),  m = s(H Wnbr + bnbr),  a_u = sum | mean | max over v in N(u) of m_v
//   H <- dropout(b z + (1 - b) a),  b = sigmoid(theta);   logits = H Wcl + bcl;   s = LeakyReLU(0.01), H0 = X
// Cavallo, Grohnfeldt, Russo, Lovisotto, Vassio, IJCNN 2023, arXiv:2304.10896.
#include "gcnh/models/gcnh.h"

#include <cmath>

namespace gcnh {
namespace {

Propagator aggregator(const Dataset& d, const std::string& aggregation) {
  require_one_of("aggregation", aggregation, {"sum", "mean", "max"});
  return aggregation == "mean" ? Propagator(mean_rows(d.adjacency)) : Propagator::of(d.adjacency);
}

}  // namespace

Gcnh::Gcnh(const Dataset& d, const Options& options, const Rng& rng)
    : options_(options), input_(d.features), neighbours_(aggregator(d, options.aggregation)) {
  check_options();
  for (int l = 0; l < options.layers; ++l) {
    const Index in = l == 0 ? d.features.cols() : options.hidden;
    const std::string name = "layers." + std::to_string(l);
    Layer layer;
    layer.self = add_linear(name + ".self", in, options.hidden, in, rng);
    layer.neighbours = shared() ? layer.self : add_linear(name + ".neighbours", in, options.hidden, in, rng);
    if (!fixed_beta_)
      layer.theta = add_param(name + ".theta", 1, options.beta == "pointwise" ? options.hidden : 1, 0, rng);
    layers_.push_back(layer);
  }
  classifier_ = add_linear("classifier", options.hidden, d.num_classes(), options.hidden, rng);
}

void Gcnh::check_options() {
  require_positive("layers", options_.layers);
  require_positive("hidden", options_.hidden);
  require_share("dropout", options_.dropout);
  require_one_of("encoders", options_.encoders, {"separate", "shared"});
  if (options_.beta == "learned" || options_.beta == "pointwise") return;
  double beta = 0;
  parse_text("beta", options_.beta, beta);
  if (beta < 0 || beta > 1) fail(Status::usage, "beta: ", beta, " is outside 0..1");
  fixed_beta_ = static_cast<Real>(beta);
}

Var Gcnh::encode(Tape& t, const Linear& w, Var h) const { return leaky_relu(t, h ? w(t, h) : w(t, input_), kSlope); }

Var Gcnh::forward(Tape& t, std::span<const Index> rows) {
  Var h = nullptr;  // stands for the input before the first layer
  for (std::size_t l = 0; l < layers_.size(); ++l) {
    const Layer& layer = layers_[l];
    Var z = encode(t, layer.self, h);
    Var m = shared() ? z : encode(t, layer.neighbours, h);
    Var a = options_.aggregation == "max" ? spmax(t, neighbours_, m, options_.max_floor) : spmm(t, neighbours_, m);
    h = layer.theta ? mix(t, layer.theta, z, a) : mix(t, *fixed_beta_, z, a);
    if (l + 1 == layers_.size()) h = gather_rows(t, h, rows);
    h = dropout(t, h, options_.dropout);
  }
  return classifier_(t, h);
}

Matrix Gcnh::beta(std::size_t l) const {
  Matrix b(1, options_.hidden);
  const Param* theta = layers_[l].theta;
  for (Index j = 0; j < b.cols(); ++j)
    b(0, j) = theta ? 1 / (1 + std::exp(-theta->value(0, theta->cols() == 1 ? 0 : j))) : *fixed_beta_;
  return b;
}

std::map<std::string, std::vector<double>> Gcnh::readings() const {
  std::vector<double> means;
  for (std::size_t l = 0; l < layers_.size(); ++l) {
    const Matrix b = beta(l);
    double sum = 0;
    for (Real v : b.values()) sum += static_cast<double>(v);
    means.push_back(sum / b.cols());
  }
  return {{"beta", means}};
}

ModelType gcnh_model() {
  return describe_model<Gcnh>("gcnh",
                              "separate encoders for a node and its neighbours, weighed by a learned coefficient");
}

}  // namespace gcnh
