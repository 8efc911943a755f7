// The loss of classes that do not count alike, and of a share of the nodes (softmax.cpp): w[k] is the weight of class k.
//   loss = sum over i of w[label[i]] -logp[i][label[i]] / sum over i of w[label[i]]
#pragma once

#include <span>

#include "gcnh/base/matrix.h"

namespace gcnh::kernels {

double weighted_nll(const Matrix& logp, std::span<const int> labels, std::span<const Real> w);
// dlogits[i] += scale w[label[i]] / sum w (exp(logp[i]) - onehot(label[i])), the sum as above
void weighted_softmax_nll_backward_add(const Matrix& logp, std::span<const int> labels, std::span<const Real> w,
                                       Real scale, Matrix& dlogits);

// The sums above and below the fraction line, without weights where there are none.
double nll_sum(const Matrix& logp, std::span<const int> labels, std::span<const Real> w);
double weight_sum(std::span<const int> labels, std::span<const Real> w);
// dlogits[i] += unit w[label[i]] (exp(logp[i]) - onehot(label[i]))
void nll_sum_backward_add(const Matrix& logp, std::span<const int> labels, std::span<const Real> w, Real unit,
                          Matrix& dlogits);

}  // namespace gcnh::kernels
