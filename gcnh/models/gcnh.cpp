// GCNH: encode a node and its neighbours separately, then weigh the two with one learned coefficient per layer.
//   z = s(H Wself + bself),  m = s(H Wnbr + bnbr),  a_u = sum | mean | max over v in N(u) of m_v
//   with edge weights the sum and the mean are weighted, the maximum is not
//   H <- dropout(b z + (1 - b) a),  b = sigmoid(theta);   logits = H Wcl + bcl;   s = LeakyReLU(0.01), H0 = X
// Cavallo, Grohnfeldt, Russo, Lovisotto, Vassio, IJCNN 2023, arXiv:2304.10896.
#include "gcnh/models/gcnh.h"

#include <numeric>

namespace gcnh {
namespace {

enum class Aggregation { sum, mean, max };
Words words_of(Aggregation) { return {{"sum"}, {"mean"}, {"max"}}; }
enum class Encoders { separate, shared };
Words words_of(Encoders) { return {{"separate"}, {"shared"}}; }
enum class Beta { learned, pointwise };
Words words_of(Beta) { return {{"learned"}, {"pointwise", "one per hidden unit"}}; }

class Gcnh : public Model {
 public:
  struct Options {
    int layers = 1;
    int hidden = 32;
    Aggregation aggregation = Aggregation::sum;
    bool max_floor = false;
    Encoders encoders = Encoders::separate;
    NumberOr<double, Beta> beta = Beta::learned;
    double dropout = 0.25;

    void visit(auto&& f) {
      f("layers", layers, "layers of the network", at_least(1));
      f("hidden", hidden, "width of a layer", at_least(1));
      f("aggregation", aggregation, "how neighbours are joined");
      f("max_floor", max_floor, "max aggregation never falls below 0, as in the published code");
      f("encoders", encoders, "weights for a node and its neighbours");
      f("beta", beta, "weight of the node itself", within(0, 1));
      f("dropout", dropout, "share of each layer's output dropped in training", share());
    }
  };

  Gcnh(const Dataset& d, const Options& options, const Rng& rng)
      : Model(d, rng),
        net_{options.hidden,
             options.dropout,
             options.encoders == Encoders::shared,
             options.aggregation == Aggregation::max,
             options.aggregation == Aggregation::mean,
             options.max_floor,
             options.aggregation == Aggregation::mean
                 ? Propagator(mean_rows(d.adjacency, d.weighted ? Real{0} : kMeanEpsilon))
                 : Propagator::of(d.adjacency)} {
    for (int l = 0; l < options.layers; ++l) {
      const Index in = l == 0 ? d.features.cols() : options.hidden;
      const std::string name = "layers." + std::to_string(l);
      GcnhNetwork::Layer& layer = net_.layers.emplace_back();
      layer.self = add_linear(name + ".self", in, options.hidden, in);
      layer.neighbours = net_.shared ? layer.self : add_linear(name + ".neighbours", in, options.hidden, in);
      layer.mix = add_mix(name + ".theta", options);
    }
    net_.classifier = add_linear("classifier", options.hidden, d.num_classes(), options.hidden);
  }

  Var forward(Tape& t, std::span<const Index> rows) override {
    Input h = input();
    for (const GcnhNetwork::Layer& layer : net_.layers) {
      Var mixed = net_.run(t, layer, h).mixed;
      if (&layer == &net_.layers.back()) mixed = gather_rows(t, mixed, rows);
      h = dropout(t, t.layer(mixed), net_.dropout);
    }
    return net_.classifier(t, h);
  }

  // Of every layer, the mean weight of the node itself.
  Readings readings() const override {
    std::vector<double> means;
    for (const GcnhNetwork::Layer& layer : net_.layers) {
      const Matrix b = layer.mix.weights(net_.hidden);
      means.push_back(std::accumulate(b.values().begin(), b.values().end(), 0.0) / b.cols());
    }
    return {{"beta", means}};
  }

  std::unique_ptr<Stepper> fast_stepper(const StepOptions& options, std::string& obstacle) override {
    return fused_stepper(*this, net_, options, obstacle);
  }

  std::unique_ptr<Explainer> own_explainer() override { return gcnh_explainer(*this, net_); }

 private:
  Mix add_mix(const std::string& name, const Options& options) {
    if (const auto fixed = options.beta.number()) return {nullptr, static_cast<Real>(*fixed)};
    return {add_param(name, 1, options.beta == Beta::pointwise ? options.hidden : 1, 0)};
  }

  GcnhNetwork net_;
};

}  // namespace

GcnhNetwork::Values GcnhNetwork::run(Tape& t, const Layer& layer, const Input& h) const {
  Var z = leaky_relu(t, layer.self(t, h), kSlope);
  Var m = shared ? z : leaky_relu(t, layer.neighbours(t, h), kSlope);
  Var a = is_max ? spmax(t, neighbours, m, max_floor) : spmm(t, neighbours, m);
  return {z, m, a, layer.mix(t, z, a)};
}

ModelType gcnh_model() {
  ModelType type =
      describe_model<Gcnh>("gcnh", "separate encoders for a node and its neighbours, weighed by a learned coefficient");
  // The largest of some values is the same one whatever their weights.
  type.reads_weights = [](const OptionValues& values) {
    Gcnh::Options options;
    assign(options, values);
    return options.aggregation != Aggregation::max;
  };
  type.readings = {{"beta", "weight that a node gives itself, per layer", 0, 1}};
  return type;
}

}  // namespace gcnh
