#include "gcnh/study/scale_sim.h"

#include <gtest/gtest.h>

#include "gcnh/graph/large_graphs.h"
#include "gcnh/graph/partition.h"

namespace gcnh::study::testing {
namespace {

// Three parts; the second has the most to send, the third the most messages.
const std::vector<PartSize> kThreeParts = {{.nodes = 10, .entries = 100, .ghosts = 5, .lenders = 1, .lent = 4},
                                           {.nodes = 20, .entries = 150, .ghosts = 2, .lenders = 1, .lent = 9},
                                           {.nodes = 10, .entries = 50, .ghosts = 8, .lenders = 2, .lent = 2}};

TEST(ScaleSim, PricesStepsByTheFormula) {
  ScaleOptions o;
  o.layers = 3;
  o.hidden = 10;
  o.alpha = 3;
  o.beta = 0.001;  // a megabyte per second
  o.overlap = 0.25;
  const ScalePoint p = price(kThreeParts, 0.5, 1000, o);
  EXPECT_EQ(p.parts, 3);
  EXPECT_EQ(p.halo_rows, 15);
  EXPECT_DOUBLE_EQ(p.halo_per_node, 15 / 40.0);
  EXPECT_EQ(p.largest_part, 20);
  EXPECT_EQ(p.most_ghosts, 8);
  EXPECT_EQ(p.most_lenders, 2);
  EXPECT_DOUBLE_EQ(p.imbalance, 1.5);
  EXPECT_DOUBLE_EQ(p.halo, 2 * 2 * (3e-6 + 9 * 10 * 4 / 1e6));
  EXPECT_DOUBLE_EQ(p.sum, 2 * 2 * (3e-6 + 4000 / 1e6));
  EXPECT_DOUBLE_EQ(p.step, 0.5 + 0.75 * p.halo + p.sum);
}

TEST(ScaleSim, OneLayerBorrowsNothingAndOnePartSumsNothing) {
  ScaleOptions o;
  o.layers = 1;
  EXPECT_EQ(price(kThreeParts, 1, 10, o).halo, 0);
  const ScalePoint alone = price(std::vector<PartSize>{{.nodes = 3, .entries = 9}}, 1, 10, o);
  EXPECT_EQ(alone.sum, 0);
  EXPECT_EQ(alone.step, 1);
}

TEST(ScaleSim, TimesRealParts) {
  ShapeOptions shape;
  shape.nodes = 400;
  shape.edges = 1600;
  shape.classes = 4;
  shape.features = 12;
  shape.train = 0.01;  // some parts have nothing to train on
  const Dataset d = make_dataset(make_shape(shape));
  ScaleOptions o;
  o.hidden = 8;
  o.steps = 1;
  std::vector<int> told;
  const ScaleForecast f = forecast_scale(d, o, {1, 2, 8, 500}, [&](const ScalePoint& p) { told.push_back(p.parts); });
  EXPECT_EQ(told, (std::vector<int>{1, 2, 8, 500}));
  ASSERT_EQ(f.points.size(), 4u);
  EXPECT_EQ(f.points[0].halo_rows, 0);
  for (const ScalePoint& p : f.points) {
    EXPECT_GT(p.compute, 0);
    EXPECT_DOUBLE_EQ(p.speedup, f.points[0].step / p.step);
    EXPECT_DOUBLE_EQ(p.efficiency, p.speedup / p.parts);
  }
  const Loads loads = loads_of(d);
  EXPECT_EQ(f.points[2].halo_rows, halo_rows(measure_parts(d.adjacency, loads, partition(d, 8), 8)));
  EXPECT_NE(scale_json(d, o, f).find("\"efficiency\""), std::string::npos);
}

}  // namespace
}  // namespace gcnh::study::testing
