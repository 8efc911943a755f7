#include "gcnh/kernels/head.h"

#include <cmath>
#include <limits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "gcnh/kernels/head.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// After highway.h, for each target.
#include <hwy/contrib/math/math-inl.h>

HWY_BEFORE_NAMESPACE();
namespace gcnh::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Tag = hn::ScalableTag<Real>;
using Vec = hn::Vec<Tag>;
constexpr Index kLanes = static_cast<Index>(hn::MaxLanes(Tag()));

constexpr Real kLargeProduct = Real(1e30);  // times 64 classes is still far from overflow

struct Row {
  HWY_ALIGN Real h[kHeadMostWidth];
  HWY_ALIGN Real logits[kHeadMostClasses];
  HWY_ALIGN Real exps[kHeadMostClasses];  // exp(logit - largest)
  Real largest;
  Real sum;  // of the exps
};

// h, logits and their exponentials of row i.
HWY_INLINE void forward_row(const HeadInput& in, Index i, Row& row) {
  const Tag d;
  const Index k = in.z.cols();
  const Real* z = in.z.row(in.rows[i]);
  const Real* a = in.a.row(i);
  for (Index j = 0; j < k; j += kLanes) {
    const Vec b = hn::Load(d, in.b.data() + j);
    Vec h = hn::MulAdd(b, hn::LoadU(d, z + j), hn::Mul(hn::Sub(hn::Set(d, Real{1}), b), hn::LoadU(d, a + j)));
    if (in.factor) h = hn::Mul(h, hn::LoadU(d, in.factor + Offset{i} * k + j));
    hn::Store(h, d, row.h + j);
  }
  const PaddedClassifier& c = in.classifier;
  Vec largest = hn::Set(d, std::numeric_limits<Real>::lowest());
  for (Index n = 0; n < c.weight.cols(); n += kLanes) {
    Vec even = hn::LoadU(d, c.bias.data() + n), odd = hn::Zero(d);
    for (Index j = 0; j < k; j += 2) {
      even = hn::MulAdd(hn::Set(d, row.h[j]), hn::LoadU(d, c.weight.row(j) + n), even);
      odd = hn::MulAdd(hn::Set(d, row.h[j + 1]), hn::LoadU(d, c.weight.row(j + 1) + n), odd);
    }
    const Vec logit = hn::Add(even, odd);
    hn::Store(logit, d, row.logits + n);
    largest = hn::Max(largest, logit);
  }
  largest = hn::MaxOfLanes(d, largest);
  for (Index n = 0; n < c.weight.cols(); n += kLanes)
    hn::Store(hn::Exp(d, hn::Sub(hn::Load(d, row.logits + n), largest)), d, row.exps + n);
  row.largest = hn::GetLane(largest);
  row.sum = 0;  // one after the other: the same bits for every vector width
  for (Index n = 0; n < c.classes; ++n) row.sum += row.exps[n];
}

void forward_rows(const HeadInput& in, Matrix& logp) {
  Row row;
  for (Index i = 0; i < static_cast<Index>(in.rows.size()); ++i) {
    forward_row(in, i, row);
    const Real shift = row.largest + std::log(row.sum);
    for (Index c = 0; c < in.classifier.classes; ++c) logp(i, c) = row.logits[c] - shift;
  }
}

// Puts d = scale (softmax - onehot) in place of the logits; returns -log softmax[label] without the logarithm of the sum.
HWY_INLINE Real softmax_row(const HeadInput& in, int label, Real scale, Row& row) {
  const Tag d;
  const Real loss = row.largest - row.logits[label];
  const Vec factor = hn::Set(d, scale / row.sum);
  for (Index n = 0; n < in.classifier.weight.cols(); n += kLanes)
    hn::Store(hn::Mul(hn::Load(d, row.exps + n), factor), d, row.logits + n);
  row.logits[label] -= scale;
  return loss;
}

void backward_rows(const HeadInput& in, std::span<const int> labels, Real scale, Real slope, Matrix& g, Matrix& dz,
                   HeadSums& sums) {
  const Tag d;
  const Index k = in.z.cols(), classes = in.classifier.classes;
  const Vec one = hn::Set(d, Real{1}), negative = hn::Set(d, slope);
  Row row;
  Real product = 1;  // of the rows' sums of exponentials, each in 1 .. classes: one logarithm for several rows
  for (Index i = 0; i < static_cast<Index>(in.rows.size()); ++i) {
    const Index u = in.rows[i];
    forward_row(in, i, row);
    sums.loss += static_cast<double>(softmax_row(in, labels[i], scale, row));
    product *= row.sum;
    if (product > kLargeProduct || i + 1 == static_cast<Index>(in.rows.size())) {
      sums.loss += std::log(static_cast<double>(product));
      product = 1;
    }
    for (Index c = 0; c < classes; ++c) sums.bias(0, c) += row.logits[c];
    for (Index j = 0; j < k; j += kLanes) {
      const Vec h = hn::Load(d, row.h + j);
      Vec dh = hn::Zero(d);
      for (Index c = 0; c < classes; ++c) {
        const Vec dl = hn::Set(d, row.logits[c]);
        dh = hn::MulAdd(dl, hn::LoadU(d, in.classifier.transposed.row(c) + j), dh);
        Real* dw = sums.weight.row(c) + j;
        hn::StoreU(hn::MulAdd(dl, h, hn::LoadU(d, dw)), d, dw);
      }
      if (in.factor) dh = hn::Mul(dh, hn::LoadU(d, in.factor + Offset{i} * k + j));
      const Vec b = hn::Load(d, in.b.data() + j), z = hn::LoadU(d, in.z.row(u) + j);
      const Vec difference = hn::Sub(z, hn::LoadU(d, in.a.row(i) + j));
      hn::StoreU(hn::Mul(hn::Sub(one, b), dh), d, g.row(u) + j);
      hn::StoreU(hn::Mul(hn::Mul(b, dh), hn::IfThenElse(hn::Gt(z, hn::Zero(d)), one, negative)), d, dz.row(u) + j);
      Real* db = sums.mix.data() + j;
      hn::StoreU(hn::MulAdd(dh, difference, hn::LoadU(d, db)), d, db);
    }
  }
}

Index lanes() { return kLanes; }

}  // namespace gcnh::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gcnh::kernels {

HWY_EXPORT(forward_rows);
HWY_EXPORT(backward_rows);
HWY_EXPORT(lanes);

PaddedClassifier::PaddedClassifier(const Matrix& w, const Matrix& c)
    : classes(w.cols()), transposed(w.cols(), w.rows()) {
  const Index step = HWY_DYNAMIC_DISPATCH(lanes)();
  const Index padded = (classes + step - 1) / step * step;
  weight = Matrix(w.rows(), padded);
  bias = Matrix(1, padded, Real(-1e30));
  for (Index j = 0; j < w.rows(); ++j)
    for (Index n = 0; n < classes; ++n) weight(j, n) = transposed(n, j) = w(j, n);
  for (Index n = 0; n < classes; ++n) bias(0, n) = c(0, n);
}

void head_forward(const HeadInput& in, Matrix& logp) { HWY_DYNAMIC_DISPATCH(forward_rows)(in, logp); }

void head_backward(const HeadInput& in, std::span<const int> labels, Real scale, Real slope, Matrix& g, Matrix& dz,
                   HeadSums& sums) {
  HWY_DYNAMIC_DISPATCH(backward_rows)(in, labels, scale, slope, g, dz, sums);
}

}  // namespace gcnh::kernels
#endif
