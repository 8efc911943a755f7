// How much edges join nodes of one class. All measures see the graph undirected, with repeats merged and loops removed,
// whatever the view; edges with an unlabelled end are left out. A measure that is undefined (no such edge, a single
// class) is not a number.
#pragma once

#include <vector>

#include "gcnh/base/matrix.h"
#include "gcnh/graph/dataset.h"

namespace gcnh {

struct Homophily {
  double edge = 0;
  double node = 0;
  double class_insensitive = 0;
  double adjusted = 0;
  double label_informativeness = 0;
};

Homophily measure_homophily(const Dataset& data);

// Share of each node's labelled neighbours that have its class; not a number for a node that has none or no label.
std::vector<double> node_homophily(const Dataset& data);

// (classes, classes): row k holds the classes at the other ends of the edges of class k, adding up to 1 (to 0 without
// edges).
Matrix class_compatibility(const Dataset& data);

// Degrees of all nodes, labelled or not, in the same simple graph.
struct Degrees {
  Index min = 0;
  double mean = 0;
  double median = 0;
  Index max = 0;
  Index isolated = 0;
};

Degrees measure_degrees(const Dataset& data);

// Of the entries of the adjacency; 0 without any.
struct Weights {
  double min = 0;
  double mean = 0;
  double max = 0;
};

Weights measure_weights(const Dataset& data);

}  // namespace gcnh
