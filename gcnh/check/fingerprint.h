// By what a graph is known again, whatever file it comes from and whatever it is called.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gcnh/check/rules.h"

namespace gcnh {

struct Fingerprint {
  std::uint64_t rows = 0;    // of the rows of features, in any order
  std::uint64_t placed = 0;  // of the same, each with the number of its node
  std::uint64_t labels = 0;  // in whatever way classes are called
  std::uint64_t edges = 0;   // undirected, repeats merged, no loops
};
Fingerprint fingerprint(const CheckInput& input);

// A graph as it was released, and what is to be known of it beyond what other rules find. A part of its fingerprint is
// 0 where it was released with a part of another graph.
struct KnownGraph {
  std::string name;
  Index nodes, features;
  Offset edges;
  Fingerprint print;
  std::string remark = {};
};
const std::vector<KnownGraph>& known_graphs();

}  // namespace gcnh
