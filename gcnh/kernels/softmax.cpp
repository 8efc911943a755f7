// Log-softmax over classes and the negative log-likelihood of the true class.
#include <cmath>

#include "gcnh/base/parallel.h"
#include "gcnh/kernels/kernels.h"
#include "gcnh/kernels/weighted_loss.h"

namespace gcnh::kernels {

void log_softmax(const Matrix& logits, Matrix& logp) {
  const Index k = logits.cols();
  parallel_each(logits.rows(), 16 * k, [&](Index i) {
    const Real* from = logits.row(i);
    const Real largest = *std::max_element(from, from + k);
    Real sum = 0;
    for (Index j = 0; j < k; ++j) sum += std::exp(from[j] - largest);
    const Real shift = largest + std::log(sum);
    for (Index j = 0; j < k; ++j) logp(i, j) = from[j] - shift;
  });
}

double nll(const Matrix& logp, std::span<const int> labels) { return nll_sum(logp, labels, {}) / logp.rows(); }

double nll_sum(const Matrix& logp, std::span<const int> labels, std::span<const Real> w) {
  double sum = 0;
  for (Index i = 0; i < logp.rows(); ++i) {
    const auto own = static_cast<double>(logp(i, labels[i]));
    sum -= w.empty() ? own : static_cast<double>(w[labels[i]]) * own;
  }
  return sum;
}

double weight_sum(std::span<const int> labels, std::span<const Real> w) {
  if (w.empty()) return static_cast<double>(labels.size());
  double sum = 0;
  for (int label : labels) sum += static_cast<double>(w[label]);
  return sum;
}

void softmax_nll_backward_add(const Matrix& logp, std::span<const int> labels, Real scale, Matrix& dlogits) {
  nll_sum_backward_add(logp, labels, {}, scale, dlogits);
}

double weighted_nll(const Matrix& logp, std::span<const int> labels, std::span<const Real> w) {
  return nll_sum(logp, labels, w) / weight_sum(labels, w);
}

void weighted_softmax_nll_backward_add(const Matrix& logp, std::span<const int> labels, std::span<const Real> w,
                                       Real scale, Matrix& dlogits) {
  nll_sum_backward_add(logp, labels, w, scale / static_cast<Real>(weight_sum(labels, w)), dlogits);
}

void nll_sum_backward_add(const Matrix& logp, std::span<const int> labels, std::span<const Real> w, Real unit,
                          Matrix& dlogits) {
  const Index k = logp.cols();
  parallel_each(logp.rows(), 8 * k, [&](Index i) {
    const Real own = w.empty() ? unit : unit * w[labels[i]];
    for (Index j = 0; j < k; ++j) dlogits(i, j) += own * std::exp(logp(i, j));
    dlogits(i, labels[i]) -= own;
  });
}

}  // namespace gcnh::kernels
