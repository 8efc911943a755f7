// Explanations by gradient times input, on a tape.
//   part of feature j of node v = x_vj d logit / d x_vj,   bias = sum over biases b of b d logit / d b
#include <numeric>

#include "gcnh/base/denormals.h"
#include "gcnh/base/error.h"
#include "gcnh/explain/explain.h"

namespace gcnh {
namespace {

// Steps from a node along the rows of the graph; -1 where none lead.
std::vector<int> hops_from(const Csr& graph, Index node) {
  std::vector<int> out(graph.rows, -1);
  std::vector<Index> reached = {node};
  out[node] = 0;
  for (std::size_t i = 0; i < reached.size(); ++i)
    for (Index v : graph.row(reached[i])) {
      if (out[v] >= 0) continue;
      out[v] = out[reached[i]] + 1;
      reached.push_back(v);
    }
  return out;
}

class GradientExplainer : public Explainer {
 public:
  explicit GradientExplainer(Model& model) : model_(model) {}

  std::vector<double> logits(Index node) override {
    check_nodes(model_.dataset(), std::span(&node, 1));
    const FlushDenormals flush;
    tape_.start_evaluation();
    const Var y = model_.forward(tape_, std::span(&node, 1));
    return {y->value.values().begin(), y->value.values().end()};
  }

  Explanation explain(Index node, std::span<const int> classes) override {
    check_nodes(model_.dataset(), std::span(&node, 1));
    check_classes(model_.dataset(), classes);
    Explanation out;
    out.node = node;
    std::vector<Matrix> gradients;
    for (int k : classes) gradients.push_back(gradient(node, k, out));
    collect(gradients, out);
    return out;
  }

  bool is_exact() const override { return false; }

 private:
  const Features& features() const { return model_.dataset().features; }

  // d logit / dx of one class; adds the class, its logit and its bias to `out`.
  Matrix gradient(Index node, int k, Explanation& out) {
    const FlushDenormals flush;
    Matrix dx = features().is_sparse() ? Matrix(1, static_cast<Index>(features().sparse().nnz()))
                                       : Matrix(features().rows(), features().cols());
    model_.watch_features(&dx);
    tape_.start_gradients();
    const Var logit = columns(tape_, model_.forward(tape_, std::span(&node, 1)), k, 1);
    tape_.backward(logit);
    model_.watch_features(nullptr);
    out.classes.push_back(k);
    out.logits.push_back(static_cast<double>(logit->value(0, 0)));
    out.bias.push_back(0);
    for (Param& p : model_.params()) {
      if (p.name.ends_with(".bias"))
        out.bias.back() = std::inner_product(
            p.value.values().begin(), p.value.values().end(), p.grad.data(), out.bias.back(), std::plus<>(),
            [](Real b, Real g) { return static_cast<double>(b) * static_cast<double>(g); });
      p.grad.fill(0);
    }
    return dx;
  }

  // f(position in the gradient, feature, value) for what a node has.
  template <class F>
  void for_each_feature(Index v, const F& f) const {
    if (features().is_sparse()) {
      const Csr& x = features().sparse();
      for (Offset e = x.offsets[v]; e < x.offsets[v + 1]; ++e) f(static_cast<std::size_t>(e), x.indices[e], x.value(e));
      return;
    }
    const Matrix& x = features().dense();
    for (Index j = 0; j < x.cols(); ++j)
      if (x(v, j) != 0) f(static_cast<std::size_t>(v) * static_cast<std::size_t>(x.cols()) + j, j, x(v, j));
  }

  // Sources are the node itself and those nodes of which something matters.
  void collect(const std::vector<Matrix>& gradients, Explanation& out) const {
    const std::vector<int> hops = hops_from(model_.dataset().adjacency, out.node);
    std::vector<Real> parts;
    const auto add = [&](Index v) {
      const std::size_t begin = out.features.size();
      bool matters = v == out.node;
      for_each_feature(v, [&](std::size_t at, Index feature, Real value) {
        out.features.push_back({feature, value});
        for (const Matrix& g : gradients) {
          parts.push_back(value * g.values()[at]);
          matters = matters || parts.back() != 0;
        }
      });
      if (matters) {
        out.sources.push_back({v, hops[v], begin, out.features.size()});
      } else {
        out.features.resize(begin);
        parts.resize(begin * gradients.size());
      }
    };
    add(out.node);
    for (Index v = 0; v < features().rows(); ++v)
      if (v != out.node) add(v);
    const auto width = static_cast<Index>(gradients.size());
    out.constants = Matrix(static_cast<Index>(out.sources.size()), width);
    out.parts = Matrix(static_cast<Index>(out.features.size()), width);
    std::copy(parts.begin(), parts.end(), out.parts.data());
  }

  Model& model_;
  Tape tape_;
};

}  // namespace

std::unique_ptr<Explainer> gradient_explainer(Model& model) { return std::make_unique<GradientExplainer>(model); }

std::unique_ptr<Explainer> make_explainer(Model& model) {
  std::unique_ptr<Explainer> own = model.own_explainer();
  return own ? std::move(own) : gradient_explainer(model);
}

std::vector<Matrix> layer_outputs(Model& model) {
  const FlushDenormals flush;
  std::vector<Index> all(model.dataset().num_nodes());
  std::iota(all.begin(), all.end(), 0);
  Tape t;
  t.start_evaluation();
  const Var logits = model.forward(t, all);
  std::vector<Matrix> out;
  for (Var layer : t.layers()) out.push_back(layer->value);
  out.push_back(logits->value);
  return out;
}

}  // namespace gcnh
