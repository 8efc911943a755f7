#include "gcnh/graph/propagator.h"

#include <cmath>
#include <cstddef>
#include <vector>

namespace gcnh {
namespace {

// Of A + I, entries of the same place still apart.
std::vector<Triple> entries_with_loops(const Csr& a) {
  std::vector<Triple> out;
  out.reserve(a.indices.size() + static_cast<std::size_t>(a.rows));
  for (Index u = 0; u < a.rows; ++u) {
    for (Offset e = a.offsets[u]; e < a.offsets[u + 1]; ++e) out.push_back({u, a.indices[e], a.value(e)});
    out.push_back({u, u, Real{1}});
  }
  return out;
}

// a_uv / sqrt(out_u in_v)
void divide_by_roots(const std::vector<double>& out, const std::vector<double>& in, Csr& a) {
  if (a.values.empty()) a.values.assign(a.indices.size(), Real{1});
  for (Index u = 0; u < a.rows; ++u)
    for (Offset e = a.offsets[u]; e < a.offsets[u + 1]; ++e)
      a.values[e] = static_cast<Real>(static_cast<double>(a.values[e]) / std::sqrt(out[u] * in[a.indices[e]]));
}

}  // namespace

const Csr& Propagator::backward() const {
  Both& both = *both_;
  if (!both.backward) both.backward = is_symmetric(both.a) ? &both.a : &both.transposed.emplace(transpose(both.a));
  return *both.backward;
}

std::span<const Offset> Propagator::source() const {
  if (both_->source.empty()) transpose(both_->a, &both_->source);
  return both_->source;
}

Csr mean_rows(Csr a, Real epsilon) {
  if (a.values.empty()) a.values.assign(a.indices.size(), Real{1});
  for (Index u = 0; u < a.rows; ++u) {
    Real sum = 0;
    for (Offset e = a.offsets[u]; e < a.offsets[u + 1]; ++e) sum += a.values[e];
    for (Offset e = a.offsets[u]; e < a.offsets[u + 1]; ++e) a.values[e] /= sum + epsilon;
  }
  return a;
}

Csr symmetric_normalized(Csr a, const MatrixSums& whole) {
  const MatrixSums own = whole.rows.empty() ? sums_of(a) : MatrixSums{};
  const auto& [out, in] = whole.rows.empty() ? own : whole;
  divide_by_roots(out, in, a);
  return a;
}

Csr symmetric_normalized_with_loops(const Csr& a, const MatrixSums& whole) {
  Csr s = make_csr(a.rows, a.cols, entries_with_loops(a), Repeats::add);
  std::vector<double> degree(a.rows, 1.0);
  for (Index u = 0; u < a.rows; ++u) {
    if (a.row(u).empty() && !whole.rows.empty()) degree[u] += whole.rows[u];
    for (Offset e = a.offsets[u]; e < a.offsets[u + 1]; ++e) degree[u] += static_cast<double>(a.value(e));
  }
  divide_by_roots(degree, degree, s);
  return s;
}

Csr pattern_with_loops(const Csr& a) {
  Csr out = make_csr(a.rows, a.cols, entries_with_loops(a), Repeats::keep_one);
  out.values = {};
  return out;
}

}  // namespace gcnh
