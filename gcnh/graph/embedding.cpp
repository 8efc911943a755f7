#include "gcnh/graph/embedding.h"

namespace gcnh {

double separation(Geometry geometry, Point p, Point q) {
  const double dx = p.x - q.x, dy = p.y - q.y, square = dx * dx + dy * dy;
  if (geometry == Geometry::plane) return square;
  return 2 * square / ((1 - (p.x * p.x + p.y * p.y)) * (1 - (q.x * q.x + q.y * q.y)));
}

}  // namespace gcnh
