// The gradient of every parameter of every model on random graphs, against central differences: on 24 of them, or as
// many as GCNH_TEST_GRAPHS says (./test slow: 120).
#include <gtest/gtest.h>

#include <cstdlib>

#include "tests/models/variants.h"
#include "tests/support/fixtures.h"
#include "tests/support/gradcheck.h"

namespace gcnh::testing {
namespace {

// Graphs of 4 to 11 nodes, in turn directed, weighted, with loops and with dense features.
Dataset small_dataset(int number, const Rng& rng) {
  const GraphShape shape{.nodes = 4 + number % 8,
                         .edges_per_node = 1.0 + number % 3,
                         .directed = number % 4 == 3,
                         .weights = number % 2 == 0,
                         .loops = number % 3 != 0};
  return random_dataset(shape, 5, 3, rng, number % 5 != 0);
}

// Initial numbers far from the defaults' special values: theta is 0 there, biases are small.
void randomise(Model& model, const Rng& rng) {
  std::uint64_t i = 0;
  for (Param& p : model.params()) p.value = random_matrix(p.rows(), p.cols(), rng.fork(i++));
}

int num_graphs() {
  const char* wanted = std::getenv("GCNH_TEST_GRAPHS");
  return wanted ? std::stoi(wanted) : 24;
}

GradientReport check_model(const Variant& variant) {
  GradientReport total;
  for (int number = 0; number < num_graphs(); ++number) {
    SCOPED_TRACE(variant.text() + ", graph " + std::to_string(number));
    const Rng rng = Rng(51).fork(number);
    const Dataset d = variant.on(small_dataset(number, rng.fork(0)));
    const auto model = make_model(variant.model, d, variant.options);
    randomise(*model, rng.fork(1));
    std::vector<Index> rows = all_nodes(d);
    shuffle(rows, rng.fork(2));
    rows.resize(1 + rng.below(rows.size(), 3));
    std::vector<Param*> params;
    for (Param& p : model->params()) params.push_back(&p);
    const GradientReport report = check_some_gradients(
        params, params, [&](Tape& t) { return softmax_nll(t, model->forward(t, rows), labels_of(d, rows)); });
    total.checked += report.checked;
    total.skipped += report.skipped;
    if (::testing::Test::HasFailure()) break;
  }
  // Logistic regression has 18 numbers.
  EXPECT_GT(total.checked, (variant.model == "logreg" ? 15 : 20) * num_graphs()) << variant.text();
  return total;
}

void check_models(const std::vector<Variant>& variants) {
  GradientReport total;
  for (const Variant& variant : variants) {
    const GradientReport report = check_model(variant);
    total.checked += report.checked;
    total.skipped += report.skipped;
  }
  EXPECT_LT(total.skipped, total.checked / 500) << "kinks should be rare";
}

TEST(ModelGradients, WithoutDropout) { check_models(model_variants()); }

TEST(ModelGradients, WithDropout) { check_models(model_variants(3, "0.3")); }

}  // namespace
}  // namespace gcnh::testing
