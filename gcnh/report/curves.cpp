#include "gcnh/report/curves.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "gcnh/run/outcome.h"

namespace gcnh::report {
namespace {

// Nodes of the class and others down to some score, after each of the scores that occur.
struct Taken {
  double positives = 0, negatives = 0;
};

std::vector<Taken> take_by_score(const Matrix& logp, std::span<const int> labels, Index k) {
  std::vector<std::pair<double, bool>> nodes;
  for (Index i = 0; i < logp.rows(); ++i)
    nodes.emplace_back(rank_score(logp, i, k), labels[static_cast<std::size_t>(i)] == k);
  std::sort(nodes.begin(), nodes.end(), std::greater());
  std::vector<Taken> out;
  Taken taken;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    ++(nodes[i].second ? taken.positives : taken.negatives);
    if (i + 1 == nodes.size() || nodes[i].first != nodes[i + 1].first) out.push_back(taken);
  }
  if (taken.positives == 0 || taken.negatives == 0) out.clear();
  return out;
}

}  // namespace

Curve roc_curve(const Matrix& logp, std::span<const int> labels, Index k) {
  const std::vector<Taken> steps = take_by_score(logp, labels, k);
  if (steps.empty()) return {};
  Curve out = {{0, 0}};
  for (const Taken& t : steps)
    out.push_back({t.negatives / steps.back().negatives, t.positives / steps.back().positives});
  return out;
}

Curve pr_curve(const Matrix& logp, std::span<const int> labels, Index k) {
  const std::vector<Taken> steps = take_by_score(logp, labels, k);
  Curve out;
  double before = 0;
  for (const Taken& t : steps) {
    const double recall = t.positives / steps.back().positives;
    const double precision = t.positives / (t.positives + t.negatives);
    if (recall > before) out.insert(out.end(), {{before, precision}, {recall, precision}});
    before = recall;
  }
  return out;
}

double area(const Curve& curve) {
  double sum = 0;
  for (std::size_t i = 1; i < curve.size(); ++i)
    sum += (curve[i].x - curve[i - 1].x) * (curve[i].y + curve[i - 1].y) / 2;
  return sum;
}

Curve mean_curve(std::span<const Curve> curves) {
  // By x: by how much the sum of the curves steps there, and its slope changes.
  std::map<double, std::pair<double, double>> changes;
  for (const Curve& curve : curves) {
    if (!curve.empty()) changes[curve[0].x].first += curve[0].y;
    for (std::size_t i = 1; i < curve.size(); ++i) {
      const double width = curve[i].x - curve[i - 1].x, rise = curve[i].y - curve[i - 1].y;
      if (width > 0) {
        changes[curve[i - 1].x].second += rise / width;
        changes[curve[i].x].second -= rise / width;
      } else {
        changes[curve[i].x].first += rise;
      }
    }
  }
  const double count = static_cast<double>(curves.size());
  Curve out;
  double x = 0, y = 0, slope = 0;
  for (const auto& [at, change] : changes) {
    y += slope * (at - x);
    if (!out.empty()) out.push_back({at, y / count});
    x = at;
    y += change.first;
    slope += change.second;
    if (out.empty() || change.first != 0) out.push_back({at, y / count});
  }
  return out;
}

Curve thin(const Curve& curve, std::size_t most) {
  const std::size_t step = curve.size() / most + 1;
  Curve out;
  for (std::size_t i = 0; i < curve.size(); ++i)
    if (i % step == 0 || i + 1 == curve.size()) out.push_back(curve[i]);
  return out;
}

}  // namespace gcnh::report
