// Exact explanations of GCNH. LeakyReLU is linear on either side of its kink and a maximum equals its winner, so at a
// given input a logit is a linear function of the features: its slopes flow from the logit back through the layers,
//   ds = b dH s'(z),  dm_v = sum over u of p_uv (1 - b) dH_u, times s'(m_v),  dH <- ds Wself' + dm Wnbr'
// and what they meet on the way, biases and at last features, times the slope is their part. Only the nodes that the
// layers can reach from the one that is explained are looked at; the values of all layers are computed once.
#include <algorithm>
#include <array>

#include "gcnh/base/denormals.h"
#include "gcnh/explain/explain.h"
#include "gcnh/models/gcnh.h"

namespace gcnh {
namespace {

// Slopes of c logits with respect to one value per hidden unit, for a list of nodes: (nodes, units, c).
class Slopes {
 public:
  Slopes(std::size_t nodes, Index units, std::size_t width)
      : step_(static_cast<std::size_t>(units) * width), width_(width), values_(nodes * step_) {}
  double* at(std::size_t node, Index unit) {
    return values_.data() + node * step_ + static_cast<std::size_t>(unit) * width_;
  }
  void clear() { std::fill(values_.begin(), values_.end(), 0); }

 private:
  std::size_t step_, width_;
  std::vector<double> values_;
};

class GcnhExplainer : public Explainer {
 public:
  GcnhExplainer(Model& model, const GcnhNetwork& network)
      : data_(model.dataset()), net_(network), slot_(data_.num_nodes(), -1) {
    const FlushDenormals flush;
    tape_.start_evaluation();
    Input h(data_.features);
    for (const GcnhNetwork::Layer& layer : net_.layers) {
      values_.push_back(net_.run(tape_, layer, h));
      beta_.push_back(layer.mix.weights(net_.hidden));
      h = values_.back().mixed;
    }
    logits_ = net_.classifier(tape_, h);
  }

  std::vector<double> logits(Index node) override {
    check_nodes(data_, std::span(&node, 1));
    const Real* row = logits_->value.row(node);
    return {row, row + logits_->cols()};
  }

  Explanation explain(Index node, std::span<const int> classes) override {
    check_nodes(data_, std::span(&node, 1));
    check_classes(data_, classes);
    Explanation out;
    out.node = node;
    out.classes.assign(classes.begin(), classes.end());
    const std::size_t c = classes.size();
    Slopes dh(1, net_.hidden, c);
    for (std::size_t k = 0; k < c; ++k) {
      out.logits.push_back(number(logits_->value(node, classes[k])));
      out.bias.push_back(number(net_.classifier.bias->value(0, classes[k])));
      for (Index i = 0; i < net_.hidden; ++i) dh.at(0, i)[k] = number(net_.classifier.weight->value(i, classes[k]));
    }
    reach(node, 0, out);
    std::vector<double> constants;
    for (std::size_t l = net_.layers.size(); l-- > 0;) dh = step_back(l, std::move(dh), constants, out);
    out.constants = rows_of(constants, c);
    for (const Explanation::Source& s : out.sources) slot_[s.node] = -1;
    return out;
  }

  // One layer adds up messages that do not depend on each other; a maximum does not, and other sums have other weights
  // where an edge is missing.
  std::optional<NeighbourSum> neighbour_sum(Index node) override {
    check_nodes(data_, std::span(&node, 1));
    using enum GcnhNetwork::Aggregation;
    const bool is_mean = net_.aggregation == mean;
    if (net_.layers.size() > 1 || (net_.aggregation != sum && !is_mean)) return std::nullopt;
    const Matrix& b = beta_[0];
    const Matrix& w = net_.classifier.weight->value;
    // sum over units i of scale_i x_i w_ik
    const auto classified = [&](const Real* x, bool self) {
      std::vector<double> out(w.cols());
      for (Index i = 0; i < w.rows(); ++i) {
        const double scaled = number(x[i]) * number(self ? b(0, i) : 1 - b(0, i));
        for (Index k = 0; k < w.cols(); ++k) out[k] += scaled * number(w(i, k));
      }
      return out;
    };
    NeighbourSum out;
    out.is_mean = is_mean;
    out.epsilon = is_mean && !data_.weighted ? number(kMeanEpsilon) : 0;
    out.base = classified(values_[0].encoded[0]->value.row(node), true);
    for (Index k = 0; k < w.cols(); ++k) out.base[k] += number(net_.classifier.bias->value(0, k));
    const Csr& a = data_.adjacency;
    for (Offset e = a.offsets[node]; e < a.offsets[node + 1]; ++e) {
      out.neighbours.push_back(a.indices[e]);
      out.weights.push_back(number(a.value(e)));
      out.messages.push_back(classified(values_[0].encoded[1]->value.row(a.indices[e]), false));
    }
    return out;
  }

