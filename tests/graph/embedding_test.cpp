#include "gcnh/graph/embedding.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <set>

#include "gcnh/graph/adjacency.h"
#include "gcnh/graph/close_pairs.h"
#include "tests/support/random_graph.h"

namespace gcnh::testing {
namespace {

Csr graph_of(Index num_nodes, const std::vector<std::pair<Index, Index>>& edges) {
  std::vector<Triple> entries;
  for (const auto& [u, v] : edges) entries.push_back({u, v, 1});
  return simple_graph(make_csr(num_nodes, num_nodes, entries, Repeats::add));
}

Csr path(Index length) {
  std::vector<std::pair<Index, Index>> edges;
  for (Index u = 0; u + 1 < length; ++u) edges.push_back({u, u + 1});
  return graph_of(length, edges);
}

Csr ring(Index length) {
  std::vector<std::pair<Index, Index>> edges;
  for (Index u = 0; u < length; ++u) edges.push_back({u, (u + 1) % length});
  return graph_of(length, edges);
}

Csr grid(Index width, Index height) {
  std::vector<std::pair<Index, Index>> edges;
  for (Index y = 0; y < height; ++y)
    for (Index x = 0; x < width; ++x) {
      if (x + 1 < width) edges.push_back({y * width + x, y * width + x + 1});
      if (y + 1 < height) edges.push_back({y * width + x, (y + 1) * width + x});
    }
  return graph_of(width * height, edges);
}

Csr random_simple(Index nodes, std::uint64_t seed, double edges_per_node = 2, double isolated = 0) {
  return simple_graph(
      random_graph({.nodes = nodes, .edges_per_node = edges_per_node, .isolated = isolated}, Rng(seed)));
}

double distance(const Embedding& e, Index u, Index v) {
  return std::sqrt(separation(Geometry::plane, e.points[u], e.points[v]));
}

using Square = std::vector<std::vector<double>>;

// Floyd and Warshall; nodes that no path joins are one further apart than the longest path.
Square path_lengths(const Csr& graph) {
  const int n = graph.rows;
  constexpr double kNone = 1e6;
  Square d(n, std::vector<double>(n, kNone));
  for (int u = 0; u < n; ++u) {
    d[u][u] = 0;
    for (Index v : graph.row(u)) d[u][v] = 1;
  }
  for (int k = 0; k < n; ++k)
    for (int u = 0; u < n; ++u)
      for (int v = 0; v < n; ++v) d[u][v] = std::min(d[u][v], d[u][k] + d[k][v]);
  double longest = 0;
  for (const auto& row : d)
    for (double length : row) longest = length < kNone ? std::max(longest, length) : longest;
  for (auto& row : d)
    for (double& length : row) length = length < kNone ? length : longest + 1;
  return d;
}

// -J D2 J / 2
Square centred(const Square& d) {
  const std::size_t n = d.size();
  std::vector<double> mean(n, 0);
  double all = 0;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) mean[i] += d[i][j] * d[i][j] / static_cast<double>(n);
  for (double m : mean) all += m / static_cast<double>(n);
  Square b = d;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) b[i][j] = -0.5 * (d[i][j] * d[i][j] - mean[i] - mean[j] + all);
  return b;
}

// The largest eigenvalue with its vector, by plain power iteration on b + shift.
std::pair<double, std::vector<double>> largest_eigenpair(const Square& b) {
  const std::size_t n = b.size();
  double shift = 0;
  for (const auto& row : b) {
    double sum = 0;
    for (double x : row) sum += std::abs(x);
    shift = std::max(shift, sum);
  }
  std::vector<double> v(n);
  for (std::size_t i = 0; i < n; ++i) v[i] = 1 + Rng(4).uniform(i);
  double lambda = 0;
  for (int step = 0; step < 20000; ++step) {
    std::vector<double> w(n);
    double length = 0;
    for (std::size_t i = 0; i < n; ++i) {
      w[i] = shift * v[i];
      for (std::size_t j = 0; j < n; ++j) w[i] += b[i][j] * v[j];
      length += w[i] * w[i];
    }
    length = std::sqrt(length);
    for (std::size_t i = 0; i < n; ++i) v[i] = w[i] / length;
    lambda = length - shift;
  }
  return {lambda, v};
}

