// Columns that give the label away.
#include "tests/check/check_tools.h"

namespace gcnh::testing {
namespace {

TEST(CheckLabelLeak, WordsAndCodesThatAreTheLabel) {
  expect_found(table_with("segment", [](int u) { return u % 2   ? "gold"
                                                        : u % 4 ? "silver"
                                                                : "tin"; }), "label-leak",
               Severity::error, {"'segment' (100.0 %)"});
  expect_found(table_with("code", [](int u) { return u % 2 ? 7 : 1 + u % 4; }), "label-leak", Severity::error,
               {"'code'"});
  expect_fine(table_with("segment", [](int u) { return u % 3 ? "gold" : "silver"; }), "label-leak");
}

TEST(CheckLabelLeak, AMemberOfASetThatIsTheLabel) {
  const auto set = [](int u) { return join(u % 2 ? "he;" : "she;", "tag", u % 7, u % 3 ? ";more" : ""); };
  expect_found(table_with("pronouns", set), "label-leak", Severity::error, {"'pronouns' with 'he' (100.0 %)"});
  expect_fine(table_with("tags", [](int u) { return join("a", u % 3, ";b", u % 7, u % 5 ? ";c" : ""); }), "label-leak");
}

TEST(CheckLabelLeak, ANumberThatSeparatesTheClasses) {
  const auto score = [](int u) { return (u % 2 ? 10 : 20) + Rng(8).uniform(u); };
  expect_found(table_with("score", score), "label-leak", Severity::warning, {"sorted by column 'score'"});
  expect_fine(table_with("score", [&](int u) { return u == 11 ? 20.5 : score(u); }), "label-leak");
}

// A value of one's own tells nothing of the others.
TEST(CheckLabelLeak, NamesAreNoLeak) {
  CsvSource source;
  declare(source.features, ColumnSpec{.name = "name", .kind = ColumnKind::cat});
  expect_fine(table_with(
                  "name", [](int u) { return join("u", u); }, source),
              "label-leak");
}

TEST(CheckLabelLeak, FeaturesOfAMatrix) {
  Tables t = sane_tables();
  std::vector<Triple> entries;
  for (Index u = 0; u < kSaneNodes; ++u) {
    for (Index j : t.features.sparse().row(u))
      if (j != 5) entries.push_back({u, j, 1});
    if (t.labels[u] > 0) entries.push_back({u, 5, static_cast<Real>(t.labels[u])});
  }
  t.features = make_csr(kSaneNodes, 40, std::move(entries), Repeats::keep_one);
  expect_found(t, "label-leak", Severity::error, {"column 5 (100.0 %)"});
  t.features = filled(t.features.sparse());
  expect_found(t, "label-leak", Severity::error, {"column 5 (100.0 %)"});
}

}  // namespace
}  // namespace gcnh::testing
