// The loss that all models are trained with.
#include "gcnh/base/error.h"
#include "gcnh/kernels/kernels.h"
#include "gcnh/kernels/weighted_loss.h"
#include "gcnh/ops/ops.h"

namespace gcnh {

// loss = mean_i -log softmax(logits[i])[label[i]];   dlogits += dloss (softmax - onehot) / rows
Var softmax_nll(Tape& t, Var logits, std::vector<int> labels) {
  require(static_cast<std::size_t>(logits->rows()) == labels.size() && !labels.empty(), "softmax_nll: ", logits->rows(),
          " rows of logits for ", labels.size(), " labels");
  Var loss = t.node(1, 1, {logits});
  Matrix& logp = t.scratch(logits->rows(), logits->cols());
  kernels::log_softmax(logits->value, logp);
  loss->value(0, 0) = static_cast<Real>(kernels::nll(logp, labels));
  return t.on_backward(loss, [logits, loss, &logp, labels = std::move(labels)] {
    const Real scale = loss->grad(0, 0) / static_cast<Real>(labels.size());
    kernels::softmax_nll_backward_add(logp, labels, scale, logits->grad);
  });
}

// loss = sum_i w[label[i]] -log softmax(logits[i])[label[i]] / W,  W = sum_i w[label[i]]
// dlogits[i] += dloss w[label[i]] (softmax - onehot) / W
Var softmax_nll(Tape& t, Var logits, std::vector<int> labels, std::vector<Real> w) {
  require(static_cast<std::size_t>(logits->rows()) == labels.size() && !labels.empty(), "softmax_nll: ", logits->rows(),
          " rows of logits for ", labels.size(), " labels");
  require(static_cast<std::size_t>(logits->cols()) == w.size(), "softmax_nll: ", w.size(), " weights for ",
          logits->cols(), " classes");
  Var loss = t.node(1, 1, {logits});
  Matrix& logp = t.scratch(logits->rows(), logits->cols());
  kernels::log_softmax(logits->value, logp);
  loss->value(0, 0) = static_cast<Real>(kernels::weighted_nll(logp, labels, w));
  return t.on_backward(loss, [logits, loss, &logp, labels = std::move(labels), w = std::move(w)] {
    kernels::weighted_softmax_nll_backward_add(logp, labels, w, loss->grad(0, 0), logits->grad);
  });
}

// The share that some nodes have in it, as above the fraction line;   dlogits[i] += w[label[i]] (softmax - onehot) / W
double softmax_nll_share(Tape& t, Var logits, std::span<const int> labels, std::span<const Real> w, double total) {
  Matrix& logp = t.scratch(logits->rows(), logits->cols());
  kernels::log_softmax(logits->value, logp);
  if (logits->has_grad())
    kernels::nll_sum_backward_add(logp, labels, w, 1 / static_cast<Real>(total), logits->grad);
  return kernels::nll_sum(logp, labels, w);
}

}  // namespace gcnh