// Classical scaling, two axes, dense and slow.
std::vector<Point> dense_twin(const Csr& graph) {
  Square b = centred(path_lengths(graph));
  const auto [first, v] = largest_eigenpair(b);
  for (std::size_t i = 0; i < b.size(); ++i)
    for (std::size_t j = 0; j < b.size(); ++j) b[i][j] -= first * v[i] * v[j];
  const auto [second, w] = largest_eigenpair(b);
  std::vector<Point> out;
  for (std::size_t i = 0; i < b.size(); ++i) out.push_back({std::sqrt(first) * v[i], std::sqrt(second) * w[i]});
  return out;
}

TEST(Isomap, EqualsTheDenseTwin) {
  for (const Csr& graph : {grid(5, 3), grid(7, 2), random_simple(30, 1), random_simple(25, 2, 1.5, 0.3)}) {
    const std::vector<Point> found = isomap(graph).points, expected = dense_twin(graph);
    for (const auto axis : {&Point::x, &Point::y}) {
      double same = 0;
      for (std::size_t u = 0; u < found.size(); ++u) same += found[u].*axis * expected[u].*axis;
      const double sign = same < 0 ? -1 : 1;  // eigenvectors have no sign of their own
      for (std::size_t u = 0; u < found.size(); ++u) EXPECT_NEAR(found[u].*axis, sign * expected[u].*axis, 1e-6);
    }
  }
}

TEST(Isomap, APathIsStraight) {
  const Embedding e = isomap(path(40));
  for (Index u = 0; u < 40; ++u) {
    EXPECT_EQ(e.points[u].y, 0) << "the second axis holds rounding errors only";
    for (Index v = 0; v < 40; ++v) EXPECT_NEAR(distance(e, u, v), std::abs(u - v), 1e-9);
  }
}

TEST(Isomap, ARingIsARegularPolygon) {
  const Embedding e = isomap(ring(12));
  const double radius = std::hypot(e.points[0].x, e.points[0].y);
  for (Index u = 0; u < 12; ++u)
    for (Index k = 0; k < 12; ++k)
      EXPECT_NEAR(distance(e, u, (u + k) % 12), 2 * radius * std::sin(std::numbers::pi * k / 12), 1e-9);
}

TEST(Isomap, AGridKeepsItsAxes) {
  const Embedding e = isomap(grid(9, 4));  // the first axis runs along the longer side, one way or the other
  for (Index y = 0; y < 4; ++y)
    for (Index x = 0; x + 1 < 9; ++x) {
      const double step = e.points[y * 9 + x + 1].x - e.points[y * 9 + x].x;
      EXPECT_GT(step * (e.points[8].x - e.points[0].x), 0);
    }
}

// A path is longer than the number of landmarks, yet they place every node where it belongs.
TEST(Isomap, LandmarksPlaceTheOthers) {
  const Embedding e = isomap(path(1000));
  for (Index u = 0; u < 1000; u += 37)
    for (Index v = 0; v < 1000; v += 41) EXPECT_NEAR(distance(e, u, v), std::abs(u - v), 1e-6);
}

TEST(Isomap, ComponentsAreApart) {
  std::vector<std::pair<Index, Index>> edges = {{0, 1}, {1, 2}, {3, 4}, {4, 5}};
  const Embedding e = isomap(graph_of(6, edges));
  for (Index u = 0; u < 3; ++u)
    for (Index v = 3; v < 6; ++v) EXPECT_GT(distance(e, u, v), 1.5);
  EXPECT_EQ(isomap(graph_of(1, {})).points.size(), 1u);
  EXPECT_EQ(isomap(graph_of(4, {})).points.size(), 4u);
}

TEST(Isomap, NodeNumbersDoNotMatter) {
  const Csr graph = random_simple(40, 3);
  std::vector<Index> to(40);
  for (Index u = 0; u < 40; ++u) to[u] = u;
  shuffle(to, Rng(5));
  std::vector<std::pair<Index, Index>> edges;
  for (Index u = 0; u < 40; ++u)
    for (Index v : graph.row(u)) edges.push_back({to[u], to[v]});
  const Embedding a = isomap(graph), b = isomap(graph_of(40, edges));
  for (Index u = 0; u < 40; ++u)
    for (Index v = 0; v < 40; ++v) EXPECT_NEAR(distance(a, u, v), distance(b, to[u], to[v]), 1e-9);
}

