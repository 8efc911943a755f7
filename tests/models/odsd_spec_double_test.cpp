// O(d)-SD on the small fixtures, against numbers that PyTorch printed (to 1e-6), the sizes of the
// published configurations, and how parameters start.
#include <gtest/gtest.h>

#include <cmath>

#include "gcnh/ops/sheaf.h"
#include "gcnh/train/adam.h"
#include "tests/kernels/sheaf_twins.h"
#include "tests/support/fixtures.h"

namespace gcnh::testing {
namespace {

// One edge without weights whose way back is -I: the block is Q' / 2. Returns Q and, where dq is given, the gradient of
// <Q, dq> with respect to the numbers below the diagonal.
Matrix householder(int d, const std::vector<double>& lower, const Matrix* dq = nullptr, Matrix* dlower = nullptr) {
  const Edges edge = std::make_shared<EdgeList>(make_csr(2, 2, {{0, 1, 1}, {1, 0, 1}}, Repeats::add));
  const Index count = static_cast<Index>(lower.size());
  Param p("p", 2, kernels::projection_width(count));
  for (Index j = 0; j < count; ++j) p.value(0, j) = std::atanh(lower[j]);
  Tape t;
  t.start_training(Rng(0));
  const SheafLaplacian l = orthogonal_laplacian(t, edge, &p, d, false);
  Matrix q(d, d);
  for (Index i = 0; i < d; ++i)
    for (Index j = 0; j < d; ++j) q(j, i) = 2 * l.blocks->value(0, i * d + j);
  if (!dq) return q;
  Var sum = t.node(1, 1, {&p});
  t.on_backward(sum, [&] {
    for (Index i = 0; i < d; ++i)
      for (Index j = 0; j < d; ++j) l.blocks->grad(0, i * d + j) = 2 * (*dq)(j, i);
  });
  t.backward(sum);
  *dlower = Matrix(1, count);
  for (Index j = 0; j < count; ++j) (*dlower)(0, j) = p.grad(0, j) / (1 - lower[j] * lower[j]);
  return q;
}

TEST(SpecSheaf, Householder) {
  EXPECT_TRUE(matrices_near(householder(2, {.5}), matrix_of({{-.6, .8}, {-.8, -.6}}), kPrinted));
  for (double p : {-.9, -.3, .2, .7})
    EXPECT_TRUE(matrices_near(householder(2, {p}),
                              matrix_of({{(p * p - 1) / (1 + p * p), 2 * p / (1 + p * p)},
                                         {-2 * p / (1 + p * p), (p * p - 1) / (1 + p * p)}}),
                              1e-12));
  const Matrix pattern = pat(3, 3, 0);
  Matrix dlower;
  const Matrix q = householder(3, {.5, -.25, .75}, &pattern, &dlower);
  EXPECT_TRUE(matrices_near(
      q, matrix_of({{-.52381, -.152381, -.838095}, {-.761905, -.35619, .540952}, {.380952, -.921905, -.070476}}),
      kPrinted));
  double product = 0;
  for (std::size_t i = 0; i < q.size(); ++i) product += q.values()[i] * pattern.values()[i];
  EXPECT_NEAR(product, -.451905, kPrinted);
  EXPECT_TRUE(matrices_near(dlower, matrix_of({{-.143311, .319274, .681448}}), kPrinted));
  for (int d = 2; d <= kernels::kMaxStalk; ++d) {
    Matrix minus(d, d);
    for (Index i = 0; i < d; ++i) minus(i, i) = -1;
    EXPECT_TRUE(matrices_near(householder(d, std::vector<double>(d * (d - 1) / 2)), minus, 1e-15));
  }
}

// The models of 8.8: the pattern matrices, left = I with 0.25 above and -0.25 below the diagonal, right (a, b) -> (b,
// -a).
std::unique_ptr<Model> spec_odsd(const Dataset& d, OptionValues options) {
  options.insert({{"d", "2"}, {"layers", "1"}, {"hidden", "2"}, {"dropout", "0"}});
  auto model = make_model("odsd", d, options);
  set_linear(*model, "input", 0, 1);
  set_linear(*model, "classifier", 1, 2);
  const std::vector<double> epsilon = {.1, -.2, .3, 0};
  for (int l = 0; l < std::stoi(options.at("layers")); ++l) {
    const std::string name = "layers." + std::to_string(l) + ".";
    Param& maps = param(*model, name + "maps");
    maps.value = pat(maps.rows(), maps.cols(), 2 + l);
    if (options["edge_weights"] != "false") {
      Param& weights = param(*model, name + "weights");
      weights.value = pat(weights.rows(), 1, 3 + l);
    }
    Param &left = param(*model, name + "left"), &eps = param(*model, name + "epsilon");
    for (Index i = 0; i < left.rows(); ++i) {
      eps.value(0, i) = epsilon[i];
      for (Index j = 0; j < left.cols(); ++j) left.value(i, j) = i == j ? 1 : j == i + 1 ? .25 : i == j + 1 ? -.25 : 0;
    }
    set(*model, name + "right", matrix_of({{0, -1}, {1, 0}}));
  }
  return model;
}

struct SpecOdsd : ::testing::Test {
  const Dataset d = fixture(g3(), x3n());
  const Edges edges = std::make_shared<EdgeList>(g3());
};

// The state after the input layer and the map parameters and weights that the first layer makes of it.
TEST_F(SpecOdsd, IntermediateValues) {
  Tape t;
  t.start_evaluation();
  Node w{pat(3, 4, 0), {}}, b{pat(1, 4, 1), {}}, maps{pat(8, 1, 2), {}}, weights{pat(8, 1, 3), {}};
  Var x = elu(t, add_bias(t, Input(d.features).times(t, &w), &b));
  EXPECT_TRUE(matrices_near(
      x->value,
      matrix_of({{-.527633, -.221199, .25, .75}, {.125, 0, -.117503, .375}, {-.221199, -.312711, .125, .625}}),
      kPrinted));
  const Matrix p = matmul(t, x, end_weights(t, {&maps, &weights}, 4))->value;
  const auto angle = [&](Index u, Index v) { return std::tanh(p(u, 0) + p(v, 2)); };
  const auto gate = [&](Index u, Index v) { return 1 / (1 + std::exp(-p(u, 1) - p(v, 3))); };
  EXPECT_NEAR(angle(0, 1), -.176556, kPrinted);
  EXPECT_NEAR(angle(1, 0), .312359, kPrinted);
  EXPECT_NEAR(angle(1, 2), .15162, kPrinted);
  EXPECT_NEAR(angle(2, 1), -.198628, kPrinted);
  EXPECT_NEAR(gate(0, 1) * gate(1, 0), .131134, kPrinted);
  EXPECT_NEAR(gate(1, 2) * gate(2, 1), .140792, kPrinted);

  Node projections{p, {}};
  const SheafLaplacian l = orthogonal_laplacian(t, edges, &projections, 2, true);
  const double degrees[] = {.017196, .037019, .019823};
  for (Index u = 0; u < 3; ++u)
    EXPECT_NEAR(l.diagonal->value(u, 0) / (1 - l.diagonal->value(u, 0)), degrees[u], kPrinted);
  EXPECT_NEAR(l.diagonal->value(0, 0), .016906, kPrinted);
  const Matrix dense = plain::dense_laplacian(*edges, 2, l.diagonal->value, l.blocks->value);
  EXPECT_NEAR(dense(0, 2), -.009671, kPrinted);
  EXPECT_NEAR(dense(0, 3), .013668, kPrinted);
  EXPECT_NEAR(dense(1, 2), -.013668, kPrinted);
  EXPECT_NEAR(dense(1, 3), -.009671, kPrinted);

  const Matrix plain_p = matmul(t, x, end_weights(t, {&maps}, 4))->value;
  Node plain_projections{plain_p, {}};
  const SheafLaplacian unweighted = orthogonal_laplacian(t, edges, &plain_projections, 2, false);
  EXPECT_TRUE(matrices_near(unweighted.diagonal->value, matrix_of({{.5}, {2.0 / 3}, {.5}}), kPrinted));
  const double block[] = {-.2358, .333264, -.333264, -.2358};
  for (Index i = 0; i < 4; ++i) EXPECT_NEAR(unweighted.blocks->value(0, i), block[i], kPrinted);
}

TEST_F(SpecOdsd, OneLayer) {
  const auto model = spec_odsd(d, {});
  EXPECT_TRUE(matrices_near(log_probabilities(*model, d),
                            matrix_of({{-.820686, -.58005}, {-.875749, -.538796}, {-.826682, -.575361}}), kPrinted));
  EXPECT_NEAR(loss_and_gradients(*model, d, {0, 1, 2}), .728722, kPrinted);
  expect_gradient(*model, "layers.0.epsilon", matrix_of({{-.063665, .070035}}));
  expect_gradient(
      *model, "layers.0.maps",
      matrix_of({{-.00063}, {-.000458}, {.000415}, {.000424}, {.000619}, {.000462}, {-.00041}, {-.000424}}));
  expect_gradient(
      *model, "layers.0.weights",
      matrix_of({{.000521}, {.000469}, {-.000173}, {-.001831}, {.000378}, {.000402}, {-.000088}, {-.001744}}));
}

TEST_F(SpecOdsd, WithoutEdgeWeights) {
  const auto model = spec_odsd(d, {{"edge_weights", "false"}});
  EXPECT_NEAR(loss_and_gradients(*model, d, {0, 1, 2}), .692762, kPrinted);
  expect_gradient(
      *model, "layers.0.maps",
      matrix_of({{-.011476}, {-.008288}, {.007536}, {.007721}, {.011266}, {.008368}, {-.007448}, {-.007685}}));
}

TEST_F(SpecOdsd, TwoLayers) {
  const auto model = spec_odsd(d, {{"layers", "2"}});
  EXPECT_TRUE(matrices_near(log_probabilities(*model, d),
                            matrix_of({{-.784244, -.60966}, {-.874912, -.539395}, {-.799992, -.596624}}), kPrinted));
  EXPECT_NEAR(loss_and_gradients(*model, d, {0, 1, 2}), .707877, kPrinted);
}

TEST_F(SpecOdsd, LowAndHighPass) {
  const auto model = spec_odsd(d, {{"lp", "true"}, {"hp", "true"}});
  EXPECT_NEAR(loss_and_gradients(*model, d, {0, 1, 2}), .567272, kPrinted);
  expect_gradient(*model, "layers.0.epsilon", matrix_of({{-.032881, .029979, -.045366, -.005049}}));
}

TEST_F(SpecOdsd, SparseLearner) {
  const auto model = spec_odsd(d, {{"d", "3"}, {"sparse_learner", "true"}});
  EXPECT_NEAR(loss_and_gradients(*model, d, {0, 1, 2}), .709192, kPrinted);
  Tape t;
  t.start_evaluation();
  Node w{pat(3, 6, 0), {}}, b{pat(1, 6, 1), {}}, maps{pat(4, 3, 2), {}};
  Var x = elu(t, add_bias(t, Input(d.features).times(t, &w), &b));
  const Matrix p = matmul(t, x, end_weights(t, {&maps}, 6))->value;
  const double there[] = {-.175774, -.232068, .471642}, back[] = {-.192175, -.248066, -.408505};
  for (Index j = 0; j < 3; ++j) {
    EXPECT_NEAR(std::tanh(p(0, j) + p(1, 3 + j)), there[j], kPrinted);
    EXPECT_NEAR(std::tanh(p(1, j) + p(0, 3 + j)), back[j], kPrinted);
  }
}

// Direction and loops of the given graph do not matter.
TEST_F(SpecOdsd, TakesTheSimpleGraph) {
  const Dataset directed = fixture(d3(), x3n());  // 0 -> 1, 1 -> 2 and a loop at 2
  const auto model = spec_odsd(d, {}), other = spec_odsd(directed, {});
  EXPECT_TRUE(matrices_equal(log_probabilities(*model, d), log_probabilities(*other, directed)));
}

TEST(OdsdParameters, CountsOfThePublishedConfigurations) {
  const auto count = [](Index features, const OptionValues& options) {
    return make_model("odsd", shape_only(features, 5), options)->num_parameters();
  };
  EXPECT_EQ(count(1703, {{"d", "3"}, {"layers", "4"}, {"hidden", "20"}, {"sparse_learner", "true"}}), 105153u);
  EXPECT_EQ(count(1703, {{"d", "3"}, {"layers", "2"}, {"hidden", "32"}, {"lp", "true"}, {"hp", "true"}}), 278113u);
  EXPECT_EQ(count(2089, {{"d", "3"}, {"layers", "5"}, {"hidden", "32"}, {"lp", "true"}, {"second_linear", "true"}}),
            295017u);
}

// d numbers per end instead of d (d - 1) / 2, and no edge weights.
TEST(OdsdParameters, DiagonalMapsHaveOneNumberPerCoordinate) {
  const auto model = make_model("odsd", shape_only(7, 5), {{"maps", "diagonal"}, {"d", "4"}, {"hidden", "16"}});
  for (const Param& p : model->params()) EXPECT_FALSE(p.name.ends_with("weights")) << p.name;
  EXPECT_EQ(param(*model, "layers.1.maps").rows(), 128);
  EXPECT_EQ(param(*model, "layers.1.maps").cols(), 4);
}

TEST(OdsdParameters, StartAsSpecified) {
  const auto model = make_model("odsd", shape_only(400, 9), {{"hidden", "50"}, {"second_linear", "true"}}, Rng(1));
  const Index width = 150;
  Index fan = 0;
  for (const Param& p : model->params()) {
    SCOPED_TRACE(p.name);
    if (p.name.ends_with("epsilon")) {
      EXPECT_EQ(largest(p.value), 0);
    } else if (p.name.ends_with("left") || p.name.ends_with("right")) {
      Matrix square(p.cols(), p.cols()), identity(p.cols(), p.cols());
      kernels::gemm_transposed_add(p.value, p.value, square);
      for (Index i = 0; i < p.cols(); ++i) identity(i, i) = 1;
      EXPECT_TRUE(matrices_near(square, identity, 1e-14));
      EXPECT_EQ(matrices_equal(p.value, identity), p.name.ends_with("left"));
    } else {
      if (!p.name.ends_with("bias")) fan = p.rows();
      const double bound = 1 / std::sqrt(static_cast<double>(fan));
      EXPECT_LE(largest(p.value), bound);
      EXPECT_GT(largest(p.value), 0.8 * bound);
    }
  }
  EXPECT_EQ(param(*model, "layers.0.maps").rows(), 2 * width);
  const auto &first = param(*model, "layers.0.right"), &second = param(*model, "layers.1.right");
  EXPECT_FALSE(matrices_equal(first.value, second.value));
}

TEST(OdsdOptions, WrongOnesAreRefused) {
  const Dataset d = shape_only(5, 2);
  for (const auto& [name, value] : OptionValues{{"d", "0"}, {"input_dropout", "1"}, {"sheaf_decay", "none"}})
    EXPECT_THROW(make_model("odsd", d, {{name, value}}), Error) << name;
  EXPECT_THROW(make_model("odsd", d, {{"d", "6"}}), Error);
  EXPECT_THROW(make_model("odsd", d, {{"maps", "general"}}), Error);
}

// With gradients of 0, what reaches Adam's first moment is a tenth of decay times weight: the map learners' own decay,
// and the trainer's for the rest.
TEST(OdsdOptions, SheafDecayBelongsToTheMapLearners) {
  const Dataset d = fixture(g3(), x3n());
  for (const char* decay : {"same", "0", "0.5"}) {
    const auto model = make_model("odsd", d, {{"layers", "2"}, {"sheaf_decay", decay}});
    for (const Param& p : model->params()) {
      const bool own = p.name.ends_with("maps") && std::string(decay) != "same";
      EXPECT_EQ(p.weight_decay, own ? std::optional(std::stod(decay)) : std::nullopt) << p.name;
    }
    constexpr double kTrainers = 0.2;
    Adam adam(model->params(), 0.01, kTrainers);
    const Matrix maps = param(*model, "layers.1.maps").value, weights = param(*model, "layers.1.weights").value;
    adam.next_step();
    adam.update_all();
    const NamedMatrices moments = adam.moments();
    const auto tenth_of = [](double factor, const Matrix& m) {
      return plain::each(m.rows(), m.cols(), [&](Index i, Index j) { return 0.1 * factor * m(i, j); });
    };
    const double own = std::string(decay) == "same" ? kTrainers : std::stod(decay);
    EXPECT_TRUE(matrices_near(moments.at("layers.1.maps.m"), tenth_of(own, maps), 1e-15));
    EXPECT_TRUE(matrices_near(moments.at("layers.1.weights.m"), tenth_of(kTrainers, weights), 1e-15));
    EXPECT_EQ(matrices_equal(param(*model, "layers.1.maps").value, maps), own == 0)
        << "only without decay nothing moves";
  }
}

}  // namespace
}  // namespace gcnh::testing
