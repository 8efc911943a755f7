#include "gcnh/graph/propagator.h"

#include <cmath>
#include <cstddef>
#include <vector>

namespace gcnh {

const Csr& Propagator::backward() const {
  if (!transposed_) transposed_ = is_symmetric(*a_) ? a_ : std::make_shared<const Csr>(transpose(*a_));
  return *transposed_;
}

Csr mean_rows(Csr a) {
  if (a.values.empty()) a.values.assign(a.indices.size(), Real{1});
  for (Index u = 0; u < a.rows; ++u) {
    Real sum = 0;
    for (Offset e = a.offsets[u]; e < a.offsets[u + 1]; ++e) sum += a.values[e];
    for (Offset e = a.offsets[u]; e < a.offsets[u + 1]; ++e) a.values[e] /= sum + Real(1e-6);
  }
  return a;
}

Csr symmetric_normalized_with_loops(const Csr& a) {
  std::vector<Triple> entries;
  entries.reserve(a.indices.size() + static_cast<std::size_t>(a.rows));
  std::vector<double> degree(a.rows, 1.0);
  for (Index u = 0; u < a.rows; ++u) {
    for (Offset e = a.offsets[u]; e < a.offsets[u + 1]; ++e) {
      entries.push_back({u, a.indices[e], a.value(e)});
      degree[u] += static_cast<double>(a.value(e));
    }
    entries.push_back({u, u, Real{1}});
  }
  Csr s = make_csr(a.rows, a.cols, std::move(entries), Repeats::add);
  if (s.values.empty()) s.values.assign(s.indices.size(), Real{1});
  for (Index u = 0; u < s.rows; ++u)
    for (Offset e = s.offsets[u]; e < s.offsets[u + 1]; ++e)
      s.values[e] = static_cast<Real>(static_cast<double>(s.values[e]) / std::sqrt(degree[u] * degree[s.indices[e]]));
  return s;
}

}  // namespace gcnh
