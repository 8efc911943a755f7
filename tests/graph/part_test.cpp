#include "gcnh/graph/part.h"

#include <gtest/gtest.h>

#include <set>

#include "gcnh/base/error.h"
#include "tests/support/random_graph.h"

namespace gcnh::testing {
namespace {

std::vector<int> random_owners(Index nodes, int parts, const Rng& rng) {
  std::vector<int> out;
  for (Index u = 0; u < nodes; ++u) out.push_back(static_cast<int>(rng.below(parts, u)));
  return out;
}

void expect_rows_of_the_whole(const Part& part, const Dataset& d) {
  ASSERT_EQ(part.dataset.num_nodes(), static_cast<Index>(part.ids.size()));
  ASSERT_EQ(part.dataset.adjacency.cols, part.dataset.num_nodes());
  const MatrixSums sums = sums_of(d.adjacency);
  for (Index i = 0; i < part.dataset.num_nodes(); ++i) {
    const Index u = part.ids[i];
    EXPECT_EQ(part.dataset.whole_sums.rows[i], sums.rows[u]);
    EXPECT_EQ(part.dataset.whole_sums.columns[i], sums.columns[u]);
    EXPECT_EQ(to_dense(take_rows(part.dataset.features, std::vector{i}).sparse()),
              to_dense(take_rows(d.features, std::vector{u}).sparse()));
    EXPECT_EQ(part.feature_entries[i], d.features.sparse().offsets[u]);
    const std::span<const Index> row = part.dataset.adjacency.row(i);
    if (i >= part.num_own) {
      EXPECT_TRUE(row.empty());
      continue;
    }
    EXPECT_EQ(part.dataset.labels[i], d.labels[u]);
    const std::span<const Index> expected = d.adjacency.row(u);
    ASSERT_EQ(row.size(), expected.size());
    for (std::size_t k = 0; k < row.size(); ++k) {
      EXPECT_EQ(part.ids[row[k]], expected[k]);
      EXPECT_EQ(part.dataset.adjacency.value(part.dataset.adjacency.offsets[i] + static_cast<Offset>(k)),
                d.adjacency.value(d.adjacency.offsets[u] + static_cast<Offset>(k)));
    }
  }
}

// What one part lends is what the other has as its ghosts, in the same order.
void expect_neighbours_agree(const std::vector<Part>& parts, const std::vector<int>& owners) {
  for (const Part& part : parts) {
    Index begin = part.num_own;
    for (const Part::Neighbour& n : part.neighbours) {
      if (n.begin < n.end) {
        EXPECT_EQ(n.begin, begin);
        begin = n.end;
      }
      const Part& other = parts[n.part];
      std::vector<Index> ghosts, lent;
      for (Index g = n.begin; g < n.end; ++g) {
        ghosts.push_back(part.ids[g]);
        EXPECT_EQ(owners[part.ids[g]], n.part);
      }
      for (const Part::Neighbour& back : other.neighbours)
        if (back.part == part.number)
          for (Index row : back.lent) lent.push_back(other.ids[row]);
      EXPECT_EQ(lent, ghosts);
    }
    EXPECT_EQ(begin, static_cast<Index>(part.ids.size())) << "a ghost belongs to nobody";
  }
}

TEST(Parts, HoldTheRowsOfTheWholeAndAgreeOnWhatTheyLend) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const GraphShape shape{.nodes = 30, .directed = seed % 2 == 1, .weights = seed % 3 == 0};
    const Dataset d = random_dataset(shape, 7, 3, Rng(seed));
    for (int count : {1, 2, 5, 40}) {
      const std::vector<int> owners = random_owners(shape.nodes, count, Rng(seed).fork(9));
      const std::vector<Part> parts = cut(d, owners, count);
      ASSERT_EQ(parts.size(), static_cast<std::size_t>(count));
      Index own = 0;
      for (const Part& part : parts) {
        own += part.num_own;
        EXPECT_TRUE(std::is_sorted(part.ids.begin(), part.ids.begin() + part.num_own));
        EXPECT_EQ(std::set<Index>(part.ids.begin(), part.ids.end()).size(), part.ids.size());
        expect_rows_of_the_whole(part, d);
      }
      EXPECT_EQ(own, shape.nodes);
      expect_neighbours_agree(parts, owners);
    }
  }
}

TEST(Parts, OnePartIsTheWhole) {
  const Dataset d = random_dataset({}, 7, 3, Rng(1));
  const Part part = cut(d, std::vector<int>(20, 0), 1)[0];
  EXPECT_EQ(part.dataset.adjacency.offsets, d.adjacency.offsets);
  EXPECT_EQ(part.dataset.adjacency.indices, d.adjacency.indices);
  EXPECT_EQ(part.dataset.adjacency.values, d.adjacency.values);
  EXPECT_EQ(part.num_ghosts(), 0);
  EXPECT_TRUE(part.neighbours.empty());
}

TEST(Parts, WithoutEdgesThereAreNoGhosts) {
  const Dataset d = random_dataset({}, 7, 3, Rng(1));
  for (const Part& part : cut(d, random_owners(20, 3, Rng(2)), 3, false)) {
    EXPECT_EQ(part.num_ghosts(), 0);
    EXPECT_EQ(part.dataset.adjacency.nnz(), 0);
    EXPECT_EQ(part.dataset.features.rows(), part.num_own);
  }
}

}  // namespace
}  // namespace gcnh::testing
