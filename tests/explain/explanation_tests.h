// Explanations add up to the logit: on a few hundred nodes of random models, or on as many as GCNH_TEST_EXPLANATIONS
// says (./test slow: 10,000 of 50 models); and the parts of GCNH are those that gradients on a tape give.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <map>

#include "gcnh/explain/explain.h"
#include "tests/models/variants.h"
#include "tests/support/fixtures.h"

namespace gcnh::testing {
namespace {

constexpr double kAddsUp = sizeof(Real) == 8 ? 1e-9 : 1e-5;  // beside what is added up

// Graphs in turn directed, weighted, with loops and with dense features; always with a hub and isolated nodes.
Dataset explained_dataset(int number, const Rng& rng) {
  const GraphShape shape{.nodes = 30 + 10 * (number % 4),
                         .edges_per_node = 1.0 + number % 4,
                         .directed = number % 4 == 3,
                         .weights = number % 2 == 0,
                         .loops = number % 3 != 0};
  Dataset d = random_dataset(shape, 12, 2 + number % 4, rng, number % 5 != 0);
  d.weighted = number % 8 == 0;
  return d;
}

template <class T>
const T& one_of(const std::vector<T>& all, const Rng& rng, std::uint64_t tag) {
  return all[rng.fork(tag).below(all.size(), 0)];
}

// Any options of GCNH; the number of layers and the aggregation go round.
Variant random_gcnh(int number, const Rng& rng) {
  const std::vector<std::string> aggregations = {"sum", "mean", "max"};
  return {"gcnh",
          {{"layers", std::to_string(1 + number % 4)},
           {"aggregation", aggregations[number / 4 % 3]},
           {"max_floor", one_of<std::string>({"true", "false"}, rng, 1)},
           {"encoders", one_of<std::string>({"separate", "shared"}, rng, 2)},
           {"beta", one_of<std::string>({"learned", "pointwise", "0", "0.3", "1"}, rng, 3)},
           {"hidden", one_of<std::string>({"1", "5", "16"}, rng, 4)}}};
}

// Weights far from the defaults' special values: theta is 0 there.
void draw_parameters(Model& model, const Rng& rng) {
  std::uint64_t i = 0;
  for (Param& p : model.params()) p.value = random_matrix(p.rows(), p.cols(), rng.fork(i++));
}

std::vector<int> all_classes(const Dataset& d) {
  std::vector<int> out(d.num_classes());
  std::iota(out.begin(), out.end(), 0);
  return out;
}

// The sizes of all that is added up to the logit.
double scale_of(const Explanation& e, std::size_t k) {
  const auto column = static_cast<Index>(k);
  double out = std::abs(e.bias[k]) + std::abs(e.logits[k]);
  for (Index s = 0; s < e.constants.rows(); ++s) out += std::abs(static_cast<double>(e.constants(s, column)));
  for (Index f = 0; f < e.parts.rows(); ++f) out += std::abs(static_cast<double>(e.parts(f, column)));
  return out;
}

void expect_adds_up(const Explanation& e) {
  for (std::size_t k = 0; k < e.classes.size(); ++k)
    ASSERT_LE(std::abs(e.remainder(k)), kAddsUp * scale_of(e, k)) << "node " << e.node << " class " << e.classes[k];
}

int num_explanations() {
  const char* wanted = std::getenv("GCNH_TEST_EXPLANATIONS");
  return wanted ? std::stoi(wanted) : 480;
}

TEST(Explanations, OfGcnhAddUpToTheLogit) {
  const int models = num_explanations() < 10000 ? 24 : 50;
  for (int number = 0; number < models; ++number) {
    const Rng rng = Rng(61).fork(number);
    const Dataset d = explained_dataset(number, rng.fork(0));
    const Variant variant = random_gcnh(number, rng.fork(1));
    SCOPED_TRACE(variant.text() + ", graph " + std::to_string(number));
    const auto model = make_model("gcnh", d, variant.options);
    draw_parameters(*model, rng.fork(2));
    const auto explainer = make_explainer(*model);
    EXPECT_TRUE(explainer->is_exact());
    const Matrix expected = logits(*model, d);
    for (int i = 0; i < num_explanations() / models; ++i) {
      const Index node = static_cast<Index>(rng.fork(3).below(d.num_nodes(), i));
      const Explanation e = explainer->explain(node, all_classes(d));
      EXPECT_EQ(e.sources[0].node, node);
      for (Index k = 0; k < d.num_classes(); ++k)
        ASSERT_EQ(e.logits[k], static_cast<double>(expected(node, k))) << "the model's own answer";
      expect_adds_up(e);
    }
  }
}

// By node and feature, the parts of the k-th class.
std::map<std::pair<Index, Index>, double> parts_by_name(const Explanation& e, Index k) {
  std::map<std::pair<Index, Index>, double> out;
  for (const Explanation::Source& s : e.sources)
    for (std::size_t f = s.begin; f < s.end; ++f) {
      const auto part = static_cast<double>(e.parts(static_cast<Index>(f), k));
      if (part != 0) out[{s.node, e.features[f].feature}] = part;
    }
  return out;
}

TEST(Explanations, OfGcnhAreThoseOfGradients) {
  for (int number = 0; number < 24; ++number) {
    const Rng rng = Rng(62).fork(number);
    const Dataset d = explained_dataset(number, rng.fork(0));
    const Variant variant = random_gcnh(number, rng.fork(1));
    SCOPED_TRACE(variant.text());
    const auto model = make_model("gcnh", d, variant.options);
    draw_parameters(*model, rng.fork(2));
    const auto own = make_explainer(*model), plain = gradient_explainer(*model);
    for (Index node = 0; node < d.num_nodes(); node += 7) {
      const Explanation a = own->explain(node, all_classes(d)), b = plain->explain(node, all_classes(d));
      expect_adds_up(b);
      for (Index k = 0; k < d.num_classes(); ++k) {
        const auto found = parts_by_name(a, k), expected = parts_by_name(b, k);
        for (const auto& [name, part] : expected)
          ASSERT_NEAR(found.contains(name) ? found.at(name) : 0, part, kAddsUp * scale_of(b, k));
        double bias = a.bias[k];
        for (Index s = 0; s < a.constants.rows(); ++s) bias += static_cast<double>(a.constants(s, k));
        ASSERT_NEAR(bias, b.bias[k], kAddsUp * scale_of(b, k)) << "what nodes bring and what they do not";
      }
      for (const Explanation::Source& s : b.sources) {
        const auto same =
            std::find_if(a.sources.begin(), a.sources.end(), [&](const auto& o) { return o.node == s.node; });
        ASSERT_TRUE(same != a.sources.end() && same->hops == s.hops) << "node " << s.node << ", so many steps away";
      }
    }
  }
}

// Networks that are linear between kinks: ReLU and fixed propagation.
TEST(Explanations, LeaveNothingOpenWhereTheModelIsPiecewiseLinear) {
  for (const Variant& variant : model_variants()) {
    const Dataset d = variant.on(explained_dataset(1, Rng(63)));
    const bool linear = !variant.has("norm") && !variant.numbers_nodes() &&
                        (variant.model == "gcnh" || variant.model == "gcn" || variant.model == "h2gcn" ||
                         variant.model == "gprgnn" || variant.model == "geomgcn" || variant.model == "logreg");
    if (!linear) continue;
    SCOPED_TRACE(variant.text());
    const auto model = make_model(variant.model, d, variant.options);
    const auto explainer = make_explainer(*model);
    for (Index node = 0; node < d.num_nodes(); node += 9) expect_adds_up(explainer->explain(node, all_classes(d)));
  }
}

TEST(Explanations, OfEveryModelLeaveTheModelAsItWas) {
  for (const Variant& variant : model_variants()) {
    const Dataset d = variant.on(explained_dataset(2, Rng(64)));
    SCOPED_TRACE(variant.text());
    const auto model = make_model(variant.model, d, variant.options);
    const Matrix before = logits(*model, d);
    const auto explainer = make_explainer(*model);
    const Explanation first = explainer->explain(3, all_classes(d)), second = explainer->explain(3, all_classes(d));
    EXPECT_EQ(first.parts, second.parts) << "gradients of one explanation do not reach the next";
    EXPECT_EQ(first.logits, explainer->logits(3));
    for (Index k = 0; k < d.num_classes(); ++k) {
      EXPECT_EQ(first.logits[k], static_cast<double>(before(3, k)));
      EXPECT_TRUE(std::isfinite(first.remainder(k)));
    }
    EXPECT_EQ(logits(*model, d), before);
    for (const Param& p : model->params())
      for (Real g : p.grad.values()) ASSERT_EQ(g, 0) << p.name;
  }
}

TEST(Explanations, OfIsolatedNodesNodesWithoutFeaturesAndHubs) {
  // Node 0 hears 40 others, node 41 nobody; odd nodes have no features.
  std::vector<Triple> edges, entries;
  for (Index v = 1; v <= 40; ++v) {
    edges.insert(edges.end(), {{0, v, 1}, {v, 0, 1}});
    if (v % 2 == 0) entries.push_back({v, v % 3, 1});
  }
  const Dataset d =
      make_test_dataset(make_csr(42, 42, edges, Repeats::add), sparse_features(make_csr(42, 3, entries, Repeats::add)),
                        std::vector<int>(42, 0), 2);
  for (const char* aggregation : {"sum", "mean", "max"}) {
    const auto model = make_model("gcnh", d, {{"aggregation", aggregation}, {"layers", "2"}});
    const auto explainer = make_explainer(*model);
    const Explanation hub = explainer->explain(0, all_classes(d)), leaf = explainer->explain(1, all_classes(d)),
                      alone = explainer->explain(41, all_classes(d));
    for (const Explanation* e : {&hub, &leaf, &alone}) expect_adds_up(*e);
    EXPECT_EQ(hub.sources.size(), 41u);
    EXPECT_EQ(hub.sources.back().hops, 1);
    EXPECT_EQ(leaf.sources.size(), 41u);
    EXPECT_EQ(leaf.sources.back().hops, 2);
    ASSERT_EQ(alone.sources.size(), 1u);
    EXPECT_TRUE(alone.features.empty());
  }
}

// Two networks that read their features in different order, and one of them a feature less.
TEST(MeanExplanations, AddUpToTheMeanLogit) {
  Dataset d = explained_dataset(1, Rng(66)), other = d;
  std::vector<std::string> names;
  for (Index j = 0; j < d.features.cols(); ++j) names.push_back("f" + std::to_string(j));
  std::vector<Triple> turned;
  const Csr& x = d.features.sparse();
  for (Index u = 0; u < x.rows; ++u)
    for (Offset e = x.offsets[u]; e < x.offsets[u + 1]; ++e)
      if (x.indices[e] > 0) turned.push_back({u, x.cols - 1 - x.indices[e], x.value(e)});
  other.features = sparse_features(make_csr(x.rows, x.cols - 1, turned, Repeats::add));
  const std::vector<std::string> fewer(names.rbegin(), names.rend() - 1);
  const auto a = make_model("gcnh", d, {{"hidden", "5"}}), b = make_model("gcnh", other, {{"hidden", "7"}});
  std::vector<NamedExplainer> members;
  members.push_back({make_explainer(*a), names});
  members.push_back({make_explainer(*b), fewer});
  MeanExplainer mean(std::move(members));
  EXPECT_EQ(mean.feature_names(), names);
  EXPECT_TRUE(mean.is_exact());
  const auto first = make_explainer(*a), second = make_explainer(*b);
  for (Index node = 0; node < d.num_nodes(); node += 3) {
    const Explanation e = mean.explain(node, all_classes(d));
    expect_adds_up(e);
    EXPECT_EQ(e.sources[0].node, node);
    const Explanation one = first->explain(node, all_classes(d)), two = second->explain(node, all_classes(d));
    const auto of_one = parts_by_name(one, 0), of_two = parts_by_name(two, 0);
    const auto part = [](const auto& parts, Index u, Index j) {
      const auto found = parts.find(std::pair(u, j));
      return found == parts.end() ? 0 : found->second;
    };
    for (const auto& [name, found] : parts_by_name(e, 0)) {
      const auto [u, j] = name;
      ASSERT_NEAR(found, (part(of_one, u, j) + part(of_two, u, x.cols - 1 - j)) / 2, kAddsUp);
    }
    for (std::size_t k = 0; k < e.logits.size(); ++k)
      EXPECT_NEAR(e.logits[k], (one.logits[k] + two.logits[k]) / 2, kAddsUp * (1 + std::abs(e.logits[k])));
    EXPECT_EQ(mean.logits(node), e.logits);
    const NeighbourSum sum = *mean.neighbour_sum(node);
    double logit = sum.base[0];
    for (std::size_t v = 0; v < sum.messages.size(); ++v) logit += sum.weights[v] * sum.messages[v][0];
    EXPECT_NEAR(logit, e.logits[0], kAddsUp * scale_of(e, 0));
  }
}

// Outputs of the hidden layers: GCNH's classifier applied to the last one gives the logits.
TEST(LayerOutputs, EndWithTheLogits) {
  for (const Variant& variant : model_variants()) {
    const Dataset d = variant.on(explained_dataset(3, Rng(65)));
    SCOPED_TRACE(variant.text());
    const auto model = make_model(variant.model, d, variant.options);
    const std::vector<Matrix> layers = layer_outputs(*model);
    EXPECT_EQ(layers.back(), logits(*model, d));
    for (const Matrix& layer : layers) EXPECT_EQ(layer.rows(), d.num_nodes());
    if (variant.model != "gcnh" || variant.has("jump")) continue;
    ASSERT_EQ(layers.size(), variant.options.contains("layers") ? std::stoul(variant.options.at("layers")) + 1 : 2);
    const Matrix &h = layers[layers.size() - 2], &w = param(*model, "classifier.weight").value;
    for (Index u = 0; u < d.num_nodes(); ++u) {
      double sum = static_cast<double>(param(*model, "classifier.bias").value(0, 0));
      for (Index i = 0; i < h.cols(); ++i) sum += static_cast<double>(h(u, i)) * static_cast<double>(w(i, 0));
      ASSERT_NEAR(sum, static_cast<double>(layers.back()(u, 0)), 1e-5 * (1 + std::abs(sum)));
    }
  }
}

}  // namespace
}  // namespace gcnh::testing
