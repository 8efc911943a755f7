// GCNH carried on: the cases in which its options are worth nothing, or worth the same as others.
#include <gtest/gtest.h>

#include <cmath>

#include "gcnh/graph/adjacency.h"
#include "gcnh/train/make_stepper.h"
#include "tests/models/variants.h"
#include "tests/support/fixtures.h"

namespace gcnh::testing {
namespace {

constexpr double kAlike = 1e-10;

// Of 20 nodes, some of them isolated.
Dataset drawn(bool directed, int number) {
  return random_dataset({.nodes = 20, .directed = directed, .weights = number % 2 == 0}, 6, 3, Rng(81).fork(number));
}

std::unique_ptr<Model> gcnh_on(const Dataset& d, OptionValues options) {
  options.insert({{"hidden", "4"}, {"dropout", "0"}});
  return make_model("gcnh", d, options, Rng(82));
}

// Takes every parameter that the other model has by the same name and in the same shape.
void take_from(const Model& from, Model& to) {
  for (Param& p : to.params())
    for (const Param& q : from.params())
      if (p.name == q.name && p.value.same_shape(q.value)) p.value = q.value;
}

std::vector<std::string> names_of(const Model& model) {
  std::vector<std::string> out;
  for (const Param& p : model.params()) out.push_back(p.name);
  return out;
}

TEST(GcnhChannels, DefaultsAreThePapersNetwork) {
  const Dataset d = drawn(true, 0);
  const auto paper = gcnh_on(d, {{"layers", "2"}});
  const OptionValues defaults = {{"layers", "2"},  {"own", "true"},      {"hops", "1"},    {"adjacency_rows", "false"},
                                 {"norm", "none"}, {"messages", "relu"}, {"jump", "last"}, {"mixing", "weights"}};
  const auto same = gcnh_on(d, defaults);
  EXPECT_EQ(names_of(*paper),
            (std::vector<std::string>{"layers.0.self.weight", "layers.0.self.bias", "layers.0.neighbours.weight",
                                      "layers.0.neighbours.bias", "layers.0.theta", "layers.1.self.weight",
                                      "layers.1.self.bias", "layers.1.neighbours.weight", "layers.1.neighbours.bias",
                                      "layers.1.theta", "classifier.weight", "classifier.bias"}));
  EXPECT_EQ(names_of(*same), names_of(*paper));
  EXPECT_EQ(logits(*same, d), logits(*paper, d));
}

TEST(GcnhChannels, OneLayerHasNothingToJumpFrom) {
  const Dataset d = drawn(true, 1);
  const Matrix expected = logits(*gcnh_on(d, {{"mixing", "concat"}}), d);
  for (const char* jump : {"concat", "max"})
    EXPECT_EQ(logits(*gcnh_on(d, {{"mixing", "concat"}, {"jump", jump}}), d), expected) << jump;
}

// In- and out-neighbours are the same ones there: with one encoder for both they share the weight of the neighbours,
//   softmax(a, b, b) = (w, (1 - w) / 2, (1 - w) / 2),  w = sigmoid(a - b - log 2)
TEST(GcnhChannels, ApartOnAnUndirectedGraphIsBothWays) {
  for (const char* messages : {"relu", "linear"}) {
    for (const char* aggregation : {"sum", "mean", "max", "symmetric"}) {
      const OptionValues options = {{"messages", messages}, {"aggregation", aggregation}};
      const Dataset d = drawn(false, 2), separate = Variant{"gcnh", {}, true}.on(d);
      EXPECT_EQ(separate.adjacency.indices, d.adjacency.indices);
      const auto both = gcnh_on(d, options), apart = gcnh_on(separate, options);
      take_from(*both, *apart);
      for (const char* way : {"out", "in"})
        for (const char* part : {".weight", ".bias"})
          set(*apart, join("layers.0.", way, part), param(*both, join("layers.0.neighbours", part)).value);
      set(*apart, "layers.0.theta", matrix_of({{0.9}, {-0.4}, {-0.4}}));
      set(*both, "layers.0.theta", matrix_of({{0.9 + 0.4 - std::log(2.0)}}));
      EXPECT_TRUE(matrices_near(logits(*apart, separate), logits(*both, d), kAlike)) << messages << " " << aggregation;
      EXPECT_NEAR(apart->readings().at("beta").at(0), both->readings().at("beta").at(0), kAlike);
    }
  }
}

// What a direction alone hears is one of the channels.
TEST(GcnhChannels, ApartHasTheChannelsOfEitherDirection) {
  const Dataset separate = Variant{"gcnh", {}, true}.on(drawn(true, 3));
  for (const char* way : {"out", "in"}) {
    Dataset one = separate;
    one.adjacency = way == std::string("out") ? separate.pointing_to : transpose(separate.pointing_to);
    one.pointing_to = {};
    const OptionValues options = {{"mixing", "concat"}, {"own", "false"}, {"adjacency_rows", "true"}};
    const auto apart = gcnh_on(separate, options), alone = gcnh_on(one, options);
    Matrix& w = param(*apart, "classifier.weight").value;
    Matrix& of_one = param(*alone, "classifier.weight").value;
    const bool out = way == std::string("out");
    for (Index i = 0; i < 16; ++i)  // columns: out, in, rows of out, rows of in, four each
      for (Index k = 0; k < 3; ++k)
        (i / 4 % 2 == (out ? 0 : 1)) ? void(of_one(i / 8 * 4 + i % 4, k) = w(i, k)) : void(w(i, k) = 0);
    for (const char* part : {".weight", ".bias"}) {
      set(*alone, join("layers.0.neighbours", part), param(*apart, join("layers.0.", way, part)).value);
      set(*alone, join("layers.0.rows.neighbours", part), param(*apart, join("layers.0.rows.", way, part)).value);
    }
    set(*alone, "classifier.bias", param(*apart, "classifier.bias").value);
    EXPECT_TRUE(matrices_near(logits(*alone, one), logits(*apart, separate), kAlike)) << way;
  }
}

// Rows of the adjacency matrix are features of a graph whose features they are.
TEST(GcnhChannels, AdjacencyRowsAreFeatures) {
  const Dataset d = drawn(true, 4);
  Dataset by_rows = d;
  by_rows.features = sparse_features(d.adjacency);
  const auto rows = gcnh_on(d, {{"adjacency_rows", "true"}, {"mixing", "concat"}}),
             features = gcnh_on(by_rows, {{"beta", "1"}});
  for (Index i = 0; i < 8; ++i)
    for (Index k = 0; k < 3; ++k) param(*rows, "classifier.weight").value(i, k) = 0;
  for (Index i = 0; i < 4; ++i)
    for (Index k = 0; k < 3; ++k)
      param(*rows, "classifier.weight").value(8 + i, k) = param(*features, "classifier.weight").value(i, k);
  set(*rows, "classifier.bias", param(*features, "classifier.bias").value);
  for (const char* part : {".weight", ".bias"})
    set(*rows, join("layers.0.rows.neighbours", part), param(*features, join("layers.0.self", part)).value);
  EXPECT_TRUE(matrices_near(logits(*rows, d), logits(*features, by_rows), kAlike));
}

// Along a path 0 - 1 - 2 - 3 that is walked one way, two steps from node 0 lead to node 2.
TEST(GcnhChannels, TheSecondHopHearsWhatIsTwoStepsAway) {
  const Dataset d = make_test_dataset(make_csr(4, 4, {{0, 1, 1}, {1, 2, 1}, {2, 3, 1}}, Repeats::add),
                                      dense_features(matrix_of({{1}, {2}, {3}, {4}})), {0, 1, 0, 1}, 2);
  for (const char* messages : {"relu", "linear"}) {
    const auto model = make_model("gcnh", d,
                                  {{"hops", "3"},
                                   {"own", "false"},
                                   {"hidden", "1"},
                                   {"dropout", "0"},
                                   {"mixing", "concat"},
                                   {"messages", messages}});
    for (const char* channel : {"neighbours", "neighbours.2", "neighbours.3"}) {
      set(*model, join("layers.0.", channel, ".weight"), matrix_of({{1}}));
      set(*model, join("layers.0.", channel, ".bias"), matrix_of({{0}}));
    }
    set(*model, "classifier.weight", matrix_of({{1, 0}, {10, 0}, {100, 0}}));
    set(*model, "classifier.bias", matrix_of({{0, 0}}));
    const Matrix found = logits(*model, d);
    for (Index u = 0; u < 4; ++u) EXPECT_NEAR(found(u, 0), (std::vector<double>{432, 43, 4, 0})[u], kAlike) << messages;
  }
}

// A node that hears nobody has rows of zeros, which have no length: the classifier's bias is left.
TEST(GcnhChannels, UnitRowsOfNodesThatHearNobody) {
  const Dataset d = make_test_dataset(make_csr(3, 3, {{0, 1, 1}, {1, 0, 1}}, Repeats::add),
                                      dense_features(matrix_of({{1}, {2}, {3}})), {0, 1, 0}, 2);
  for (const char* messages : {"relu", "linear"}) {
    const auto model = gcnh_on(d, {{"own", "false"}, {"norm", "l2"}, {"messages", messages}, {"layers", "1"}});
    const Matrix found = logits(*model, d), &bias = param(*model, "classifier.bias").value;
    for (Index k = 0; k < 2; ++k) EXPECT_EQ(found(2, k), bias(0, k));
    EXPECT_TRUE(std::isfinite(loss_and_gradients(*model, d, {0, 1, 2})));
    for (const Param& p : model->params())
      for (Real g : p.grad.values()) EXPECT_TRUE(std::isfinite(g)) << p.name;
  }
}

TEST(GcnhChannels, OneEncoderForAllOfALayer) {
  const Dataset d = Variant{"gcnh", {}, true}.on(drawn(true, 5));
  const auto model = gcnh_on(d, {{"encoders", "shared"}, {"hops", "2"}, {"adjacency_rows", "true"}});
  EXPECT_EQ(names_of(*model),
            (std::vector<std::string>{"layers.0.self.weight", "layers.0.self.bias", "layers.0.rows.out.weight",
                                      "layers.0.rows.out.bias", "layers.0.rows.in.weight", "layers.0.rows.in.bias",
                                      "layers.0.theta", "classifier.weight", "classifier.bias"}));
  EXPECT_EQ(param(*model, "layers.0.theta").rows(), 7);
}

TEST(GcnhChannels, OptionsThatDoNotGoTogetherAreRefused) {
  const Dataset d = drawn(true, 6), separate = Variant{"gcnh", {}, true}.on(d);
  const auto refusal = [](const Dataset& on, const OptionValues& options) {
    try {
      gcnh_on(on, options);
    } catch (const Error& e) {
      EXPECT_EQ(e.status(), Status::usage);
      return std::string(e.what());
    }
    return std::string();
  };
  EXPECT_EQ(refusal(d, {{"beta", "0.3"}}), "");
  EXPECT_EQ(refusal(d, {{"beta", "0.3"}, {"own", "false"}, {"hops", "2"}}), "");
  EXPECT_NE(refusal(separate, {{"beta", "0.3"}}).find("beta: a number is for two channels"), std::string::npos);
  EXPECT_NE(refusal(d, {{"beta", "0.3"}, {"mixing", "concat"}}).find("side by side"), std::string::npos);
  EXPECT_NE(refusal(d, {{"beta", "0.3"}, {"own", "false"}}).find("not for 1"), std::string::npos);
  EXPECT_EQ(refusal(d, {{"jump", "max"}, {"mixing", "concat"}, {"layers", "3"}}), "");
  EXPECT_NE(refusal(d, {{"jump", "max"}, {"mixing", "concat"}, {"layers", "2"}, {"adjacency_rows", "true"}})
                .find("jump: max"),
            std::string::npos);
}

// From the second layer on, what a layer reads is added: with channels that give nothing, that is all there is.
TEST(GcnhChannels, ResidualsCarryWhatWasThereThrough) {
  const Dataset d = drawn(true, 8);
  for (const char* norm : {"none", "layer", "batch"}) {
    const auto deep = gcnh_on(d, {{"layers", "4"}, {"residual", "add"}, {"norm", norm}}),
               one = gcnh_on(d, {{"layers", "1"}, {"norm", norm}});
    take_from(*one, *deep);
    for (Param& p : deep->params())
      if (!p.name.starts_with("layers.0") && !p.name.starts_with("classifier")) p.value.fill(0);
    EXPECT_TRUE(matrices_near(logits(*deep, d), logits(*one, d), kAlike)) << norm;
  }
}

// What a training passes through its running moments is what an evaluation divides by, on this graph and on others.
TEST(GcnhChannels, RunningMomentsAreNotTrained) {
  const Dataset d = drawn(true, 9);
  const auto model = gcnh_on(d, {{"norm", "batch"}});
  const Matrix before = logits(*model, d);
  EXPECT_EQ(logits(*model, d), before) << "an evaluation moves nothing";
  TapeStepper stepper(*model, 0.01, 0.5);
  stepper.step(all_nodes(d), Rng(0));
  const Matrix mean = param(*model, "layers.0.self.norm.mean").value;
  EXPECT_GT(largest(mean), 0);
  Tape t;
  t.start_evaluation();
  Input x(d.features);
  const auto again = gcnh_on(d, {{"norm", "batch"}});  // as it was before the step
  const Linear self{&param(*again, "layers.0.self.weight"), &param(*again, "layers.0.self.bias")};
  const Var z = leaky_relu(t, self(t, x), 0.01);
  for (Index j = 0; j < 4; ++j) {
    double sum = 0;
    for (Index u = 0; u < d.num_nodes(); ++u) sum += z->value(u, j);
    EXPECT_NEAR(mean(0, j), 0.1 * sum / d.num_nodes(), kAlike) << "a tenth of the way, and no weight decay";
  }
}

TEST(GcnhChannels, EncodersMayHaveAWeightDecayOfTheirOwn) {
  const Dataset d = drawn(true, 10);
  const auto model = gcnh_on(d, {{"encoder_decay", "0.25"}, {"norm", "layer"}});
  for (const Param& p : model->params()) {
    const bool encoder = p.name.starts_with("layers.0.self.weight") || p.name.starts_with("layers.0.self.bias") ||
                         p.name.starts_with("layers.0.neighbours.weight") ||
                         p.name.starts_with("layers.0.neighbours.bias");
    EXPECT_EQ(p.weight_decay, encoder ? std::optional(0.25) : std::nullopt) << p.name;
  }
  for (const Param& p : gcnh_on(d, {})->params()) EXPECT_FALSE(p.weight_decay);
}

// What the exact explainer and the fused step know is the paper's network, whatever its aggregation.
TEST(GcnhChannels, FusedStepAndExactPartsStepBack) {
  for (const Variant& variant : model_variants(16)) {
    if (variant.model != "gcnh") continue;
    SCOPED_TRACE(variant.text());
    const Dataset d = variant.on(drawn(true, 7));
    const auto model = make_model("gcnh", d, variant.options);
    bool paper = !variant.apart;
    for (const char* name : {"own", "hops", "adjacency_rows", "messages", "norm", "mixing", "jump", "residual"})
      paper = paper && !variant.has(name);
    std::string obstacle;
    EXPECT_EQ(model->fast_stepper({0.01, 0, true}, obstacle) != nullptr, paper);
    EXPECT_EQ(obstacle.empty(), paper);
    EXPECT_EQ(model->own_explainer() != nullptr, paper);
  }
}

TEST(GcnhChannels, TheTypeSaysWhatItReads) {
  const ModelType& type = find_model_type("gcnh");
  EXPECT_TRUE(type.keeps_apart);
  EXPECT_EQ(type.bound_to_graph({}), "");
  EXPECT_NE(type.bound_to_graph({{"adjacency_rows", "true"}}), "");
  EXPECT_FALSE(type.reads_weights({{"aggregation", "max"}}));
  EXPECT_TRUE(type.reads_weights({{"aggregation", "max"}, {"adjacency_rows", "true"}}));
}

}  // namespace
}  // namespace gcnh::testing