  bool is_exact() const override { return true; }

 private:
  static double number(Real x) { return static_cast<double>(x); }
  static double slope(Real activated) { return activated > 0 ? 1 : number(GcnhNetwork::kSlope); }

  static Matrix rows_of(const std::vector<double>& values, std::size_t width) {
    Matrix out(static_cast<Index>(values.size() / width), static_cast<Index>(width));
    std::transform(values.begin(), values.end(), out.data(), [](double x) { return static_cast<Real>(x); });
    return out;
  }

  // The place of a node among the sources, as the last of them where it is new.
  std::size_t reach(Index node, int hops, Explanation& out) {
    if (slot_[node] < 0) {
      slot_[node] = static_cast<Index>(out.sources.size());
      out.sources.push_back({node, hops, 0, 0});
    }
    return static_cast<std::size_t>(slot_[node]);
  }

  // From slopes of a layer's output, of the first sources, to those of its input, of all sources that are reached now;
  // below the first layer, to the parts of the features. Slopes of messages are made and used source by source: those
  // of a hub's neighbours together would not fit into a cache.
  Slopes step_back(std::size_t l, Slopes dh, std::vector<double>& constants, Explanation& out) {
    const std::size_t c = out.classes.size(), above = out.sources.size();
    const int hops = static_cast<int>(net_.layers.size() - l);
    for (std::size_t u = 0; u < above; ++u)
      for (Index v : net_.neighbours().edges.forward().row(out.sources[u].node)) reach(v, hops, out);
    const GcnhNetwork::Layer& layer = net_.layers[l];
    const std::size_t below = out.sources.size();
    constants.resize(below * c);
    Slopes da = dh, dm(1, net_.hidden, c), in(l > 0 ? below : 0, net_.hidden, c);  // da = (1 - b) dH
    for (std::size_t u = 0; u < above; ++u)
      for (Index i = 0; i < net_.hidden; ++i)
        for (std::size_t k = 0; k < c; ++k) da.at(u, i)[k] *= number(1 - beta_[l](0, i));
    if (l == 0) list_features(out);
    const std::vector<Flow> flows = flows_of(l, above, out);
    auto flow = flows.begin();
    for (std::size_t v = 0; v < below; ++v) {
      double* constant = constants.data() + v * c;
      dm.clear();
      for (; flow != flows.end() && flow->to == v; ++flow) pass_on(*flow, da, dm, c);
      pass_kinks(values_[l].encoded[1]->value.row(out.sources[v].node), nullptr, layer.neighbours(), c, dm.at(0, 0),
                 constant);
      double* ds = v < above ? dh.at(v, 0) : nullptr;
      if (ds)
        pass_kinks(values_[l].encoded[0]->value.row(out.sources[v].node), &beta_[l], layer.self(), c, ds, constant);
      if (l == 0) {
        take_features(out.sources[v], ds, dm.at(0, 0), out);
        continue;
      }
      for (Index j = 0; j < net_.hidden; ++j) {
        multiply_add(1, layer.neighbours().weight->value.row(j), dm.at(0, 0), c, in.at(v, j));
        if (ds) multiply_add(1, layer.self().weight->value.row(j), ds, c, in.at(v, j));
      }
    }
    return in;
  }

  // From slopes of activated units, times a factor each, to slopes of what they were made from; the bias is met there.
  void pass_kinks(const Real* activated, const Matrix* factor, const Linear& encoder, std::size_t c, double* d,
                  double* constant) const {
    for (Index i = 0; i < net_.hidden; ++i) {
      const double scale = slope(activated[i]) * (factor ? number((*factor)(0, i)) : 1);
      for (std::size_t k = 0; k < c; ++k) d[static_cast<std::size_t>(i) * c + k] *= scale;
    }
    multiply_add(1, encoder.bias->value.row(0), d, c, constant);
  }

  // What flows back along an edge, in units begin to end: d of the source `to` += weight da of the source `from`.
  struct Flow {
    std::size_t to, from;
    Index begin, end;
    double weight;
  };
  // By `to`; in a maximum what flows to its winners.
  std::vector<Flow> flows_of(std::size_t l, std::size_t above, const Explanation& out) const {
    const Csr& p = net_.neighbours().edges.forward();
    std::vector<Flow> flows;
    const auto add = [&](std::size_t u, Index v, Index begin, Index end, double weight) {
      flows.push_back({static_cast<std::size_t>(slot_[v]), u, begin, end, weight});
    };
    for (std::size_t u = 0; u < above; ++u) {
      const Index node = out.sources[u].node;
      for (Index i = 0; net_.neighbours().is_max && i < net_.hidden; ++i)
        if (const Index v = winner(l, node, i); v >= 0) add(u, v, i, i + 1, 1);
      for (Offset e = p.offsets[node]; !net_.neighbours().is_max && e < p.offsets[node + 1]; ++e)
        add(u, p.indices[e], 0, net_.hidden, number(p.value(e)));
    }
    std::stable_sort(flows.begin(), flows.end(), [](const Flow& a, const Flow& b) { return a.to < b.to; });
    return flows;
  }

