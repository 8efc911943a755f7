// Geom-GCN on the small fixtures, against numbers that PyTorch printed (to 1e-6).
#include <gtest/gtest.h>

#include "gcnh/graph/relations.h"
#include "tests/support/fixtures.h"

namespace gcnh::testing {
namespace {

// The path with r0 = {0 -> 1, 1 -> 2} and r1 = {1 -> 0, 2 -> 1}: with the nodes themselves three divisions, not nine.
Dataset three_divisions() {
  Dataset d = fixture(g3(), x3n());
  d.derived.matrices = {make_csr(3, 3, {{1, 0, 1}, {2, 1, 1}}, Repeats::add),
                        make_csr(3, 3, {{0, 1, 1}, {1, 2, 1}}, Repeats::add)};
  return d;
}

// [W_0 | W_1 | W_2] with W_r = pat(3, cols, r + s)
Matrix wide_pat(Index cols, int s) {
  Matrix out(3, 3 * cols);
  for (int r = 0; r < 3; ++r) {
    const Matrix w = pat(3, cols, r + s);
    for (Index i = 0; i < 3; ++i)
      for (Index j = 0; j < cols; ++j) out(i, r * cols + j) = w(i, j);
  }
  return out;
}

std::unique_ptr<Model> spec_geomgcn(const Dataset& d) {
  auto model = make_model("geomgcn", d, {{"hidden", "1"}, {"dropout", "0"}});
  set(*model, "layers.0.weight", wide_pat(1, 2));
  set(*model, "layers.1.weight", wide_pat(2, 1));
  return model;
}

TEST(SpecGeomGcn, Hidden) {
  const Dataset d = three_divisions();
  const Propagator blocks(relation_blocks(d.derived.matrices));
  Node w{wide_pat(1, 2), {}};
  Tape t;
  t.start_evaluation();
  const Var z = reshape(t, Input(d.features).times(t, &w), 9, 1);
  EXPECT_TRUE(matrices_near(reshape(t, relu(t, spmm(t, blocks, z)), 3, 3)->value,
                            matrix_of({{0, 0, .25}, {0, .153093, 0}, {.153093, 0, 0}}), kPrinted));
}

TEST(SpecGeomGcn, LogitsLossAndGradients) {
  const Dataset d = three_divisions();
  const auto model = spec_geomgcn(d);
  Tape t;
  t.start_evaluation();
  const std::vector<Index> rows = all_nodes(d);
  EXPECT_TRUE(matrices_near(model->forward(t, rows)->value,
                            matrix_of({{.010417, 0}, {-.025516, -.007549}, {.011587, .023174}}), kPrinted));
  EXPECT_TRUE(matrices_near(log_probabilities(*model, d),
                            matrix_of({{-.687952, -.698369}, {-.702171, -.684204}, {-.698958, -.68737}}), kPrinted));
  EXPECT_NEAR(loss_and_gradients(*model, d, rows), .690371, kPrinted);
  EXPECT_TRUE(matrices_near(param(*model, "layers.0.weight").grad,
                            matrix_of({{0, -.004378, .000645}, {.000279, -.004378, 0}, {.000279, 0, 0}}), kPrinted));
}

// Divisions are counted by the dataset, empty ones included.
TEST(SpecGeomGcn, AnEmptyDivisionCountsInTheMean) {
  Dataset d = three_divisions();
  const auto three = spec_geomgcn(d);
  d.derived.matrices.insert(d.derived.matrices.begin(), make_csr(3, 3, {}, Repeats::add));
  const auto four = make_model("geomgcn", d, {{"hidden", "1"}, {"dropout", "0"}});
  Matrix w0(3, 4), w1(4, 8);
  for (Index i = 0; i < 3; ++i) {
    for (Index j = 0; j < 3; ++j) w0(i, j + 1) = param(*three, "layers.0.weight").value(i, j);
    for (Index j = 0; j < 6; ++j) w1(i + 1, j + 2) = param(*three, "layers.1.weight").value(i, j);
  }
  set(*four, "layers.0.weight", w0);
  set(*four, "layers.1.weight", w1);
  Tape a, b;
  a.start_evaluation();
  b.start_evaluation();
  const std::vector<Index> rows = all_nodes(d);
  const Var of_three = three->forward(a, rows), of_four = four->forward(b, rows);
  for (std::size_t i = 0; i < of_three->value.size(); ++i)
    EXPECT_NEAR(of_four->value.values()[i] * 4, of_three->value.values()[i] * 3, 1e-15);
}

TEST(SpecGeomGcn, ADatasetWithoutRelationsIsRefused) {
  Dataset d = fixture(g3(), x3n());
  d.derived = {};
  EXPECT_THROW(make_model("geomgcn", d, {}), Error);
}

TEST(SpecGeomGcn, OptionsSayWhichRelations) {
  Dataset d = random_dataset({.nodes = 40}, 4, 2, Rng(1));
  d.published["poincare relations"] = [] { return std::vector<Csr>(3); };
  const auto derive = [&](const OptionValues& options) { return find_model_type("geomgcn").derive(options, d); };
  EXPECT_EQ(derive({}).name, "relations");
  EXPECT_EQ(derive({}).source, "published poincare");
  EXPECT_EQ(derive({}).matrices.size(), 3u);
  EXPECT_EQ(derive({{"embedding", "mds"}}).source, "computed mds");
  EXPECT_EQ(derive({{"relations", "computed"}}).source, "computed poincare");
  const auto latent = [&](const OptionValues& options) {
    Offset pairs = 0;
    const std::vector<Csr> found = derive(options).matrices;
    for (std::size_t i = kRelations / 2; i < found.size(); ++i) pairs += found[i].nnz();
    return pairs;
  };
  EXPECT_EQ(latent({{"relations", "computed"}}), 0);
  EXPECT_EQ(latent({{"embedding", "mds"}, {"latent", "0"}}), 0);
  EXPECT_GT(latent({{"embedding", "mds"}}), latent({{"embedding", "mds"}, {"latent", "0.5"}}));
  for (const char* wrong : {"-1", "nan", "some", "1e9"}) EXPECT_THROW(derive({{"latent", wrong}}), Error) << wrong;
  EXPECT_THROW(derive({{"embedding", "struc2vec"}}), Error);
  EXPECT_THROW(derive({{"relations", "published"}}), Error);
}

}  // namespace
}  // namespace gcnh::testing
