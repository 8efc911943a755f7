// GCNH: encode a node and its neighbours separately, then weigh the two with one learned coefficient per layer.
//   z = s(H Wself + bself),  m = s(H Wnbr + bnbr),  a_u = sum | mean | max over v in N(u) of m_v
//   with edge weights the sum and the mean are weighted, the maximum is not
//   H <- dropout(b z + (1 - b) a),  b = sigmoid(theta);   logits = H Wcl + bcl;   s = LeakyReLU(0.01), H0 = X
// Cavallo, Grohnfeldt, Russo, Lovisotto, Vassio, IJCNN 2023, arXiv:2304.10896.
//
// Carried on, with a channel c for whatever should be kept apart, and an encoder for each: the node itself, those that
// are k = 1 .. K hops away in each direction d that the view keeps apart, and rows of the adjacency matrix.
//   self: a = s(H W + b);   relu: a = P_d^k s(H W + b);   linear: a = s(P_d^k (H W + b));   rows: a = s(A_d W + b)
//   P = A, A divided by the sums of its rows, or D_out^-1/2 A D_in^-1/2;   or the maximum;   every a may be normalised
//   H <- dropout(sum over c of w_c a_c) + R, w = softmax(theta), or [a_1 | a_2 | ...] in place of the sum;
//   R = 0, H or a linear map of it;   logits = J Wcl + bcl,  J = the last H, all of them side by side, or their maximum
#include "gcnh/models/gcnh.h"

#include <algorithm>
#include <deque>
#include <numeric>

namespace gcnh {

Words words_of(GcnhNetwork::Aggregation) {
  return {{"sum"}, {"mean"}, {"max"}, {"symmetric", "sum divided by the roots of both degrees"}};
}
Words words_of(GcnhNetwork::Messages) {
  return {{"relu", "activated, then joined"}, {"linear", "joined, then activated"}};
}
Words words_of(GcnhNetwork::Mixing) { return {{"weights", "a mean with learned weights"}, {"concat", "side by side"}}; }

namespace {

enum class Encoders { separate, shared };
Words words_of(Encoders) { return {{"separate"}, {"shared"}}; }
enum class Beta { learned, pointwise };
Words words_of(Beta) { return {{"learned"}, {"pointwise", "one per hidden unit"}}; }
enum class EncoderDecay { same };
Words words_of(EncoderDecay) { return {{"same", "as everywhere"}}; }

using Aggregation = GcnhNetwork::Aggregation;
using Messages = GcnhNetwork::Messages;
using Mixing = GcnhNetwork::Mixing;

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
    bool own = true;
    int hops = 1;
    bool adjacency_rows = false;
    Messages messages = Messages::relu;
    Norm norm = Norm::none;
    Mixing mixing = Mixing::weights;
    Jump jump = Jump::last;
    Residual residual = Residual::none;
    NumberOr<double, EncoderDecay> encoder_decay = EncoderDecay::same;

    void visit(auto&& f) {
      f("layers", layers, "layers of the network", at_least(1));
      f("hidden", hidden, "width of a layer", at_least(1));
      f("aggregation", aggregation, "how neighbours are joined");
      f("max_floor", max_floor, "max aggregation never falls below 0, as in the published code");
      f("encoders", encoders, "weights for a node and its neighbours");
      f("beta", beta, "weight of the node itself", within(0, 1));
      f("dropout", dropout, "share of each layer's output dropped in training", share());
      f("own", own, "a channel for the node itself");
      f("hops", hops, "channels for neighbours up to so many steps away", at_least(1));
      f("adjacency_rows", adjacency_rows,
        "a channel for the node's row of the adjacency matrix, in the first layer; binds the model to its graph");
      f("messages", messages, "what a neighbour sends");
      f("norm", norm, "what becomes of each channel before they are mixed");
      f("mixing", mixing, "how channels are mixed");
      f("jump", jump, "layers whose output is classified");
      f("residual", residual, "what is added of what a layer reads");
      f("encoder_decay", encoder_decay, "weight decay of the encoders", at_least(0));
    }
    bool as_paper() const {
      return own && hops == 1 && !adjacency_rows && messages == Messages::relu && norm == Norm::none &&
             mixing == Mixing::weights && jump == Jump::last && residual == Residual::none;
    }
  };

