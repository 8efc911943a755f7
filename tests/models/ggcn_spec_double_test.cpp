// GGCN on the small fixtures, against numbers that PyTorch printed (to 1e-6), and its parameters.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/fixtures.h"

namespace gcnh::testing {
namespace {

// Two matrices side by side.
Matrix beside(const Matrix& left, const Matrix& right) {
  Matrix m(left.rows(), left.cols() + right.cols());
  for (Index i = 0; i < m.rows(); ++i)
    for (Index j = 0; j < m.cols(); ++j) m(i, j) = j < left.cols() ? left(i, j) : right(i, j - left.cols());
  return m;
}

std::unique_ptr<Model> spec_ggcn(const Dataset& d, OptionValues options) {
  options.insert({{"hidden", "2"}, {"dropout", "0"}});
  auto model = make_model("ggcn", d, options);
  set(*model, "layers.0.weight", beside(pat(3, 2, 0), pat(3, 2, 2)));
  set(*model, "layers.0.bias", beside(pat(1, 2, 1), pat(1, 2, 3)));
  if (options["layers"] == "3") set_linear(*model, "layers.1", 3, 0);
  set_linear(*model, options["layers"] == "3" ? "layers.2" : "layers.1", 1, 4);
  return model;
}

// Layer 0 alone: its weights without the factors k and softplus(s), and its output. The ratios are those of the
// equation, m_u sqrt(d_v / d_u) - 1.
struct FirstLayer {
  FirstLayer(const Csr& adjacency, const std::vector<Real>& own, const std::vector<Real>& degree)
      : edges(clear(adjacency)) {
    for (Index u = 0; u < 3; ++u)
      for (Index v : edges.forward().row(u)) ratios.push_back(own[u] * std::sqrt(degree[v] / degree[u]) - 1);
    tape.start_evaluation();
    p = add_bias(tape, Input(features).times(tape, &w), &b);
    cosines = edge_cosines(tape, edges, p);
  }
  static Csr clear(const Csr& adjacency) {
    Csr s = symmetric_normalized_with_loops(adjacency);
    for (Index u = 0; u < 3; ++u)
      for (Offset e = s.offsets[u]; e < s.offsets[u + 1]; ++e)
        if (s.indices[e] == u) s.values[e] = 0;
    return s;
  }
  Var weights(double k0, double k1, double k2, double scale) {
    kappa.value = matrix_of({{k0, k1, k2}});
    s.value = matrix_of({{scale}});
    return signed_weights(tape, edges, ratios, cosines, &a, &kappa, &s);
  }
  Matrix dense(Var edge_values) const {
    Csr m = edges.forward();
    m.values.assign(edge_values->value.values().begin(), edge_values->value.values().end());
    return to_dense(m);
  }

