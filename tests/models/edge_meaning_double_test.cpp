// What models make of edge weights and of the direction of edges.
#include <gtest/gtest.h>

#include "gcnh/graph/adjacency.h"
#include "tests/models/variants.h"
#include "tests/support/fixtures.h"

namespace gcnh::testing {
namespace {

Tables graph_of(std::vector<Edge> edges, std::vector<Real> weights, Index nodes, std::uint64_t seed) {
  Tables t;
  t.name = "drawn";
  t.edges = std::move(edges);
  t.edge_weights = std::move(weights);
  t.features = random_matrix(nodes, 4, Rng(seed));
  for (Index u = 0; u < nodes; ++u) t.labels.push_back(u % 3);
  t.classes = {"a", "b", "c"};
  return t;
}

// Whole weights from 1 to 3, and the same graph with each edge written as often.
struct Twins {
  explicit Twins(int number) {
    const Rng rng = Rng(71).fork(number);
    const Index nodes = 6 + number % 10;
    std::vector<Edge> edges, repeated;
    std::vector<Real> weights;
    for (int e = 0; e < 3 * nodes; ++e) {
      const auto end = [&](int which) { return static_cast<Index>(rng.fork(which).below(nodes, e)); };
      edges.push_back({end(0), end(1)});
      weights.push_back(static_cast<Real>(1 + rng.fork(2).below(3, e)));
      repeated.insert(repeated.end(), static_cast<std::size_t>(weights.back()), edges.back());
    }
    given = graph_of(edges, weights, nodes, rng.below(1000, 0));
    written = graph_of(repeated, {}, nodes, rng.below(1000, 0));
  }
  Tables given, written;
};

Matrix answers(const Variant& variant, const Dataset& d) {
  return logits(*make_model(variant.model, d, variant.options, Rng(5)), d);
}

const ModelType& type_of(const Variant& variant) { return find_model_type(variant.model); }

Dataset dataset_for(const Variant& variant, const Tables& tables, View view = {}) {
  if (variant.apart) view.direction = View::Direction::separate;
  OptionValues options;
  for (const OptionInfo& info : type_of(variant).options) options[info.name] = info.value;
  for (const auto& [name, value] : variant.options) options[name] = value;
  return make_dataset_for(type_of(variant), options, tables, view);
}

bool weighs(const Variant& variant) {
  return type_of(variant).sees_graph && type_of(variant).reads_weights(variant.options);
}

TEST(EdgeWeights, WholeOnesAreRepeatedEdges) {
  for (const Variant& variant :
       {Variant{"gcnh", {{"hidden", "5"}}}, Variant{"gcnh", {{"aggregation", "mean"}, {"layers", "2"}}},
        Variant{"gcnh", {{"encoders", "shared"}, {"layers", "3"}}}, Variant{"gcn", {}},
        Variant{"gcn", {{"layers", "3"}}}}) {
    const bool mean = variant.options.contains("aggregation");  // has an epsilon where repeats are counted
    for (int number = 0; number < 30; ++number) {
      SCOPED_TRACE(variant.text() + ", graph " + std::to_string(number));
      const Twins twins(number);
      for (auto direction : {View::Direction::both, View::Direction::out, View::Direction::in}) {
        const View counted{.direction = direction, .duplicates = View::Duplicates::count};
        EXPECT_TRUE(matrices_near(answers(variant, dataset_for(variant, twins.given, {.direction = direction})),
                                  answers(variant, dataset_for(variant, twins.written, counted)), mean ? 1e-5 : 1e-12));
      }
    }
  }
}

// P of the equation as a dense matrix, one step.
TEST(EdgeWeights, GprgnnSpreadsThem) {
  const Variant variant{"gprgnn", {{"steps", "1"}}};
  for (int number = 0; number < 20; ++number) {
    const Twins twins(number);
    const Dataset d = dataset_for(variant, twins.given, {.direction = View::Direction::in});
    Matrix b(d.num_nodes(), d.num_nodes());  // row v: whom v receives from
    for (std::size_t i = 0; i < twins.given.edges.size(); ++i) {
      const auto [u, v] = twins.given.edges[i];
      if (u != v) b(v, u) += twins.given.edge_weights[i];
    }
    std::vector<double> sum(d.num_nodes(), 0);
    for (Index v = 0; v < b.rows(); ++v) {
      b(v, v) = 1;
      for (Index u = 0; u < b.cols(); ++u) sum[v] += b(v, u);
    }
    for (Index v = 0; v < b.rows(); ++v)
      for (Index u = 0; u < b.cols(); ++u) b(v, u) /= std::sqrt(sum[u] * sum[v]);
    const auto model = make_model("gprgnn", d, variant.options, Rng(5));
    set(*model, "gamma", matrix_of({{1, 0}}));
    const Matrix z = logits(*model, d);
    set(*model, "gamma", matrix_of({{0, 1}}));
    Matrix expected(z.rows(), z.cols());
    kernels::gemm(b, z, expected);
    EXPECT_TRUE(matrices_near(logits(*model, d), expected, 1e-12));
  }
}

TEST(EdgeWeights, MatterWhereTheTypeSaysSo) {
  for (const Variant& variant : model_variants(4)) {
    SCOPED_TRACE(variant.text());
    Tables t = Twins(3).given;
    t.edge_weights.assign(t.edges.size(), 1);
    const Matrix ones = answers(variant, dataset_for(variant, t));
    t.edge_weights = Twins(3).given.edge_weights;
    const Matrix given = answers(variant, dataset_for(variant, t));
    EXPECT_EQ(!matrices_equal(given, ones), weighs(variant));
  }
}

// Each edge written once, without loops: weights of 1 are the graph without weights, whatever the model does with them.
TEST(EdgeWeights, OfOneChangeNothing) {
  for (const Variant& variant : model_variants(4)) {
    SCOPED_TRACE(variant.text());
    const std::vector<Edge> ring = {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 0}, {0, 2}};
    const Matrix without = answers(variant, dataset_for(variant, graph_of(ring, {}, 5, 8)));
    const Matrix with = answers(variant, dataset_for(variant, graph_of(ring, std::vector<Real>(6, 1), 5, 8)));
    EXPECT_TRUE(matrices_near(with, without, 1e-5));  // the epsilon of means
  }
}

TEST(EdgeWeights, MeansAndShareOfARingDoNotDependOnTheirUnit) {
  for (const Variant& variant :
       {Variant{"gcnh", {{"aggregation", "mean"}, {"layers", "2"}}}, Variant{"h2gcn", {{"hidden", "4"}}}}) {
    Tables t = Twins(4).given;
    const Matrix small = answers(variant, dataset_for(variant, t));
    for (Real& weight : t.edge_weights) weight *= Real(1e-9);
    EXPECT_TRUE(matrices_near(answers(variant, dataset_for(variant, t)), small, 1e-9)) << variant.text();
  }
}

// 0 -> 1. Whether the answer at one end changes with the features of the other.
struct Hears {
  bool first, second;
};

Hears hears(const Variant& variant, View::Direction direction) {
  const auto changed_by = [&](Index other) {
    Tables t = graph_of({{0, 1}}, {}, 2, 9);
    const Matrix before = answers(variant, dataset_for(variant, t, {.direction = direction}));
    for (Index j = 0; j < 4; ++j) t.features.dense()(other, j) += j + 1;
    const Matrix after = answers(variant, dataset_for(variant, t, {.direction = direction}));
    const Index node = 1 - other;
    return !matrices_equal(matrix_of({{before(node, 0), before(node, 1), before(node, 2)}}),
                           matrix_of({{after(node, 0), after(node, 1), after(node, 2)}}));
  };
  return {changed_by(1), changed_by(0)};
}

TEST(EdgeDirection, OutHearsThoseItPointsToAndInTheOthers) {
  for (const Variant& variant : model_variants(4)) {
    SCOPED_TRACE(variant.text());
    if (variant.apart) continue;  // hears either end, whatever the view
    const bool sees = type_of(variant).sees_graph, reads = sees && type_of(variant).reads_direction;
    const Hears both = hears(variant, View::Direction::both), out = hears(variant, View::Direction::out),
                in = hears(variant, View::Direction::in);
    EXPECT_EQ(both.first, sees);
    EXPECT_EQ(both.second, sees);
    EXPECT_EQ(out.first, sees);
    EXPECT_EQ(out.second, sees && !reads);
    EXPECT_EQ(in.first, sees && !reads);
    EXPECT_EQ(in.second, sees);
  }
}

TEST(EdgeDirection, OldWordsAreRead) {
  const auto direction = [](const char* model, const char* word) {
    return view_from(find_model_type(model), {{"direction", word}}).direction;
  };
  EXPECT_EQ(direction("gcn", "undirected"), View::Direction::both);
  EXPECT_EQ(direction("gcn", "directed"), View::Direction::out);
  EXPECT_EQ(direction("gprgnn", "directed"), View::Direction::in);
  EXPECT_EQ(direction("gprgnn", "out"), View::Direction::out);
  EXPECT_THROW(direction("gcn", "direct"), Error);
  // What 0.1.0 called directed: the rows as they were written, for every model.
  const Tables t = Twins(5).written;
  for (const ModelType& type : model_types()) {
    const Dataset d = dataset_for({type.name, {}}, t, view_from(type, {{"direction", "directed"}}));
    Csr written = adjacency_matrix(t.num_nodes(), t.edges);
    written.values = {};
    drop_loops(written);
    EXPECT_EQ(d.adjacency.indices, written.indices) << type.name;
  }
}

}  // namespace
}  // namespace gcnh::testing