  Gcnh(const Dataset& d, const Options& options, const Rng& rng) : Model(d, rng), options_(options) {
    net_ = {.hidden = options.hidden,
            .dropout = options.dropout,
            .shared = options.encoders == Encoders::shared,
            .as_paper = options.as_paper() && !d.keeps_apart(),
            .aggregation = options.aggregation,
            .messages = options.messages,
            .mixing = options.mixing};
    const std::vector<Direction> directions = directions_of(d);
    Index in = d.features.cols(), classified = 0;
    for (int l = 0; l < options.layers; ++l) {
      in = add_layer("layers." + std::to_string(l), in, directions);
      check_jump(classified, in);
      classified = options.jump == Jump::concat ? classified + in : in;
    }
    net_.classifier = add_linear("classifier", classified, d.num_classes(), classified);
  }

  Var forward(Tape& t, std::span<const Index> rows) override {
    Input h = input();
    std::vector<Var> outputs;  // of these rows
    for (const GcnhNetwork::Layer& layer : net_.layers) {
      const bool last = &layer == &net_.layers.back();
      const Var mixed = last ? mixed_at(t, layer, h, rows) : net_.run(t, layer, h).mixed;
      const Var out = t.layer(layer.shortcut(t, dropout(t, mixed, net_.dropout), h, last ? &rows : nullptr));
      if (last || options_.jump != Jump::last) outputs.push_back(last ? out : gather_rows(t, out, rows));
      h = out;
    }
    return net_.classifier(t, jump(t, options_.jump, outputs));
  }

  // Of every layer, the mean weight of the node itself.
  Readings readings() const override {
    if (!options_.own || options_.mixing == Mixing::concat) return {};
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
  // Whom a node receives from, one way or the other, and how what they send becomes one.
  struct Direction {
    std::string name;
    Propagator edges;
    Aggregator joined;
  };
  std::vector<Direction> directions_of(const Dataset& d) const {
    const auto direction = [&](const char* name, const Propagator& edges) -> Direction {
      return {name, edges, aggregator(edges)};
    };
    if (!d.keeps_apart()) return {direction("neighbours", Propagator::of(d.adjacency))};
    return {direction("out", Propagator::of(d.pointing_to)), direction("in", Propagator(transpose(d.pointing_to)))};
  }

  Aggregator aggregator(const Propagator& edges) const {
    const bool is_max = options_.aggregation == Aggregation::max;
    if (options_.aggregation == Aggregation::mean)
      return {Propagator(mean_rows(edges.forward(), dataset().weighted ? Real{0} : kMeanEpsilon))};
    if (options_.aggregation == Aggregation::symmetric)
      return {Propagator(symmetric_normalized(edges.forward(), dataset().whole_sums))};
    return {edges, is_max, is_max && options_.max_floor};
  }

  // Adds the channels and what mixes them; returns the width of the layer's output.
  Index add_layer(const std::string& name, Index in, const std::vector<Direction>& directions) {
    const bool first = net_.layers.empty();
    GcnhNetwork::Layer& layer = net_.layers.emplace_back();
    const auto add = [&](const std::string& channel, Channel c) {
      const bool again = net_.shared && !c.rows && !layer.channels.empty();
      c.encoder = again ? layer.channels[0].encoder : add_encoder(name + "." + channel, c.rows ? c.rows->cols() : in);
      c.norm = add_norm(name + "." + channel + ".norm", options_.norm, net_.hidden);
      layer.channels.push_back(std::move(c));
    };
    if (options_.own) add("self", {});
    for (const Direction& d : directions)
      for (int k = 1; k <= options_.hops; ++k)
        add(d.name + (k == 1 ? "" : "." + std::to_string(k)), {.along = d.joined, .hops = k});
    if (first && options_.adjacency_rows)
      for (const Direction& d : directions) add("rows." + d.name, {.rows = d.edges});
    const auto channels = static_cast<Index>(layer.channels.size());
    layer.mix = add_mix(name + ".theta", channels);
    const Index out = net_.mixing == Mixing::concat ? side_by_side(channels, net_.hidden) : net_.hidden;
    layer.shortcut = add_shortcut(name + ".residual", options_.residual, in, out);
    return out;
  }

  Linear add_encoder(const std::string& name, Index in) {
    const Linear out = add_linear(name, in, net_.hidden, in);
    out.weight->weight_decay = out.bias->weight_decay = options_.encoder_decay.number();
    return out;
  }

  Mix add_mix(const std::string& name, Index channels) {
    const bool mixes = channels > 1 && options_.mixing == Mixing::weights;
    if (const auto fixed = options_.beta.number()) {
      if (!mixes || channels > 2)
        fail(Status::usage, "beta: a number is for two channels that are mixed by weights, not for ", channels,
             mixes ? "" : " side by side", "; take learned or pointwise");
      return {nullptr, static_cast<Real>(*fixed)};
    }
    if (!mixes) return {};
    return {add_param(name, channels == 2 ? 1 : channels, options_.beta == Beta::pointwise ? net_.hidden : 1, 0)};
  }

  void check_jump(Index before, Index width) const {
    if (options_.jump == Jump::max && before > 0 && before != width)
      fail(Status::usage, "jump: max takes layers of one width, and adjacency rows side by side make the first one ",
           before, " wide, the others ", width, "; take concat or last");
  }

  // What a layer says of some nodes. Columns are normalised over all, and the paper's network keeps to its bits.
  Var mixed_at(Tape& t, const GcnhNetwork::Layer& layer, const Input& h, std::span<const Index> nodes) {
    if (net_.as_paper || options_.norm == Norm::batch) return gather_rows(t, net_.run(t, layer, h).mixed, nodes);
    return net_.run(t, heard_by(layer, nodes), h).mixed;
  }

  // The last layer for some nodes; those of a training and of its validation are asked for in turn.
  const GcnhNetwork::Layer& heard_by(const GcnhNetwork::Layer& layer, std::span<const Index> nodes) {
    for (const GcnhNetwork::Layer& known : heard_)
      if (std::equal(known.nodes->begin(), known.nodes->end(), nodes.begin(), nodes.end())) return known;
    GcnhNetwork::Layer out{{}, layer.mix, {}, std::vector<Index>(nodes.begin(), nodes.end())};
    for (const Channel& c : layer.channels) out.channels.push_back(c.heard_by(nodes));
    if (heard_.size() == 2) heard_.pop_front();
    return heard_.emplace_back(std::move(out));
  }

  Options options_;
  GcnhNetwork net_;
  std::deque<GcnhNetwork::Layer> heard_;
};

}  // namespace