  static void pass_on(const Flow& flow, Slopes& da, Slopes& dm, std::size_t c) {
    const double* from = da.at(flow.from, flow.begin);
    double* to = dm.at(0, flow.begin);
    const std::size_t count = static_cast<std::size_t>(flow.end - flow.begin) * c;
    for (std::size_t j = 0; j < count; ++j) to[j] += flow.weight * from[j];
  }

  // Whose message is the maximum: the first that equals it; -1 where the floor is.
  Index winner(std::size_t l, Index node, Index unit) const {
    const Real largest = values_[l].arrived[1]->value(node, unit);
    if (net_.neighbours().floor_at_zero && largest <= 0) return -1;
    for (Index v : net_.neighbours().edges.forward().row(node))
      if (values_[l].encoded[1]->value(v, unit) == largest) return v;
    return -1;
  }

  // to[k] += x sum over units i of w_i d[i][k], up to eight classes at a time, whose sums stay in registers
  void multiply_add(double x, const Real* w, const double* d, std::size_t c, double* to) const {
    for (std::size_t k = 0; k < c; k += 8) add_block<8>(std::min<std::size_t>(8, c - k), x, w, d + k, c, to + k);
  }
  template <std::size_t kWidth>
  void add_block(std::size_t width, double x, const Real* w, const double* d, std::size_t c, double* to) const {
    if constexpr (kWidth > 1)
      if (width < kWidth) return add_block<kWidth - 1>(width, x, w, d, c, to);
    std::array<double, kWidth> sum{};
    for (Index i = 0; i < net_.hidden; ++i, d += c)
      for (std::size_t k = 0; k < kWidth; ++k) sum[k] += number(w[i]) * d[k];
    for (std::size_t k = 0; k < kWidth; ++k) to[k] += x * sum[k];
  }

  // The parts of the features of a source, by the slopes of what it is encoded to; ds only for those that are one.
  void take_features(const Explanation::Source& source, const double* ds, const double* dm, Explanation& out) const {
    const GcnhNetwork::Layer& layer = net_.layers[0];
    const std::size_t c = out.classes.size();
    std::vector<double> parts(c);
    for (std::size_t f = source.begin; f < source.end; ++f) {
      const auto [feature, value] = out.features[f];
      std::fill(parts.begin(), parts.end(), 0);
      multiply_add(number(value), layer.neighbours().weight->value.row(feature), dm, c, parts.data());
      if (ds) multiply_add(number(value), layer.self().weight->value.row(feature), ds, c, parts.data());
      Real* to = out.parts.row(static_cast<Index>(f));
      std::transform(parts.begin(), parts.end(), to, [](double x) { return static_cast<Real>(x); });
    }
  }

  // The features of all sources, with room for their parts.
  void list_features(Explanation& out) const {
    for (Explanation::Source& source : out.sources) {
      source.begin = out.features.size();
      if (data_.features.is_sparse()) {
        const Csr& x = data_.features.sparse();
        for (Offset e = x.offsets[source.node]; e < x.offsets[source.node + 1]; ++e)
          out.features.push_back({x.indices[e], x.value(e)});
      } else {
        const Matrix& x = data_.features.dense();
        for (Index j = 0; j < x.cols(); ++j)
          if (x(source.node, j) != 0) out.features.push_back({j, x(source.node, j)});
      }
      source.end = out.features.size();
    }
    out.parts = Matrix(static_cast<Index>(out.features.size()), static_cast<Index>(out.classes.size()));
  }

  const Dataset& data_;
  const GcnhNetwork& net_;
  Tape tape_;  // holds the values
  std::vector<GcnhNetwork::Values> values_;
  std::vector<Matrix> beta_;
  Var logits_ = nullptr;
  std::vector<Index> slot_;  // of every node, its place among the sources of an explanation; -1: none
};

}  // namespace

std::unique_ptr<Explainer> gcnh_explainer(Model& model, const GcnhNetwork& network) {
  return network.as_paper ? std::make_unique<GcnhExplainer>(model, network) : nullptr;
}

}  // namespace gcnh
