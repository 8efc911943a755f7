#include "gcnh/graph/close_pairs.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace gcnh {
namespace {

struct Circle {
  Point centre;
  double radius;
};

// The points q with separation(p, q) < limit fill a circle in either geometry. In the disk, with t = tanh(distance / 2)
// and a = |p|^2, its centre is p (1 - t^2) / (1 - a t^2) and its radius t (1 - a) / (1 - a t^2).
Circle circle_around(Geometry geometry, Point p, double limit) {
  if (geometry == Geometry::plane) return {p, std::sqrt(limit)};
  const double t2 = limit / (limit + 2), a = p.x * p.x + p.y * p.y, shrink = (1 - t2) / (1 - a * t2);
  return {{p.x * shrink, p.y * shrink}, std::sqrt(t2) * (1 - a) / (1 - a * t2)};
}

constexpr double kSlack = 1e-9;        // circles are widened by rounding errors; separation decides
constexpr double kEverything = 1e300;  // above all separations
constexpr int kHalvings = 100;

}  // namespace

ClosePairs::ClosePairs(const Embedding& embedding) : embedding_(embedding), order_(embedding.points.size()) {
  const std::vector<Point>& points = embedding.points;
  const auto by = [&](double Point::*coordinate) {
    return [&points, coordinate](Index u, Index v) { return points[u].*coordinate < points[v].*coordinate; };
  };
  std::iota(order_.begin(), order_.end(), 0);
  std::stable_sort(order_.begin(), order_.end(), by(&Point::x));
  const auto size = static_cast<std::size_t>(std::ceil(std::sqrt(static_cast<double>(points.size()))));
  for (std::size_t begin = 0; begin < order_.size(); begin += size) {
    const std::size_t end = std::min(begin + size, order_.size());
    strips_.push_back({begin, end, points[order_[begin]].x, points[order_[end - 1]].x});
    std::stable_sort(order_.begin() + static_cast<std::ptrdiff_t>(begin),
                     order_.begin() + static_cast<std::ptrdiff_t>(end), by(&Point::y));
  }
}

void ClosePairs::visit(double limit, const std::function<bool(Index, Index)>& visit) const {
  const std::vector<Point>& points = embedding_.points;
  const Geometry geometry = embedding_.geometry;
  for (Index u = 0; u < static_cast<Index>(points.size()); ++u) {
    const auto [centre, radius] = circle_around(geometry, points[u], limit);
    const double reach = radius * (1 + kSlack) + kSlack * std::abs(centre.x) + kSlack * std::abs(centre.y);
    for (const Strip& strip : strips_) {
      if (strip.high < centre.x - reach || strip.low > centre.x + reach) continue;
      const auto begin = order_.begin() + static_cast<std::ptrdiff_t>(strip.begin),
                 end = order_.begin() + static_cast<std::ptrdiff_t>(strip.end);
      auto v = std::lower_bound(begin, end, centre.y - reach, [&](Index w, double y) { return points[w].y < y; });
      for (; v != end && points[*v].y <= centre.y + reach; ++v)
        if (*v != u && separation(geometry, points[u], points[*v]) < limit && !visit(u, *v)) return;
    }
  }
}

double ClosePairs::limit_for(std::int64_t most) const {
  const auto num_points = static_cast<std::int64_t>(order_.size());
  if (most >= num_points * (num_points - 1)) return kEverything;
  const auto count = [&](double limit) {
    std::int64_t found = 0;
    visit(limit, [&](Index, Index) { return ++found <= most; });
    return found;
  };
  double low = 0, high = 1;
  while (count(high) <= most) high *= 2;
  for (int i = 0; i < kHalvings; ++i) {
    const double middle = (low + high) / 2;
    const std::int64_t found = count(middle);
    (found <= most ? low : high) = middle;
    if (found == most) break;
  }
  return low;
}

}  // namespace gcnh