GcnhNetwork::Values GcnhNetwork::run(Tape& t, const Layer& layer, const Input& h) const {
  Values out;
  for (const Channel& c : layer.channels) {
    const bool again = !out.encoded.empty() && c.encoder.weight == layer.channels[0].encoder.weight;
    const bool late = messages == Messages::linear && (c.hops > 0 || shared);  // activated after it has travelled
    Var m = again ? out.encoded[0] : c.encode(t, h, late ? 1 : kSlope);
    out.encoded.push_back(m);
    m = c.carry(t, m);
    if (!c.along && !c.rows && layer.nodes) m = gather_rows(t, m, *layer.nodes);
    if (late) m = leaky_relu(t, m, kSlope);
    out.arrived.push_back(c.norm(t, m));
  }
  out.mixed = mixing == Mixing::concat ? concat(t, out.arrived) : layer.mix(t, out.arrived);
  return out;
}

ModelType gcnh_model() {
  const auto options_of = [](const OptionValues& values) {
    Gcnh::Options out;
    assign(out, values);
    return out;
  };
  ModelType type =
      describe_model<Gcnh>("gcnh", "separate encoders for a node and its neighbours, weighed by a learned coefficient");
  // The largest of some values is the same one whatever their weights.
  type.reads_weights = [options_of](const OptionValues& values) {
    const Gcnh::Options options = options_of(values);
    return options.aggregation != Aggregation::max || options.adjacency_rows;
  };
  type.bound_to_graph = [options_of](const OptionValues& values) {
    return options_of(values).adjacency_rows ? "its first layer has weights for every node of that graph: train on "
                                               "this graph, or without adjacency_rows"
                                             : "";
  };
  type.needs_whole = [options_of](const OptionValues& values) {
    if (options_of(values).adjacency_rows) return std::string(" with adjacency_rows; train without them");
    return trimmings_that_need_whole(values);
  };
  type.keeps_apart = true;
  type.readings = {{"beta", "weight that a node gives itself, per layer", 0, 1}};
  return type;
}

}  // namespace gcnh
