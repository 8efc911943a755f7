// Graphs whose homophily is chosen: the process behind syn-cora (Zhu et al., NeurIPS 2020, arXiv:2006.11468).
#pragma once

#include "gcnh/graph/dataset.h"

namespace gcnh {

struct SyntheticOptions {
  double homophily = 0.1;
  Index nodes = 1490;
  Index classes = 5;
  int edges_per_node = 2;
  Index features = 1433;
  int words = 18;
  double topic = 0.15;
  int splits = 10;
  int seed = 1;

  void visit(auto&& f) {
    f("homophily", homophily, "share of the edges that join nodes of one class", within(0, 1));
    f("nodes", nodes, "number of nodes, divided evenly among the classes");
    f("classes", classes, "number of classes", at_least(2));
    f("edges_per_node", edges_per_node, "links that each new node makes", at_least(1));
    f("features", features, "vocabulary of the built-in bag of words; unused when features come from a source graph");
    f("words", words, "words per node of the built-in bag of words", at_least(1));
    f("topic", topic, "share of a node's words that come from its class's topic; more makes features tell more",
      within(0, 1));
    f("splits", splits, "number of stratified 48/32/20 splits", at_least(0));
    f("seed", seed, "the same seed gives the same graph");
  }
};

// Features come from `source` where given: the synthetic classes, largest first, are matched to its largest classes and
// every node receives the row of a distinct source node of its class. Otherwise from a bag of words of our own.
Tables make_synthetic(const SyntheticOptions& options, const Tables* source = nullptr);

}  // namespace gcnh
