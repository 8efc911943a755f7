// Nodes as points of two dimensions, so that an edge has a direction. Both embeddings are deterministic, take an
// undirected graph without loops (simple_graph) and never hold an array of nodes times nodes.
#pragma once

#include <vector>

#include "gcnh/base/csr.h"

namespace gcnh {

struct Point {
  double x = 0;
  double y = 0;
};

enum class Geometry { plane, disk };  // Euclid's plane; Poincare's disk |p| < 1 with its hyperbolic distance

struct Embedding {
  Geometry geometry = Geometry::plane;
  std::vector<Point> points;
};

// Grows with the distance of two points: its square in the plane, its cosh less 1 in the disk.
double separation(Geometry geometry, Point p, Point q);

// Multidimensional scaling of shortest-path lengths. Up to 256 nodes it is Isomap itself; larger graphs are laid out
// around 256 landmarks. Nodes that no path joins count as one step further apart than the longest shortest path found.
// Tenenbaum et al., Science 290, 2000; de Silva and Tenenbaum, NIPS 2003.
Embedding isomap(const Csr& graph);

// Gradient descent in the Poincare disk: neighbours near, random others far. A fixed number of steps bounds the time
// for large graphs. Nickel and Kiela, NIPS 2017, arXiv:1705.08039.
Embedding poincare(const Csr& graph);

}  // namespace gcnh
