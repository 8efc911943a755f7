// The pairs of an embedding's points that are nearer than some distance, without looking at all pairs.
#pragma once

#include <functional>
#include <vector>

#include "gcnh/graph/embedding.h"

namespace gcnh {

// Points in strips of equal size by x, sorted by y within each: a ball meets few of them.
class ClosePairs {
 public:
  explicit ClosePairs(const Embedding& embedding);

  // visit(u, v) for every ordered pair with separation(u, v) < limit, until it returns false.
  void visit(double limit, const std::function<bool(Index, Index)>& visit) const;

  // The largest limit under which no more than `most` ordered pairs are, up to rounding.
  double limit_for(std::int64_t most) const;

 private:
  struct Strip {
    std::size_t begin, end;  // of order_
    double low, high;        // smallest and largest x
  };

  const Embedding& embedding_;
  std::vector<Index> order_;
  std::vector<Strip> strips_;
};

}  // namespace gcnh
