// GCNH: encode a node and its neighbours separately, then weigh the two with one learned coefficient per layer.
//   z = s(H Wself + bself),  m = s(H Wnbr + bnbr),  a_u = sum | mean | max over v in N(u) of m_v
//   H <- dropout(b z + (1 - b) a),  b = sigmoid(theta);   logits = H Wcl + bcl;   s = LeakyReLU(0.01), H0 = X
// Cavallo, Grohnfeldt, Russo, Lovisotto, Vassio, IJCNN 2023, arXiv:2304.10896.
#include "gcnh/models/gcnh.h"

#include <numeric>

namespace gcnh {
namespace {

class Gcnh : public Model {
 public:
  struct Options {
    int layers = 1;
    int hidden = 32;
    std::string aggregation = "sum";
    bool max_floor = false;
    std::string encoders = "separate";
    std::string beta = "learned";
    double dropout = 0.25;

    void visit(auto&& f) {
      f("layers", layers, "layers of the network");
      f("hidden", hidden, "width of a layer");
      f("aggregation", aggregation, "how neighbours are joined: sum | mean | max");
      f("max_floor", max_floor, "max aggregation never falls below 0, as in the published code");
      f("encoders", encoders, "separate | shared weights for a node and its neighbours");
      f("beta", beta, "weight of the node itself: learned | pointwise (one per hidden unit) | a number in 0..1");
      f("dropout", dropout, "share of each layer's output dropped in training");
    }
  };

  Gcnh(const Dataset& d, const Options& options, const Rng& rng)
      : Model(d, rng),
        net_{options.hidden,
             options.dropout,
             options.encoders == "shared",
             options.aggregation == "max",
             options.max_floor,
             options.aggregation == "mean" ? Propagator(mean_rows(d.adjacency)) : Propagator::of(d.adjacency)} {
    check(options);
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
      Var z = leaky_relu(t, layer.self(t, h), net_.kSlope);
      Var m = net_.shared ? z : leaky_relu(t, layer.neighbours(t, h), net_.kSlope);
      Var a = net_.is_max ? spmax(t, net_.neighbours, m, net_.max_floor) : spmm(t, net_.neighbours, m);
      Var mixed = layer.mix(t, z, a);
      if (&layer == &net_.layers.back()) mixed = gather_rows(t, mixed, rows);
      h = dropout(t, mixed, net_.dropout);
    }
    return net_.classifier(t, h);
  }

  // Of every layer, the mean weight of the node itself.
  std::map<std::string, std::vector<double>> readings() const override {
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

 private:
  static void check(const Options& options) {
    require_positive("layers", options.layers);
    require_positive("hidden", options.hidden);
    require_share("dropout", options.dropout);
    require_one_of("aggregation", options.aggregation, {"sum", "mean", "max"});
    require_one_of("encoders", options.encoders, {"separate", "shared"});
  }

  Mix add_mix(const std::string& name, const Options& options) {
    if (options.beta == "learned") return {add_param(name, 1, 1, 0)};
    if (options.beta == "pointwise") return {add_param(name, 1, options.hidden, 0)};
    double beta = 0;
    parse_text("beta", options.beta, beta);
    if (beta < 0 || beta > 1) fail(Status::usage, "beta: ", beta, " is outside 0..1");
    return {nullptr, static_cast<Real>(beta)};
  }

  GcnhNetwork net_;
};

}  // namespace

ModelType gcnh_model() {
  return describe_model<Gcnh>("gcnh",
                              "separate encoders for a node and its neighbours, weighed by a learned coefficient");
}

}  // namespace gcnh
