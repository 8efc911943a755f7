// The fused step against the tape in float, its threads, and what it does not cover.
#include "tests/train/fused_cases.h"

namespace gcnh::testing {
namespace {

// With several layers or maxima, rounding decides on which side of a kink a value falls, and from there on two float
// runs drift apart (1e-5 after some 50 steps); the double suite holds all cases to 1e-9 for 200 steps.
TEST(Fused, EqualsTape) {
  for (const FusedCase& c : fused_cases()) {
    const bool max = c.options.contains("aggregation") && c.options.at("aggregation") == "max";
    expect_fused_equals_tape(fused_dataset(11, true), c, 1e-5, c.options.at("layers") == "1" && !max ? 200 : 10);
  }
}

TEST(Fused, EqualsTapeOnDenseFeatures) {
  for (const FusedCase& c : fused_cases()) expect_fused_equals_tape(fused_dataset(13, false), c, 1e-5, 10);
}

TEST(Fused, EqualsTapeOnRealGraphs) { expect_equal_on_real_graphs(1e-5, 10, 10); }

TEST(Fused, SameBitsForAnyNumberOfThreads) {
  GraphShape shape;
  shape.nodes = 9000;
  shape.edges_per_node = 8;
  for (bool sparse : {true, false}) {
    Dataset d = random_dataset(shape, 90, 3, Rng(2), sparse);
    d.splits[0].val = d.splits[0].test = {1, 2, 3, 5, 8};
    for (const char* layers : {"1", "2"}) {
      const FusedCase c{{{"layers", layers}, {"dropout", "0.3"}}, 0};
      Trained serial = make_trained(d, c, "fused");
      for (std::uint64_t i = 0; i < 3; ++i) take_step(serial, d, c, i);
      for (int threads : {1, 2, 3, 8}) {
        Pool pool(threads);
        const PoolScope scope(&pool);
        Trained threaded = make_trained(d, c, "fused");
        for (std::uint64_t i = 0; i < 3; ++i) take_step(threaded, d, c, i);
        for (std::size_t p = 0; p < serial.model->params().size(); ++p)
          EXPECT_TRUE(threaded.model->params()[p].value == serial.model->params()[p].value)
              << serial.model->params()[p].name << ", " << threads << " threads, layers " << layers;
      }
    }
  }
}

TEST(Fused, SameBitsWhetherBatchesGatherOrPush) {
  for (std::uint64_t seed : {11, 12}) {
    const Dataset d = fused_dataset(seed, true);
    ASSERT_EQ(d.adjacency.values.empty(), seed == 11) << "one graph without weights, one with";
    expect_same_bits_whichever_way(d);
  }
}

TEST(Fused, SaysWhatItDoesNotCover) {
  const Dataset d = fused_dataset(1, true);
  const auto make = [&](const std::string& model, const OptionValues& options) {
    auto built = find_model_type(model).make(d, options, Rng(1));
    return make_stepper("fused", *built, {0.01, 0, true});
  };
  EXPECT_THROW(make("mlp", {}), Error);
  EXPECT_THROW(make("gcnh", {{"hidden", "10"}}), Error);
  auto built = find_model_type("gcnh").make(d, {{"hidden", "10"}}, Rng(1));
  EXPECT_STREQ(make_stepper("auto", *built, {0.01, 0, true})->engine(), "tape");
  auto wide = find_model_type("gcnh").make(d, {{"hidden", "16"}}, Rng(1));
  const std::vector<Real> weights(static_cast<std::size_t>(d.num_classes()), 2);
  EXPECT_STREQ(make_stepper("auto", *wide, {0.01, 0, true})->engine(), "fused");
  EXPECT_STREQ(make_stepper("auto", *wide, {0.01, 0, true, weights})->engine(), "tape");
  EXPECT_THROW(make_stepper("fused", *wide, {0.01, 0, true, weights}), Error);
}

}  // namespace
}  // namespace gcnh::testing
