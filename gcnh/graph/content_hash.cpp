#include "gcnh/graph/content_hash.h"

#include <array>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace gcnh {
namespace {

// Chains the bytes of an array to what was hashed before.
template <class Values>
std::uint64_t chain(std::uint64_t seed, const Values& values) {
  return XXH3_64bits_withSeed(values.data(), values.size() * sizeof(*values.data()), seed);
}

std::uint64_t chain(std::uint64_t hash, const Csr& a) {
  return chain(chain(chain(hash, a.offsets), a.indices), a.values);
}

std::uint64_t chain_graph(std::uint64_t hash, const Dataset& d) {
  hash = chain(hash, d.adjacency);
  for (const Csr& derived : d.derived.matrices) hash = chain(hash, derived);
  return hash;
}

}  // namespace

std::uint64_t content_hash(const Dataset& d) {
  std::uint64_t hash = chain_graph(static_cast<std::uint64_t>(d.features.cols()), d);
  hash = d.features.is_sparse() ? chain(hash, d.features.sparse()) : chain(hash, d.features.dense().values());
  hash = chain(hash, d.labels);
  for (const Split& split : d.splits) hash = chain(chain(chain(hash, split.train), split.val), split.test);
  return hash;
}

std::uint64_t row_hash(const Features& features, Index row) {
  std::uint64_t hash = 0;
  const auto add = [&](Index column, Real value) {
    if (value != 0) hash = chain(chain(hash, std::array{column}), std::array{value});
  };
  if (features.is_sparse()) {
    const Csr& x = features.sparse();
    for (Offset e = x.offsets[row]; e < x.offsets[row + 1]; ++e) add(x.indices[e], x.value(e));
  } else {
    for (Index j = 0; j < features.cols(); ++j) add(j, features.dense()(row, j));
  }
  return hash;
}

std::uint64_t graph_hash(const Dataset& d) { return chain_graph(0, d); }

}  // namespace gcnh
