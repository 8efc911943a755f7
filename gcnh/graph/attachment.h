// Preferential attachment with a taste for classes, the process behind syn-cora.
#pragma once

#include <span>
#include <vector>

#include "gcnh/base/random.h"
#include "gcnh/graph/dataset.h"

namespace gcnh {

// Nodes arrive in the order of their numbers; the first num_classes of them start without links. A new node of class c
// links to m distinct earlier nodes v, each drawn with a weight of
//   max(deg v, 1) * t(c, class v),   t = h within the class,  t = (1 - h) w(dist) across classes,
// dist = circular distance of the class numbers, w proportional to 2^-dist and adding up to 1 over the other classes.
// In the end the few early nodes that have fewer than m links make up for them, so every degree is at least m where
// classes allow.
std::vector<Edge> attach_nodes(std::span<const int> labels, int num_classes, double h, int m, const Rng& rng);

}  // namespace gcnh
