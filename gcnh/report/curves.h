// How well the probabilities of a class order the nodes: ROC and precision-recall curves, whose areas are the metrics
// of those names (train/metrics.h). A curve is a line through points whose x never falls; two points of one x are a
// step.
#pragma once

#include <span>
#include <vector>

#include "gcnh/base/matrix.h"

namespace gcnh::report {

struct CurvePoint {
  double x = 0, y = 0;
};
using Curve = std::vector<CurvePoint>;

// Class k against the rest, by log-probabilities (nodes, classes). Nodes of equal probability are taken together. Empty
// where all nodes are of the class, or none.
Curve roc_curve(const Matrix& logp, std::span<const int> labels, Index k);  // share of the class over share of the rest
Curve pr_curve(const Matrix& logp, std::span<const int> labels, Index k);   // precision over recall, in steps

double area(const Curve& curve);

// The mean of the y for every x; its area is the mean of the areas. All curves begin and end at the same x.
Curve mean_curve(std::span<const Curve> curves);

// At most about so many of the points, evenly taken.
Curve thin(const Curve& curve, std::size_t most);

}  // namespace gcnh::report
