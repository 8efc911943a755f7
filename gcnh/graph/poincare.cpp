// Embedding in the Poincare disk. For an edge (u, v) and a few nodes w that are no neighbours of u, one step lowers
//   -log(e^-d(u,v) / sum of e^-d(u,.) over v and all w)
// where d(p, q) = arcosh(1 + s) and s = 2 |p - q|^2 / ((1 - |p|^2) (1 - |q|^2)), along its Riemannian gradient, which
// is the Euclidean one times (1 - |p|^2)^2 / 4. Of d only e^-d = 1 / (1 + s + sqrt(s (s + 2))) is needed.
#include <algorithm>
#include <array>
#include <cmath>

#include "gcnh/base/random.h"
#include "gcnh/graph/embedding.h"

namespace gcnh {
namespace {

constexpr std::uint64_t kSeed = 1705'08039;
constexpr std::int64_t kPasses = 50;            // steps per direction of an edge,
constexpr std::int64_t kMostSteps = 4'000'000;  // and no more than this many in all
constexpr double kRate = 0.1;
constexpr double kBurnIn = 0.1;       // share of the steps taken at a tenth of the rate, to find the angles first
constexpr double kStart = 1e-3;       // points start in a square of this half width
constexpr double kBorder = 1 - 1e-5;  // and stay within this radius
constexpr int kBlocks = 2;            // of four random nodes each, per step
constexpr int kOthers = 1 + 4 * kBlocks;

enum WalkStream : std::uint64_t { kStarts, kPairs, kNodes };

double dot(Point p, Point q) { return p.x * q.x + p.y * q.y; }
Point scaled(Point p, double f) { return {p.x * f, p.y * f}; }
Point sum(Point p, Point q) { return {p.x + q.x, p.y + q.y}; }

// d(p, q) by p, without the factor 4 / root(s (s + 2)) that it shares with d(p, q) by q.
Point distance_gradient(Point p, Point q) {
  const double a = 1 - dot(p, p), b = 1 - dot(q, q);
  return scaled(sum(scaled(p, (dot(q, q) - 2 * dot(p, q) + 1) / a), scaled(q, -1)), 1 / (a * b));
}

// p less rate times the Riemannian gradient, pulled back into the disk.
Point moved(Point p, Point gradient, double rate) {
  const double a = 1 - dot(p, p);
  p = sum(p, scaled(gradient, -rate * a * a / 4));
  const double length = std::sqrt(dot(p, p));
  return length > kBorder ? scaled(p, kBorder / length) : p;
}

class Descent {
 public:
  explicit Descent(const Csr& graph) : graph_(graph), points_(graph.rows) {
    const Rng starts = rng_.fork(kStarts);
    for (Index u = 0; u < graph.rows; ++u) {
      const auto i = static_cast<std::uint64_t>(u);
      points_[u] = {kStart * (2 * starts.uniform(2 * i) - 1), kStart * (2 * starts.uniform(2 * i + 1) - 1)};
      sources_.insert(sources_.end(), graph.row(u).size(), u);
    }
  }

  std::vector<Point> run() {
    const std::int64_t steps = std::min<std::int64_t>(kPasses * graph_.nnz(), kMostSteps);
    const auto burn_in = static_cast<std::int64_t>(kBurnIn * static_cast<double>(steps));
    for (std::int64_t i = 0; i < steps; ++i) {
      const std::uint64_t edge = edges_.below(sources_.size(), static_cast<std::uint64_t>(i));
      step(sources_[edge], choose_others(i, sources_[edge], graph_.indices[edge]), i < burn_in ? kRate / 10 : kRate);
    }
    return std::move(points_);
  }

 private:
  struct Others {
    std::array<Index, kOthers> nodes;
    int count = 0;
  };

  // The neighbour v, then the random nodes that are neither u nor joined to it.
  Others choose_others(std::int64_t number, Index u, Index v) const {
    Others out;
    out.nodes[out.count++] = v;
    const auto row = graph_.row(u);
    for (int b = 0; b < kBlocks; ++b) {
      for (std::uint32_t word : nodes_.block(static_cast<std::uint64_t>(number * kBlocks + b))) {
        const auto w = static_cast<Index>(std::uint64_t{word} * static_cast<std::uint64_t>(graph_.rows) >> 32);
        if (w != u && !std::binary_search(row.begin(), row.end(), w)) out.nodes[out.count++] = w;
      }
    }
    return out;
  }

  void step(Index u, const Others& others, double rate) {
    std::array<double, kOthers> root, near;
    double total = 0;
    const Point p = points_[u];
    for (int i = 0; i < others.count; ++i) {
      const double s = separation(Geometry::disk, p, points_[others.nodes[i]]);
      root[i] = std::sqrt(s * (s + 2));
      near[i] = 1 / (1 + s + root[i]);
      total += near[i];
    }
    Point gradient;
    for (int i = 0; i < others.count; ++i) {
      if (root[i] == 0) continue;  // points on top of each other have no direction
      Point& q = points_[others.nodes[i]];
      const double by_distance = ((i == 0 ? 1 : 0) - near[i] / total) * 4 / root[i];
      gradient = sum(gradient, scaled(distance_gradient(p, q), by_distance));
      q = moved(q, scaled(distance_gradient(q, p), by_distance), rate);
    }
    points_[u] = moved(p, gradient, rate);
  }

  const Csr& graph_;
  const Rng rng_{kSeed}, edges_ = rng_.fork(kPairs), nodes_ = rng_.fork(kNodes);
  std::vector<Point> points_;
  std::vector<Index> sources_;  // row of each entry
};

}  // namespace

Embedding poincare(const Csr& graph) { return {Geometry::disk, Descent(graph).run()}; }

}  // namespace gcnh
