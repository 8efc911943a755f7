#include "gcnh/check/fingerprint.h"

#include <span>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace gcnh {
namespace {

// Of the numbers that are not 0, and where they stand, in float whatever a build computes in.
std::uint64_t hash_row(const Features& features, Index u) {
  std::uint64_t out = 0;
  for_each_entry(features, u, [&](Index column, Real x) {
    const struct {
      Index column;
      float x;
    } cell = {column, static_cast<float>(x)};
    out = XXH3_64bits_withSeed(&cell, sizeof(cell), out);
  });
  return out;
}

std::uint64_t mix(std::uint64_t a, std::uint64_t b) { return XXH3_64bits_withSeed(&b, sizeof(b), a); }

}  // namespace

// Sums of hashes: the order in which nodes and edges come makes no difference.
Fingerprint fingerprint(const CheckInput& input) {
  const Tables& tables = input.tables;
  Fingerprint out;
  std::vector<int> number(tables.classes.size(), -1);  // of the classes as they come
  int classes = 0;
  for (Index u = 0; u < tables.num_nodes(); ++u) {
    const std::uint64_t row = hash_row(tables.features, u);
    out.rows += mix(row, 0);
    out.placed += mix(row, 1 + static_cast<std::uint64_t>(u));
    if (tables.labels[u] < 0) continue;
    int& label = number[tables.labels[u]];
    if (label < 0) label = classes++;
    out.labels += mix(static_cast<std::uint64_t>(label), static_cast<std::uint64_t>(u));
  }
  const Csr& graph = input.graph();
  for (Index u = 0; u < graph.rows; ++u)
    for (Index v : graph.row(u))
      if (u < v) out.edges += mix(static_cast<std::uint64_t>(u), static_cast<std::uint64_t>(v));
  return out;
}

}  // namespace gcnh
