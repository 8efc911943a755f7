// Columns that say nothing or the same, nodes without features, wild scales.
#include "tests/check/check_tools.h"

namespace gcnh::testing {
namespace {

TEST(CheckFeatures, None) {
  Tables t = sane_tables();
  t.features = make_csr(kSaneNodes, 0, {}, Repeats::add);
  expect_found(t, "no-features", Severity::error, {"no features"});
}

TEST(CheckFeatures, ConstantColumns) {
  expect_found(table_with("country", [](int) { return "NO"; }), "constant-columns", Severity::warning,
               {"1 of 2 columns", "'country'"});
  expect_found(table_with("height", [](int) { return 1.5; }), "constant-columns", Severity::warning, {"'height'"});
  expect_fine(table_with("height", [](int u) { return u == 3 ? "" : "1.5"; }), "constant-columns");
  Tables words = sane_tables();
  words.features.sparse().cols = 45;
  expect_fine(words, "constant-columns");  // words that do not occur
  words.features.sparse().cols = 100;
  EXPECT_EQ(remark_of(words, "constant-columns").severity, Severity::warning);
}

TEST(CheckFeatures, EqualColumns) {
  const auto twice = table_with("town,place", [](int u) {
    const int k = u * u % 7 % 3;
    return join("town", k, ",place", 5 - k);
  });
  expect_found(twice, "duplicate-columns", Severity::warning, {"1 of 3 columns", "'place' = 'town'"});
  expect_fine(table_with("town,place", [](int u) { return join("t", u % 5, ",p", u % 4); }), "duplicate-columns");
}

TEST(CheckFeatures, NodesWithoutFeatures) {
  Tables t = sane_tables();
  Csr& x = t.features.sparse();
  x.indices.resize(x.offsets[590]);
  for (Index u = 590; u <= kSaneNodes; ++u) x.offsets[u] = x.nnz();
  t.labels[595] = -1;
  expect_found(t, "empty-rows", Severity::warning, {"10 nodes without any feature, for example 590", "1 of them"});
}

TEST(CheckFeatures, Scales) {
  Tables t = sane_tables();
  Csr& x = t.features.sparse();
  for (Index j : x.indices) x.values.push_back(j == 7 ? Real{50000} : Real{1});
  expect_found(t, "scales", Severity::warning, {"column 7 goes up to 50000"});
  for (Real& value : x.values) value = std::min(value, Real{20});
  expect_found(t, "scales", Severity::warning, {"column 7 goes up to 20, "});
  for (Real& value : x.values) value = std::min(value, Real{5});
  expect_fine(t, "scales");
  EXPECT_NE(remark_of(table_with("size", [](int u) { return 1e6 * u; }), "scales").found.find("scaled"),
            std::string::npos);
}

}  // namespace
}  // namespace gcnh::testing
