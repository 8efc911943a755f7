// Twins of training nodes in the test set, and what looking them up would score.
#include <algorithm>

#include "tests/check/check_tools.h"

namespace gcnh::testing {
namespace {

constexpr Index kPairs = 150;  // nodes u and u + 150 for u below

int label_of_pair(Index u) { return static_cast<int>(Rng(4).below(3, u % kPairs)); }

// The second of each pair takes over the neighbours of the first, which all lie behind the pairs, and its label, too.
Tables with_equal_neighbours(bool same_label) {
  Tables t = sane_tables();
  std::erase_if(t.edges, [](const Edge& edge) { return edge.source < 2 * kPairs || edge.target < 2 * kPairs; });
  for (Index u = 0; u < 2 * kPairs; ++u) {
    for (int i = 0; i < 4; ++i) t.edges.push_back({u, 300 + static_cast<Index>(Rng(5).fork(u % kPairs).below(300, i))});
    if (same_label) t.labels[u] = label_of_pair(u);
  }
  return t;
}

Tables with_equal_rows() {
  Tables t = sane_tables();
  std::vector<Index> rows(kSaneNodes);
  for (Index u = 0; u < kSaneNodes; ++u) {
    rows[u] = u < 2 * kPairs ? u % kPairs : u;
    if (u < 2 * kPairs) t.labels[u] = label_of_pair(u);
  }
  t.features = take_rows(t.features, rows);
  return t;
}

TEST(CheckDuplicates, NeighboursThatTellTheLabel) {
  const Tables t = with_equal_neighbours(true);
  expect_found(t, "leak-duplicates", Severity::warning,
               {"of the test nodes have exactly the neighbours", "of them its label"});
  EXPECT_NE(remark_of(t, "leak-duplicates").why.find("scores "), std::string::npos);
}

TEST(CheckDuplicates, NeighboursThatTellNothing) {
  Tables t = with_equal_neighbours(true);
  for (Index u = 0; u < kSaneNodes; ++u) t.labels[u] = static_cast<int>(Rng(6).below(3, u));
  expect_fine(t, "leak-duplicates");
}

TEST(CheckDuplicates, EqualRows) {
  expect_found(with_equal_rows(), "leak-duplicates", Severity::warning, {"exactly the features"});
}

TEST(CheckDuplicates, NumbersThatDifferInTheirLastDigitsAreNoTwins) {
  Tables t = with_equal_rows();
  Column column;
  column.spec = {"t", ColumnKind::num};
  for (Index u = 0; u < kSaneNodes; ++u) column.numbers.push_back(1700000000000.0 + u);
  t.columns = {column};
  expect_fine(t, "leak-duplicates");
}

// Every node of a star has the centre for its only neighbour, which is what stars are like.
TEST(CheckDuplicates, LeavesOfAHubAreNoTwins) {
  Tables t = sane_tables();
  t.edges.clear();
  for (Index u = 3; u < kSaneNodes; ++u) t.edges.push_back({u, u % 3});
  expect_fine(t, "leak-duplicates");
}

}  // namespace
}  // namespace gcnh::testing
