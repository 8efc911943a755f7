#include "gcnh/graph/content_hash.h"

#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include "gcnh/graph/exact_numbers.h"

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

// What the features do not say of a column of numbers: where they are missing, and their last digits. Numbers that a
// matrix can hold add nothing, so that a graph has one hash as a matrix and as a table.
std::uint64_t chain_numbers(std::uint64_t hash, Index number, const Column& column) {
  std::vector<std::uint64_t> rest;
  for (std::size_t u = 0; u < column.numbers.size(); ++u) {
    const double x = column.numbers[u];
    const bool missing = std::isnan(x);
    if (missing || !is_exact(x))
      rest.insert(rest.end(),
                  {u, std::bit_cast<std::uint64_t>(missing ? std::numeric_limits<double>::quiet_NaN() : x)});
  }
  return rest.empty() ? hash : chain(chain(hash, std::array{number}), rest);
}

// The columns of a table as they were read: what models see of them is made split by split.
std::uint64_t chain_columns(std::uint64_t hash, const std::vector<Column>& columns) {
  Index number = 0;
  for (const Column& column : columns) {
    if (column.spec.kind == ColumnKind::ignore) continue;
    ++number;
    if (column.spec.kind == ColumnKind::num) {
      hash = chain_numbers(hash, number, column);
      continue;
    }
    hash = chain(chain(hash, std::array{number, static_cast<Index>(column.spec.kind)}), column.numbers);
    for (const std::string& value : column.values) hash = chain(hash, value);
    hash = chain(hash, column.items);
  }
  return hash;
}

std::uint64_t chain_graph(std::uint64_t hash, const Dataset& d) {
  hash = chain(hash, d.adjacency);
  if (d.keeps_apart()) hash = chain(hash, d.pointing_to);
  for (const Csr& derived : d.derived.matrices) hash = chain(hash, derived);
  return hash;
}

}  // namespace

std::uint64_t content_hash(const Dataset& d) {
  std::uint64_t hash = chain_graph(static_cast<std::uint64_t>(d.features.cols()), d);
  hash = d.features.is_sparse() ? chain(hash, d.features.sparse()) : chain(hash, d.features.dense().values());
  hash = chain(hash, d.labels);
  if (d.columns) hash = chain_columns(hash, *d.columns);
  for (const Split& split : d.splits) hash = chain(chain(chain(hash, split.train), split.val), split.test);
  return hash;
}

std::uint64_t row_hash(const Features& features, Index row) {
  std::uint64_t hash = 0;
  for_each_entry(features, row,
                 [&](Index column, Real value) { hash = chain(chain(hash, std::array{column}), std::array{value}); });
  return hash;
}

std::uint64_t text_hash(std::string_view text) { return chain(0, text); }

std::uint64_t graph_hash(const Dataset& d) { return chain_graph(0, d); }

}  // namespace gcnh
