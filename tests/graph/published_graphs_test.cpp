// The published graphs, when they are on disk: sizes, degrees, homophily, splits, and what views make of them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "gcnh/graph/homophily.h"
#include "gcnh/graph/splits.h"
#include "gcnh/graph/synthetic.h"
#include "gcnh/io/catalog.h"

namespace gcnh::testing {
namespace {

struct Known {
  std::string name;
  Index nodes;
  Index features;
  Offset directed;  // distinct edges as written, loops included
  Offset edges;
  Offset loops;
  Homophily homophily;
  double fill;  // percent
  Offset nonzeros;
  Index max_degree;
  double mean_degree;
  std::vector<int> classes;
};

// gtest prints a parameter that has no printer byte by byte.
void PrintTo(const Known& known, std::ostream* out) { *out << known.name; }

// clang-format off
const std::vector<Known> kKnown = {
    {"cornell", 183, 1703, 298, 277, 3, {.2960, .3009, .0153, -.0790, .0169},
     4.90, 15266, 94, 3.03, {33, 1, 18, 101, 30}},
    {"cornell-fixed", 183, 1703, 277, 277, 0, {.1227, .1110, .0383, -.2201, .1557},
     5.53, 17240, 94, 3.03, {38, 16, 30, 82, 17}},
    {"texas", 183, 1703, 325, 279, 16, {.0609, .0567, .0000, -.2936, .1923},
     4.90, 15266, 104, 3.05, {33, 1, 18, 101, 30}},
    {"wisconsin", 251, 1703, 515, 450, 16, {.1778, .1552, .0461, -.1733, .1311},
     5.63, 24057, 122, 3.59, {10, 70, 118, 32, 21}},
    {"film", 7600, 932, 30019, 26659, 93, {.2167, .2199, .0064, .0028, .0002},
     0.58, 40977, 1303, 7.02, {853, 1337, 1630, 1815, 1965}},
    {"chameleon", 2277, 2325, 36101, 31371, 50, {.2299, .2471, .0411, .0324, .0480},
     0.55, 29157, 732, 27.55, {456, 460, 453, 521, 387}},
    {"squirrel", 5201, 2089, 217073, 198353, 140, {.2221, .2172, .0307, .0067, .0015},
     0.86, 93477, 1903, 76.27, {1042, 1040, 1039, 1040, 1040}},
    {"cora", 2708, 1433, 10556, 5278, 0, {.8100, .8252, .7657, .7711, .5904},
     1.27, 49216, 168, 3.90, {351, 217, 418, 818, 426, 298, 180}},
    {"citeseer", 3327, 3703, 9228, 4552, 124, {.7377, .7203, .6292, .6731, .4538},
     0.85, 105165, 99, 2.74, {249, 590, 668, 701, 596, 508}},
};
// clang-format on

template <class Test>
class NeedsData : public Test {
 protected:
  void SetUp() override {
    if (!std::getenv("GCNH_DATA")) GTEST_SKIP() << "GCNH_DATA does not name the folder with the published graphs";
  }
};

class PublishedGraphs : public NeedsData<::testing::TestWithParam<Known>> {};
class PublishedViews : public NeedsData<::testing::Test> {};

Tables load(const std::string& name) { return load_named(name, std::getenv("GCNH_DATA")); }

TEST_P(PublishedGraphs, Homophily) {
  const Dataset d = make_dataset(load(GetParam().name));
  const Homophily found = measure_homophily(d), &known = GetParam().homophily;
  constexpr double kPrinted = 0.5e-4 + 1e-9;  // four decimals
  EXPECT_NEAR(found.edge, known.edge, kPrinted);
  EXPECT_NEAR(found.node, known.node, kPrinted);
  EXPECT_NEAR(found.class_insensitive, known.class_insensitive, kPrinted);
  EXPECT_NEAR(found.adjusted, known.adjusted, kPrinted);
  EXPECT_NEAR(found.label_informativeness, known.label_informativeness, kPrinted);
}

TEST_P(PublishedGraphs, Sizes) {
  const Known& known = GetParam();
  const Dataset d = make_dataset(load(known.name));
  EXPECT_EQ(d.num_nodes(), known.nodes);
  EXPECT_EQ(d.features.cols(), known.features);
  EXPECT_EQ(d.num_edges, known.edges);
  EXPECT_EQ(d.num_self_loops, known.loops);
  EXPECT_EQ(d.adjacency.nnz(), 2 * known.edges);
  EXPECT_EQ(d.features.nonzeros(), known.nonzeros);
  const double cells = static_cast<double>(d.num_nodes()) * d.features.cols();
  EXPECT_NEAR(100 * static_cast<double>(d.features.nonzeros()) / cells, known.fill, 0.005);
  EXPECT_EQ(measure_degrees(d).max, known.max_degree);
  EXPECT_NEAR(measure_degrees(d).mean, known.mean_degree, 0.005);
  std::vector<int> classes(d.num_classes());
  for (int label : d.labels) classes[std::max(label, 0)] += label >= 0 ? 1 : 0;
  EXPECT_EQ(classes, known.classes);
}

TEST_P(PublishedGraphs, DirectedEdges) {
  const Dataset d =
      make_dataset(load(GetParam().name), {.direction = View::Direction::out, .self_loops = View::SelfLoops::keep});
  EXPECT_EQ(d.adjacency.nnz(), GetParam().directed);
}

TEST_P(PublishedGraphs, SplitsAreSound) {
  const Dataset d = make_dataset(load(GetParam().name));
  EXPECT_EQ(d.splits.size(), 10u);
  for (std::size_t s = 0; s < d.splits.size(); ++s) check_split(d.splits[s], d.labels, static_cast<int>(s));
}

std::string name_of(const ::testing::TestParamInfo<Known>& known) {
  std::string name = known.param.name;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}
INSTANTIATE_TEST_SUITE_P(Graphs, PublishedGraphs, ::testing::ValuesIn(kKnown), name_of);

// What GCNH's own code makes of film.
TEST_F(PublishedViews, FilmAsGcnhReadsIt) {
  const Dataset d = make_dataset(load("film"), {.duplicates = View::Duplicates::count,
                                                .self_loops = View::SelfLoops::keep,
                                                .rows = View::Rows::by_file,
                                                .columns = View::Columns::shifted});
  EXPECT_EQ(d.features.cols(), 931);
  EXPECT_EQ(*std::max_element(d.adjacency.values.begin(), d.adjacency.values.end()), Real{16});
  EXPECT_EQ(d.adjacency.nnz(), 2 * 26659 + 93);
  EXPECT_NE(d.labels, make_dataset(load("film")).labels);
}

TEST_F(PublishedViews, CiteseerWithoutItsUnlabelledNodes) {
  View view;
  view.unlabelled = View::Unlabelled::remove;
  const Dataset d = make_dataset(load("citeseer"), view);
  EXPECT_EQ(d.num_nodes(), 3312);
  EXPECT_EQ(d.features.rows(), 3312);
  EXPECT_EQ(d.adjacency.nnz(), 2 * 4536);
  EXPECT_EQ(d.num_edges, 4552);
  for (int s = 0; s < 10; ++s) check_split(d.splits[s], d.labels, s);
}

// The five largest classes of cora have 298 nodes and more: as many rows as the default graph asks for.
TEST_F(PublishedViews, CoraFeedsTheSyntheticGraph) {
  const Tables cora = load("cora");
  const Tables t = make_synthetic({}, &cora);
  EXPECT_EQ(t.features.rows(), 1490);
  EXPECT_EQ(t.features.cols(), 1433);
  EXPECT_NEAR(static_cast<double>(t.features.nonzeros()) / 1490, 18.2, 0.3);
}

}  // namespace
}  // namespace gcnh::testing
