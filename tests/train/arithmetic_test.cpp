// The bits of short trainings, written down with the version of the arithmetic that gave them. A test that fails here
// means that trainings recorded before give other digits now. Where that is meant, raise the engine's version in
// arithmetic_of() and write the new bits beside the old; `gcnh journal` then finds the lines that have to be made
// again.
#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <string_view>

#include "gcnh/train/make_stepper.h"
#include "gcnh/version.h"
#include "tests/train/fused_cases.h"

namespace gcnh::testing {
namespace {

struct KnownBits {
  const char* model;
  const char* engine;
  OptionValues options;
  std::size_t batch;
  std::uint64_t digest;
  std::uint64_t on_neon = digest;  // other bits where sums over edges want vectors of 32 bytes: NEON's have 16
};

// FNV-1a over the bytes of all parameters.
std::uint64_t digest_of(const Model& model) {
  std::uint64_t out = 14695981039346656037u;
  for (const Param& p : model.params())
    for (Real value : p.value.values())
      for (unsigned char byte : std::bit_cast<std::array<unsigned char, sizeof(Real)>>(value))
        out = (out ^ byte) * 1099511628211u;
  return out;
}

std::uint64_t train_and_digest(const KnownBits& known) {
  const Dataset d = fused_dataset(11, true);
  const auto model = find_model_type(known.model).make(d, known.options, Rng(3));
  Trained t{nullptr, make_stepper(known.engine, *model, {0.005, 0.005, known.batch == 0})};
  for (std::uint64_t i = 0; i < 30; ++i) take_step(t, d, {{}, known.batch}, i);
  return digest_of(*model);
}

TEST(Arithmetic, TrainingsGiveTheBitsOfTheirVersion) {
  const std::string_view cpu = simd();
  if (!cpu.starts_with("AVX") && cpu != "NEON")
    GTEST_SKIP() << "the bits are those of CPUs with fused multiply-add, not of " << cpu;
  ASSERT_EQ(arithmetic_of("tape"), 1);
  ASSERT_EQ(arithmetic_of("fused"), 1);
  const OptionValues one = {{"layers", "1"}, {"hidden", "16"}}, three = {{"layers", "3"}, {"hidden", "32"}},
                     mean = {{"layers", "2"}, {"hidden", "32"}, {"aggregation", "mean"}};
  const std::vector<KnownBits> all = {{"gcnh", "fused", one, 0, 0x5fcc39c729fae7eeu},
                                      {"gcnh", "fused", one, 5, 0xa563961a7123478u},
                                      {"gcnh", "fused", three, 0, 0x75e09a15aa5dda9fu},
                                      {"gcnh", "fused", three, 20, 0x5fcca6a817924375u},
                                      {"gcnh", "fused", mean, 20, 0x49e6d047623cd5ffu},
                                      {"gcnh", "tape", three, 20, 0xfe3fcd5dc30f61efu},
                                      {"mlp", "tape", {}, 0, 0x74d7a4663bc7ae4du},
                                      {"logreg", "tape", {}, 0, 0x11577717bf66ea40u},
                                      {"gcn", "tape", {}, 0, 0xd57ef41f92b9df55u},
                                      {"h2gcn", "tape", {}, 0, 0x31169d1f40c246ebu},
                                      {"gprgnn", "tape", {}, 0, 0xa49ca682701fe0bcu},
                                      {"gat", "tape", {}, 0, 0xed40d089ecd4c117u, 0x4a73c53abb915167u},
                                      {"ggcn", "tape", {}, 0, 0x73505ad64da85f8du, 0x5c77028a1801cc10u},
                                      {"odsd", "tape", {}, 0, 0x6bc9f76650aaa593u, 0x57e6410b7dea2397u}};
  for (const KnownBits& known : all)
    EXPECT_EQ(train_and_digest(known), cpu == "NEON" ? known.on_neon : known.digest)
        << known.model << ", " << known.engine << ", batch " << known.batch;
}

}  // namespace
}  // namespace gcnh::testing
