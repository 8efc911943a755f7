// GGCN: neighbours that are alike add up, neighbours that are opposite are subtracted, and degrees rescale both.
//   layer: P = H W + b,  t_uv = cos(P_u, P_v) S_uv softplus(a0 r_uv + a1) for u != v,  r_uv = S_uu / S_uv - 1
//          Z = softplus(s) (k0 max(t, 0) P + k1 min(t, 0) P + k2 P),  k = softmax(kappa)
//   S = D^-1/2 (A + I) D^-1/2, D the row sums of A + I
//   R = ELU(X Wr + br), Z the first layer on X;  then, for all other layers i = 1, 2, ...:  Z <- dropout(ELU(Z)),
//   R <- R + c_i Z,  Z <- layer on R,  c_1 = 1, c_i = ln(decay / (i + 1)^3 + 1);   logits = Z;   X is dropped out once
//   with edge weights r_uv = sqrt(S_uu / S_vv) - 1: the ratio of the degrees alone, as it is without
// Yan, Hashemi, Swersky, Yang, Koutra, ICDM 2022, arXiv:2102.06462.
#include <cmath>

#include "gcnh/models/model.h"

namespace gcnh {
namespace {

// r for every entry: 0 on the diagonal, above 0 where the neighbour has the larger degree.
std::vector<Real> degree_ratios(const Csr& s, bool weighted) {
  std::vector<Real> out(s.indices.size()), own(s.rows, 0);
  for (Index u = 0; u < s.rows; ++u)
    for (Offset e = s.offsets[u]; e < s.offsets[u + 1]; ++e)
      if (s.indices[e] == u) own[u] = s.values[e];
  for (Index u = 0; u < s.rows; ++u)
    for (Offset e = s.offsets[u]; e < s.offsets[u + 1]; ++e)
      out[e] = (weighted ? std::sqrt(own[u] / own[s.indices[e]]) : own[u] / s.values[e]) - 1;
  return out;
}

Csr with_zero_diagonal(Csr s) {
  for (Index u = 0; u < s.rows; ++u)
    for (Offset e = s.offsets[u]; e < s.offsets[u + 1]; ++e)
      if (s.indices[e] == u) s.values[e] = 0;
  return s;
}

class Ggcn : public Model {
 public:
  struct Options : StackOptions {
    double decay = 1;

    void visit(auto&& f) {
      StackOptions::visit(f, "signed convolutions",
                          "share of the features and of each hidden layer dropped in training");
      f("decay", decay, "how much later layers add to the residual: ln(decay / (i + 1)^3 + 1) for layer i > 1",
        at_least(0));
    }
  };

  Ggcn(const Dataset& d, const Options& options, const Rng& rng)
      : Model(d, rng),
        options_(options),
        edges_(with_zero_diagonal(symmetric_normalized_with_loops(d.adjacency))),
        ratios_(degree_ratios(symmetric_normalized_with_loops(d.adjacency), d.weighted)) {
    for (const auto& [name, in, out] : stack(options.layers, options.hidden)) {
      Layer layer;
      layer.linear = add_linear(name, in, layers_.empty() ? residual_width() + out : out, in);
      layer.degree = add_constants(name + ".degree", {Real(0.5), 0});
      layer.kappa = add_constants(name + ".kappa", {0, 0, 0});
      layer.scale = add_constants(name + ".scale", {2});
      layers_.push_back(layer);
    }
  }

  Var forward(Tape& t, std::span<const Index> rows) override {
    Var both = layers_[0].linear(t, input(), options_.dropout);  // X Wr + br and P of the first layer
    Var r = elu(t, columns(t, both, 0, residual_width()));
    Var z = convolve(t, layers_[0], columns(t, both, residual_width(), both->cols() - residual_width()));
    for (std::size_t i = 1; i < layers_.size(); ++i) {
      z = dropout(t, elu(t, z), options_.dropout);
      r = t.layer(add_scaled(t, r, residual_weight(i), z));
      z = convolve(t, layers_[i], layers_[i].linear(t, r));
    }
    return gather_rows(t, z, rows);
  }

 private:
  struct Layer {
    Linear linear;  // of the first layer, the residual's columns come first: both see the same dropped features
    Param* degree;  // (1, 2) a
    Param* kappa;   // (1, 3)
    Param* scale;   // (1, 1) s
  };

  // One layer alone has no residual.
  Index residual_width() const { return options_.layers > 1 ? options_.hidden : 0; }

  // c_i
  Real residual_weight(std::size_t i) const {
    const double depth = static_cast<double>(i + 1);
    return i == 1 ? Real{1} : static_cast<Real>(std::log1p(options_.decay / (depth * depth * depth)));
  }

  // The layer as one sparse matrix: t off the diagonal, k2 on it, all times softplus(s).
  Var convolve(Tape& t, const Layer& layer, Var p) const {
    Var w = signed_weights(t, edges_, ratios_, edge_cosines(t, edges_, p), layer.degree, layer.kappa, layer.scale);
    return edge_spmm(t, edges_, w, p);
  }

  Param* add_constants(const std::string& name, const std::vector<Real>& values) {
    Param* p = add_param(name, 1, static_cast<Index>(values.size()), 0);
    std::copy(values.begin(), values.end(), p->value.data());
    return p;
  }

  Options options_;
  Propagator edges_;          // S with 0 on the diagonal, where only k2 counts
  std::vector<Real> ratios_;  // r
  std::vector<Layer> layers_;
};

}  // namespace

ModelType ggcn_model() {
  ModelType type =
      describe_model<Ggcn>("ggcn", "signed convolution: neighbours weigh by cosine, against the node where opposite");
  type.cost = 6;
  return type;
}

}  // namespace gcnh
