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
  const Dataset d = random_dataset({.nodes = 9001, .edges_per_node = 3, .hub = hub}, 40, 5, Rng(71));
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

TEST(ModelThreads, TapeGivesTheSameBits) {
  for (const Variant& variant : model_variants(17, "0.4")) expect_same_bits(variant, "tape");
}

TEST(ModelThreads, FusedStepGivesTheSameBits) {
  for (const Variant& variant : model_variants(16, "0.4"))
    if (variant.model == "gcnh") expect_same_bits(variant, "fused");
}

}  // namespace
}  // namespace gcnh::testing