TEST(Poincare, NeighboursAreNearerThanOthers) {
  std::vector<std::pair<Index, Index>> tree;
  for (Index u = 1; u < 63; ++u) tree.push_back({u, (u - 1) / 2});
  for (const Csr& graph : {graph_of(63, tree), ring(50), random_simple(80, 6, 1.5)}) {
    const Embedding e = poincare(graph);
    double near = 0, far = 0;
    Offset pairs = 0;
    for (Index u = 0; u < graph.rows; ++u) {
      EXPECT_LT(std::hypot(e.points[u].x, e.points[u].y), 1);
      const auto row = graph.row(u);
      for (Index v = 0; v < graph.rows; ++v) {
        const double d = std::acosh(1 + separation(Geometry::disk, e.points[u], e.points[v]));
        if (std::binary_search(row.begin(), row.end(), v))
          near += d / static_cast<double>(graph.nnz());
        else if (u != v)
          far += d, ++pairs;
      }
    }
    EXPECT_LT(2 * near, far / static_cast<double>(pairs));
  }
}

TEST(Poincare, ANodeWithoutEdgesIsNoProblem) {
  EXPECT_EQ(poincare(graph_of(3, {})).points.size(), 3u);
  EXPECT_EQ(poincare(graph_of(3, {{0, 1}})).points.size(), 3u);
}

TEST(Embeddings, SameBitsEveryTime) {
  const Csr graph = random_simple(400, 7);
  for (const auto& embed : {isomap, poincare}) {
    const std::vector<Point> a = embed(graph).points, b = embed(graph).points;
    for (std::size_t u = 0; u < a.size(); ++u) EXPECT_TRUE(a[u].x == b[u].x && a[u].y == b[u].y);
  }
}

// Random points, some on top of each other; in the disk up to its border, where distances explode.
Embedding random_points(Geometry geometry, Index count, const Rng& rng) {
  Embedding out{geometry, std::vector<Point>(count)};
  for (Index u = 0; u < count; ++u) {
    const double angle = 2 * std::numbers::pi * rng.uniform(2 * u), draw = rng.uniform(2 * u + 1);
    const double radius = geometry == Geometry::plane ? 10 * draw : 1 - std::pow(10, -5 * draw);
    out.points[u] = {radius * std::cos(angle), radius * std::sin(angle)};
    if (u % 7 == 6) out.points[u] = out.points[u - 3];
  }
  return out;
}

std::set<std::pair<Index, Index>> all_pairs_below(const Embedding& e, double limit) {
  std::set<std::pair<Index, Index>> out;
  const Index n = static_cast<Index>(e.points.size());
  for (Index u = 0; u < n; ++u)
    for (Index v = 0; v < n; ++v)
      if (u != v && separation(e.geometry, e.points[u], e.points[v]) < limit) out.insert({u, v});
  return out;
}

TEST(ClosePairs, EqualTheSearchThroughAllPairs) {
  for (Geometry geometry : {Geometry::plane, Geometry::disk}) {
    for (Index count : {1, 2, 10, 90}) {
      const Embedding e = random_points(geometry, count, Rng(8).fork(count));
      const ClosePairs pairs(e);
      for (double limit : {0.0, 1e-6, 0.01, 1.0, 30.0, 1e5, 1e300}) {
        std::set<std::pair<Index, Index>> found;
        pairs.visit(limit, [&](Index u, Index v) { return found.insert({u, v}).second; });
        EXPECT_EQ(found, all_pairs_below(e, limit)) << count << " points, limit " << limit;
      }
    }
  }
}

TEST(ClosePairs, TheLimitLetsAsManyPairsThroughAsItCan) {
  for (Geometry geometry : {Geometry::plane, Geometry::disk}) {
    const Embedding e = random_points(geometry, 60, Rng(9));
    const ClosePairs pairs(e);
    const std::size_t on_top = all_pairs_below(e, 1e-30).size();
    ASSERT_GT(on_top, 0u);
    for (std::size_t most : {std::size_t{0}, on_top, std::size_t{200}, std::size_t{1000}, std::size_t{60 * 59}}) {
      const double limit = pairs.limit_for(static_cast<std::int64_t>(most));
      const std::size_t found = all_pairs_below(e, limit).size();
      EXPECT_LE(found, most);
      EXPECT_GE(found + 8, most) << "pairs come by twos, those with coinciding points by fours or more";
    }
    EXPECT_EQ(all_pairs_below(e, pairs.limit_for(static_cast<std::int64_t>(on_top) - 1)).size(), 0u);
  }
}

}  // namespace
}  // namespace gcnh::testing
