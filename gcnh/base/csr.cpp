#include "gcnh/base/csr.h"

#include <numeric>

#include "gcnh/base/error.h"

namespace gcnh {
namespace {

void check_places(Index rows, Index cols, std::span<const Triple> triples) {
  require(rows >= 0 && cols >= 0, "a matrix of ", rows, " x ", cols);
  for (const auto& [row, col, value] : triples)
    require(row >= 0 && row < rows && col >= 0 && col < cols, "entry (", row, ", ", col, ") outside of a matrix of ",
            rows, " x ", cols);
}

// Turns counts shifted by one into row offsets.
void accumulate(std::vector<Offset>& counts) {
  for (std::size_t i = 1; i < counts.size(); ++i) counts[i] += counts[i - 1];
}

Csr transpose_rows(const Csr& a, std::span<const Index> rows, std::vector<Offset>* source) {
  Csr t{a.cols, a.rows, std::vector<Offset>(a.cols + 1), {}, {}};
  for (Index i : rows)
    for (Index j : a.row(i)) ++t.offsets[j + 1];
  accumulate(t.offsets);
  t.indices.resize(t.offsets.back());
  if (!a.values.empty()) t.values.resize(t.indices.size());
  std::vector<Offset> next(t.offsets.begin(), t.offsets.end() - 1);
  for (Index i : rows) {
    for (Offset e = a.offsets[i]; e < a.offsets[i + 1]; ++e) {
      const Offset to = next[a.indices[e]]++;
      t.indices[to] = i;
      if (!a.values.empty()) t.values[to] = a.values[e];
      if (source) (*source)[to] = e;
    }
  }
  return t;
}

}  // namespace

Csr make_csr(Index rows, Index cols, std::vector<Triple> triples, Repeats repeats) {
  check_places(rows, cols, triples);
  std::stable_sort(triples.begin(), triples.end(),
                   [](const Triple& a, const Triple& b) { return a.row != b.row ? a.row < b.row : a.col < b.col; });
  Csr out{rows, cols, std::vector<Offset>(rows + 1), {}, {}};
  out.indices.reserve(triples.size());
  out.values.reserve(triples.size());
  for (std::size_t i = 0; i < triples.size(); ++i) {
    const Triple& t = triples[i];
    if (i > 0 && triples[i - 1].row == t.row && triples[i - 1].col == t.col) {
      Real& last = out.values.back();
      last = repeats == Repeats::add ? last + t.value : t.value;
      continue;
    }
    out.indices.push_back(t.col);
    out.values.push_back(t.value);
    ++out.offsets[t.row + 1];
  }
  accumulate(out.offsets);
  drop_unit_values(out);
  return out;
}

Csr transpose(const Csr& a, std::vector<Offset>* source) {
  std::vector<Index> all(a.rows);
  std::iota(all.begin(), all.end(), Index{0});
  if (source) source->resize(a.nnz());
  return transpose_rows(a, all, source);
}

Csr transpose_of_rows(const Csr& a, std::span<const Index> rows) { return transpose_rows(a, rows, nullptr); }

MatrixSums sums_of(const Csr& a) {
  MatrixSums out{std::vector<double>(a.rows, 0), std::vector<double>(a.cols, 0)};
  for (Index u = 0; u < a.rows; ++u)
    for (Offset e = a.offsets[u]; e < a.offsets[u + 1]; ++e) {
      out.rows[u] += static_cast<double>(a.value(e));
      out.columns[a.indices[e]] += static_cast<double>(a.value(e));
    }
  return out;
}

// Walks through A' in order without storing it: next[v] is where row v expects its next column.
bool is_symmetric(const Csr& a) {
  if (a.rows != a.cols) return false;
  std::vector<Offset> next(a.offsets.begin(), a.offsets.end() - 1);
  for (Index u = 0; u < a.rows; ++u) {
    for (Offset e = a.offsets[u]; e < a.offsets[u + 1]; ++e) {
      const Index v = a.indices[e];
      const Offset mirror = next[v]++;
      if (mirror == a.offsets[v + 1] || a.indices[mirror] != u || a.value(mirror) != a.value(e)) return false;
    }
  }
  return true;
}

void drop_unit_values(Csr& a) {
  if (std::all_of(a.values.begin(), a.values.end(), [](Real v) { return v == Real{1}; })) a.values = {};
}

Csr take_rows(const Csr& a, std::span<const Index> rows) {
  Csr out{static_cast<Index>(rows.size()), a.cols, {0}, {}, {}};
  for (Index i : rows) {
    const Offset begin = a.offsets[i], end = a.offsets[i + 1];
    out.indices.insert(out.indices.end(), a.indices.begin() + begin, a.indices.begin() + end);
    if (!a.values.empty()) out.values.insert(out.values.end(), a.values.begin() + begin, a.values.begin() + end);
    out.offsets.push_back(out.nnz());
  }
  return out;
}

}  // namespace gcnh
