// Ops that make one matrix of several with the same rows: weighted by trained numbers, the largest, side by side.
#include <algorithm>
#include <cmath>
#include <memory>

#include "gcnh/base/error.h"
#include "gcnh/kernels/kernels.h"
#include "gcnh/ops/ops.h"

namespace gcnh {
namespace {

kernels::Parts values_of(const std::vector<Var>& parts) {
  kernels::Parts out;
  for (Var part : parts) out.push_back(&part->value);
  return out;
}

// A node that has a gradient where one of the parts has.
Var node_of(Tape& t, Index rows, Index cols, const std::vector<Var>& parts, Var also = nullptr) {
  Var trained = also ? also : parts.front();
  for (Var part : parts)
    if (part->has_grad()) trained = part;
  Var out = t.node(rows, cols, {trained});
  out->places = parts.front()->places;
  for (Var part : parts) out->has_right_ghosts = out->has_right_ghosts && part->has_right_ghosts;
  return out;
}

void require_alike(const char* op, const std::vector<Var>& parts) {
  for (Var part : parts)
    require(part->value.same_shape(parts.front()->value), op, ": ", part->rows(), " x ", part->cols(), " beside ",
            parts.front()->rows(), " x ", parts.front()->cols());
}

// w[c] = e^theta[c] / sum over d of e^theta[d], for every column; theta's only column stands for all.
void softmax_of_rows(const Matrix& theta, Matrix& w) {
  for (Index j = 0; j < w.cols(); ++j) {
    const Index from = theta.cols() == 1 ? 0 : j;
    Real largest = theta(0, from), sum = 0;
    for (Index c = 1; c < theta.rows(); ++c) largest = std::max(largest, theta(c, from));
    for (Index c = 0; c < theta.rows(); ++c) sum += w(c, j) = std::exp(theta(c, from) - largest);
    for (Index c = 0; c < theta.rows(); ++c) w(c, j) /= sum;
  }
}

// dtheta[c] += w[c] (dw[c] - sum over d of w[d] dw[d])
void softmax_of_rows_backward_add(const Matrix& w, const Matrix& dw, Matrix& dtheta) {
  for (Index j = 0; j < w.cols(); ++j) {
    Real mean = 0;
    for (Index c = 0; c < w.rows(); ++c) mean += w(c, j) * dw(c, j);
    for (Index c = 0; c < w.rows(); ++c) dtheta(c, dtheta.cols() == 1 ? 0 : j) += w(c, j) * (dw(c, j) - mean);
  }
}

}  // namespace

// h = sum_c w[c] z_c, w = softmax of theta;   dz_c += w[c] dh,  dw[c] += sum_i dh[i] z_c[i]
Var mix(Tape& t, Var theta, const std::vector<Var>& parts) {
  require_alike("mix", parts);
  const Index k = parts.front()->cols();
  require(theta->rows() == static_cast<Index>(parts.size()) && (theta->cols() == 1 || theta->cols() == k),
          "mix: ", theta->rows(), " x ", theta->cols(), " weights for ", parts.size(), " parts of ", k, " columns");
  Var h = node_of(t, parts.front()->rows(), k, parts, theta);
  Matrix& w = t.scratch(theta->rows(), k);
  softmax_of_rows(theta->value, w);
  kernels::weighted_sum(w, values_of(parts), h->value);
  Matrix& dw = t.scratch(theta->has_grad() ? w.rows() : 0, theta->has_grad() ? k : 0);
  return t.on_backward(h, [theta, parts, h, &w, &dw] {
    std::vector<Matrix*> gradients;
    for (Var part : parts) gradients.push_back(&part->grad);
    dw.fill(0);
    kernels::weighted_sum_backward_add(w, values_of(parts), h->grad, gradients, dw);
    if (!dw.empty()) softmax_of_rows_backward_add(w, dw, theta->grad);
  });
}

// y = max_c z_c;   dz_c += dy where it is the first of the largest
Var largest_of(Tape& t, const std::vector<Var>& parts) {
  require_alike("largest_of", parts);
  Var y = node_of(t, parts.front()->rows(), parts.front()->cols(), parts);
  auto winner = std::make_shared<std::vector<Index>>();
  kernels::largest_part(values_of(parts), y->value, *winner);
  return t.on_backward(y, [parts, y, winner] {
    for (std::size_t c = 0; c < parts.size(); ++c)
      if (parts[c]->has_grad())
        kernels::largest_part_backward_add(static_cast<Index>(c), *winner, y->grad, parts[c]->grad);
  });
}

// y = [z_1 | z_2 | ...];   dz_c += its columns of dy
Var concat(Tape& t, const std::vector<Var>& parts) {
  Index cols = 0;
  for (Var part : parts) {
    require(part->rows() == parts.front()->rows(), "concat: ", part->rows(), " rows beside ", parts.front()->rows());
    cols += part->cols();
  }
  Var y = node_of(t, parts.front()->rows(), cols, parts);
  Index begin = 0;
  for (Var part : parts) {
    kernels::put_columns(part->value, begin, y->value);
    begin += part->cols();
  }
  return t.on_backward(y, [parts, y] {
    Index from = 0;
    for (Var part : parts) {
      if (part->has_grad()) kernels::take_columns_add(y->grad, from, part->grad);
      from += part->cols();
    }
  });
}

}  // namespace gcnh
