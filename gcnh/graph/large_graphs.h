// Graphs of any size, made in seconds, to measure time and memory on: power-law degrees, classes that avoid their own
// kind, features sparse or dense.
#pragma once

#include <string>

#include "gcnh/graph/dataset.h"

namespace gcnh {

struct ShapeOptions {
  Index nodes = 169'343;
  int edges = 1'166'243;
  Index classes = 40;
  Index features = 128;
  int words = 0;
  double homophily = 0.1;
  double train = 0.48;
  double val = 0.32;
  int seed = 1;

  void visit(auto&& f) {
    f("nodes", nodes, "number of nodes", at_least(1));
    f("edges", edges, "edges drawn; the few that are drawn twice count once", at_least(0));
    f("classes", classes, "number of classes", at_least(1));
    f("features", features, "number of features", at_least(1));
    f("words", words, "features a node has, out of all", at_least(0, "0: dense features"));
    f("homophily", homophily, "share of the edges that join nodes of one class", within(0, 1));
    f("train", train, "share of training nodes");
    f("val", val, "share of validation nodes; the rest is tested");
    f("seed", seed, "the same seed gives the same graph");
  }
};

// The sizes of well-known graphs: arxiv | products (of the Open Graph Benchmark).
ShapeOptions named_shape(const std::string& name);

// Both ends of an edge, and the words of a node, are drawn from ranks whose chance falls with rank^-1/2: degrees follow
// a power law of exponent 3, and the best-linked hundredth of the nodes has a tenth of the edge ends. An edge that does
// not stay in its class leads to the next class on a circle.
Tables make_shape(const ShapeOptions& options);

}  // namespace gcnh
