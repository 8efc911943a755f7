// Log-softmax over classes and the negative log-likelihood of the true class.
#include <cmath>

#include "gcnh/base/parallel.h"
#include "gcnh/kernels/kernels.h"
#include "gcnh/kernels/weighted_loss.h"

namespace gcnh::kernels {
namespace {

double sum_of(std::span<const int> labels, std::span<const Real> w) {
  double sum = 0;
  for (int label : labels) sum += static_cast<double>(w[label]);
  return sum;
}

}  // namespace

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

double nll(const Matrix& logp, std::span<const int> labels) {
  double sum = 0;
  for (Index i = 0; i < logp.rows(); ++i) sum -= static_cast<double>(logp(i, labels[i]));
  return sum / logp.rows();
}

void softmax_nll_backward_add(const Matrix& logp, std::span<const int> labels, Real scale, Matrix& dlogits) {
  const Index k = logp.cols();
  parallel_each(logp.rows(), 8 * k, [&](Index i) {
    for (Index j = 0; j < k; ++j) dlogits(i, j) += scale * std::exp(logp(i, j));
    dlogits(i, labels[i]) -= scale;
  });
}

double weighted_nll(const Matrix& logp, std::span<const int> labels, std::span<const Real> w) {
  double sum = 0;
  for (Index i = 0; i < logp.rows(); ++i)
    sum -= static_cast<double>(w[labels[i]]) * static_cast<double>(logp(i, labels[i]));
  return sum / sum_of(labels, w);
}

void weighted_softmax_nll_backward_add(const Matrix& logp, std::span<const int> labels, std::span<const Real> w,
                                       Real scale, Matrix& dlogits) {
  const Index k = logp.cols();
  const Real unit = scale / static_cast<Real>(sum_of(labels, w));
  parallel_each(logp.rows(), 8 * k, [&](Index i) {
    const Real own = unit * w[labels[i]];
    for (Index j = 0; j < k; ++j) dlogits(i, j) += own * std::exp(logp(i, j));
    dlogits(i, labels[i]) -= own;
  });
}

}  // namespace gcnh::kernels