  Tape tape;
  const Features features = x3n();
  Propagator edges;
  std::vector<Real> ratios;
  Node w{pat(3, 2, 2), {}}, b{pat(1, 2, 3), {}}, a{matrix_of({{0.5, 0}}), {}}, kappa, s;
  Var p, cosines;
};

// t itself: k = (1, 1, 0) up to a factor of 2, which softplus(s) = 2 takes away.
Matrix signed_part(FirstLayer& layer) { return layer.dense(layer.weights(0, 0, -800, std::log(std::exp(2.0) - 1))); }

TEST(SpecGgcn, FirstLayerUndirected) {
  FirstLayer layer(g3(), {1, 1, 1}, {2, 3, 2});
  EXPECT_TRUE(matrices_near(layer.p->value, matrix_of({{.25, .75}, {.375, .25}, {.5, .375}}), kPrinted));
  const Matrix cosines = layer.dense(layer.cosines);
  EXPECT_NEAR(cosines(0, 1), .789352, kPrinted);
  EXPECT_NEAR(cosines(1, 2), .99846, kPrinted);
  EXPECT_NEAR(layer.ratios[1], .224745, kPrinted);
  EXPECT_NEAR(layer.ratios[2], -.183503, kPrinted);
  EXPECT_NEAR(signed_part(layer)(0, 1) / (cosines(0, 1) * .408248), .750911, 1e-5);
  EXPECT_NEAR(signed_part(layer)(1, 0) / (cosines(1, 0) * .408248), .648323, 1e-5);
  EXPECT_TRUE(matrices_near(signed_part(layer), matrix_of({{0, .241982, 0}, {.208923, 0, .264269}, {0, .306086, 0}}),
                            kPrinted));
  EXPECT_TRUE(matrices_near(edge_spmm(layer.tape, layer.edges, layer.weights(0, 0, 0, 2), layer.p)->value,
                            matrix_of({{.241579, .574622}, {.396577, .358595}, {.435866, .320118}}), kPrinted));
}

TEST(SpecGgcn, FirstLayerDirected) {
  FirstLayer layer(d3(), {1, 1, 2}, {2, 2, 2});
  ASSERT_EQ(layer.edges.num_entries(), 5);
  EXPECT_TRUE(matrices_near(signed_part(layer), matrix_of({{0, .273569, 0}, {0, 0, .34604}, {0, 0, 0}}), kPrinted));
  EXPECT_TRUE(matrices_near(edge_spmm(layer.tape, layer.edges, layer.weights(0, 0, 0, 2), layer.p)->value,
                            matrix_of({{.249977, .58022}, {.388533, .269244}, {.354488, .265866}}), kPrinted));
}

TEST(SpecGgcn, TwoLayersUndirected) {
  const Dataset d = fixture(g3(), x3n());
  const auto model = spec_ggcn(d, {});
  EXPECT_TRUE(matrices_near(log_probabilities(*model, d),
                            matrix_of({{-.348505, -1.223299}, {-.328584, -1.27276}, {-.363308, -1.188664}}), kPrinted));
  EXPECT_NEAR(loss_and_gradients(*model, d, {0, 1, 2}), .661525, kPrinted);
  EXPECT_TRUE(matrices_near(param(*model, "layers.0.degree").grad, matrix_of({{.001396, -.005445}}), kPrinted));
  EXPECT_TRUE(
      matrices_near(param(*model, "layers.0.kappa").grad, matrix_of({{-.002468, .004871, -.002403}}), kPrinted));
  EXPECT_TRUE(matrices_near(param(*model, "layers.0.scale").grad, matrix_of({{-.006051}}), kPrinted));
  const Matrix expected = matrix_of({{-.003647, -.001744}, {-.009695, -.010846}, {-.009029, -.010242}});
  for (Index i = 0; i < 3; ++i)
    for (Index j = 0; j < 2; ++j)
      EXPECT_NEAR(param(*model, "layers.0.weight").grad(i, 2 + j), expected(i, j), kPrinted);
}

TEST(SpecGgcn, ThreeLayers) {
  const Dataset d = fixture(g3(), x3n());
  const auto model = spec_ggcn(d, {{"layers", "3"}, {"decay", "0.9"}});
  const Matrix logp = log_probabilities(*model, d);
  EXPECT_NEAR(logp(0, 0), -.346803, kPrinted);
  EXPECT_NEAR(logp(0, 1), -1.227394, kPrinted);
  EXPECT_NEAR(loss_and_gradients(*model, d, {0, 1, 2}), .661933, kPrinted);
}

TEST(SpecGgcn, TwoLayersDirected) {
  const Dataset d = fixture(d3(), x3n());
  const auto model = spec_ggcn(d, {});
  EXPECT_NEAR(loss_and_gradients(*model, d, {0, 1, 2}), .651643, kPrinted);
  EXPECT_TRUE(matrices_near(param(*model, "layers.0.degree").grad, matrix_of({{0, -.003759}}), kPrinted));
}

std::unique_ptr<Model> shaped(Index features, int classes, const OptionValues& options) {
  static std::deque<Dataset> kept;  // a model refers to its features
  kept.push_back(make_test_dataset(make_csr(1, 1, {}, Repeats::add),
                                   sparse_features(make_csr(1, features, {}, Repeats::add)), {0}, classes));
  return make_model("ggcn", kept.back(), options);
}

TEST(GgcnParameters, CountsAreThePapers) {
  EXPECT_EQ(shaped(1433, 7, {{"layers", "32"}, {"hidden", "16"}})->num_parameters(), 54359u);
  EXPECT_EQ(shaped(932, 5, {{"layers", "4"}, {"hidden", "32"}})->num_parameters(), 62013u);
  EXPECT_EQ(shaped(3703, 6, {{"layers", "10"}, {"hidden", "80"}})->num_parameters(), 645026u);
}

TEST(GgcnParameters, ScalarsStartAsSpecified) {
  const auto model = shaped(5, 2, {{"layers", "3"}});
  for (const char* layer : {"layers.0", "layers.1", "layers.2"}) {
    EXPECT_TRUE(matrices_equal(param(*model, std::string(layer) + ".degree").value, matrix_of({{0.5, 0}})));
    EXPECT_TRUE(matrices_equal(param(*model, std::string(layer) + ".kappa").value, Matrix(1, 3)));
    EXPECT_TRUE(matrices_equal(param(*model, std::string(layer) + ".scale").value, matrix_of({{2}})));
  }
}

TEST(GgcnParameters, WrongOptionsAreRefused) { EXPECT_THROW(shaped(5, 2, {{"decay", "-1"}}), Error); }

}  // namespace
}  // namespace gcnh::testing
