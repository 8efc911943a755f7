// Training gives the same bits whatever the number of threads.
#include <gtest/gtest.h>

#include "gcnh/base/parallel.h"
#include "gcnh/train/make_stepper.h"
#include "gcnh/train/stepper.h"
#include "tests/models/variants.h"
#include "tests/support/fixtures.h"

namespace gcnh::testing {
namespace {

// All parameters and log-probabilities after two steps.
NamedMatrices trained(const Variant& variant, const Dataset& d, const std::vector<Index>& batch,
                      const std::string& engine) {
  const auto model = make_model(variant.model, d, variant.options);
  const auto stepper = make_stepper(engine, *model, {0.01, 0.001, /*one_batch=*/true});
  for (int step = 0; step < 2; ++step) stepper->step(batch, Rng(73).fork(step));
  NamedMatrices out = parameters_of(*model);
  out["log_probabilities"] = stepper->log_probabilities(batch);
  return out;
}

void expect_same_bits(const Variant& variant, const std::string& engine) {
  const bool hub = variant.model != "h2gcn";  // two steps from a hub's neighbour lead almost everywhere
  const Dataset d = variant.on(
      random_dataset({.nodes = 9001, .edges_per_node = 3, .directed = variant.apart, .hub = hub}, 40, 5, Rng(71)));
  std::vector<Index> batch = all_nodes(d);
  shuffle(batch, Rng(72));
  batch.resize(5000);
  const NamedMatrices serial = trained(variant, d, batch, engine);
  for (int threads : {2, 3}) {
    Pool pool(threads);
    const PoolScope scope(&pool);
    for (const auto& [name, value] : trained(variant, d, batch, engine))
      EXPECT_TRUE(matrices_equal(value, serial.at(name)))
          << variant.text() << " " << name << " " << threads << " threads";
  }
}

bool is_fused(const Variant& variant) {
  const Dataset d = variant.on(random_dataset({}, 4, 3, Rng(74)));
  std::string obstacle;
  return make_model(variant.model, d, variant.options)->fast_stepper({0.01, 0.001, true}, obstacle) != nullptr;
}

TEST(ModelThreads, TapeGivesTheSameBits) {
  for (const Variant& variant : model_variants(17, "0.4")) expect_same_bits(variant, "tape");
}

TEST(ModelThreads, FusedStepGivesTheSameBits) {
  int fused = 0;
  for (const Variant& variant : model_variants(16, "0.4")) fused += is_fused(variant);
  EXPECT_EQ(fused, 9) << "GCNH as in the paper, whatever its aggregation";
  for (const Variant& variant : model_variants(16, "0.4"))
    if (is_fused(variant)) expect_same_bits(variant, "fused");
}

}  // namespace
}  // namespace gcnh::testing
