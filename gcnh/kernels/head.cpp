#include "gcnh/kernels/head.h"

#include <limits>

#define HWY_TARGET_INCLUDE "gcnh/kernels/head.cpp"
#include "gcnh/kernels/simd.h"

HWY_BEFORE_NAMESPACE();
namespace gcnh::kernels::HWY_NAMESPACE {

constexpr Index kTile = 16;  // rows worked on together: whole vectors on every CPU
constexpr int kGroup = 4;    // rows that share a load of the weights

// The rows of a tile on their way through the head. The softmax of as many rows as a vector has lanes is taken at once,
// so from there on the classes come first.
struct Tile {
  Index first;  // of the input's rows
  Index rows;
  Index padded;                                     // classes in whole vectors
  HWY_ALIGN Real h[kTile * kHeadMostWidth];         // (kTile, k)
  HWY_ALIGN Real logits[kTile * kHeadMostClasses];  // (kTile, padded)
  // (classes, kTile): exp(logit - largest), later scale (softmax - onehot)
  HWY_ALIGN Real share[kHeadMostClasses * kTile];
  HWY_ALIGN Real sum[kTile];    // of the exponentials
  HWY_ALIGN Real shift[kTile];  // log softmax = logit - shift
};

// h = (b z + (1 - b) a) * factor; rows past the last one are zero.
HWY_INLINE void mix_tile(const HeadInput& in, Tile& tile) {
  const Tag d;
  const Index k = in.z.cols();
  for (Index r = 0; r < tile.rows; ++r) {
    const Index i = tile.first + r;
    const Real *z = in.z.row(in.rows[i]), *a = in.a.row(i);
    for (Index j = 0; j < k; j += kLanes) {
      const Vec b = hn::Load(d, in.b.data() + j);
      Vec h = hn::MulAdd(b, hn::LoadU(d, z + j), hn::Mul(hn::Sub(hn::Set(d, Real{1}), b), hn::LoadU(d, a + j)));
      if (in.factor) h = hn::Mul(h, hn::LoadU(d, in.factor + Offset{i} * k + j));
      hn::Store(h, d, tile.h + r * k + j);
    }
  }
  std::fill(tile.h + tile.rows * k, tile.h + kTile * k, Real{0});
}

// logits = h W + c
HWY_INLINE void classify_tile(const HeadInput& in, Tile& tile) {
  const Tag d;
  const PaddedClassifier& c = in.classifier;
  const Index k = in.z.cols();
  for (Index r = 0; r < kTile; r += kGroup) {
    for (Index n = 0; n < tile.padded; n += kLanes) {
      const Real* w = c.weight.data() + n;
      const Real* const h = tile.h + r * k;
      Vec acc[kGroup];
      for (Vec& v : acc) v = hn::LoadU(d, c.bias.data() + n);
      for (Index j = 0; j < k; ++j, w += tile.padded) {
        const Vec weight = hn::LoadU(d, w);
        for (int q = 0; q < kGroup; ++q) acc[q] = hn::MulAdd(hn::Set(d, h[q * k + j]), weight, acc[q]);
      }
      for (int q = 0; q < kGroup; ++q) hn::Store(acc[q], d, tile.logits + (r + q) * tile.padded + n);
    }
  }
}

HWY_INLINE void softmax_tile(Index classes, Tile& tile) {
  const Tag d;
  const hn::RebindToSigned<Tag> di;
  for (Index r = 0; r < kTile; r += kLanes) {
    const auto rows = hn::Mul(hn::Iota(di, r), hn::Set(di, tile.padded));
    Real* const share = tile.share + r;
    Vec largest = hn::Set(d, std::numeric_limits<Real>::lowest()), sum = hn::Zero(d);
    for (Index c = 0; c < classes; ++c) {
      const Vec logit = hn::GatherIndex(d, tile.logits + c, rows);
      hn::Store(logit, d, share + c * kTile);
      largest = hn::Max(largest, logit);
    }
    for (Index c = 0; c < classes; ++c) {
      const Vec e = hn::Exp(d, hn::Sub(hn::Load(d, share + c * kTile), largest));
      hn::Store(e, d, share + c * kTile);
      sum = hn::Add(sum, e);
    }
    hn::Store(sum, d, tile.sum + r);
    hn::Store(hn::Add(largest, hn::Log(d, sum)), d, tile.shift + r);
  }
}

HWY_INLINE void forward_tile(const HeadInput& in, Index first, Tile& tile) {
  tile.first = first;
  tile.rows = std::min(kTile, static_cast<Index>(in.rows.size()) - first);
  tile.padded = in.classifier.weight.cols();
  mix_tile(in, tile);
  classify_tile(in, tile);
  softmax_tile(in.classifier.classes, tile);
}

void head_forward(const HeadInput& in, Matrix& logp) {
  Tile tile;
  for (Index first = 0; first < static_cast<Index>(in.rows.size()); first += kTile) {
    forward_tile(in, first, tile);
    for (Index r = 0; r < tile.rows; ++r)
      for (Index c = 0; c < in.classifier.classes; ++c)
        logp(first + r, c) = tile.logits[r * tile.padded + c] - tile.shift[r];
  }
}

// share = scale (softmax - onehot); adds the losses and the gradient of the bias to the sums.
HWY_INLINE void loss_tile(const HeadInput& in, std::span<const int> labels, Real scale, Tile& tile, HeadSums& sums) {
  const Tag d;
  const Index classes = in.classifier.classes;
  for (Index r = 0; r < kTile; r += kLanes) {
    const Vec factor = hn::Div(hn::Set(d, scale), hn::Load(d, tile.sum + r));
    for (Index c = 0; c < classes; ++c) {
      Real* const at = tile.share + c * kTile + r;
      hn::Store(hn::Mul(hn::Load(d, at), factor), d, at);
    }
  }
  double loss = 0;
  for (Index r = 0; r < tile.rows; ++r) {
    const int label = labels[tile.first + r];
    loss += static_cast<double>(tile.shift[r] - tile.logits[r * tile.padded + label]);
    tile.share[label * kTile + r] -= scale;
  }
  sums.loss += loss;
  for (Index c = 0; c < classes; ++c) {
    Real sum = 0;
    for (Index r = 0; r < tile.rows; ++r) sum += tile.share[c * kTile + r];
    sums.bias(0, c) += sum;
  }
}

// dW' += d' h for kClasses classes from c on and a vector of columns from j on, d the share.
template <int kClasses>
HWY_INLINE void weight_tile(const Tile& tile, Index k, Index c, Index j, HeadSums& sums) {
  const Tag d;
  Vec acc[kClasses];
  for (int n = 0; n < kClasses; ++n) acc[n] = hn::LoadU(d, sums.weight.row(c + n) + j);
  for (Index r = 0; r < tile.rows; ++r) {
    const Vec h = hn::Load(d, tile.h + r * k + j);
    for (int n = 0; n < kClasses; ++n) acc[n] = hn::MulAdd(hn::Set(d, tile.share[(c + n) * kTile + r]), h, acc[n]);
  }
  for (int n = 0; n < kClasses; ++n) hn::StoreU(acc[n], d, sums.weight.row(c + n) + j);
}

// From the share to g, dz and the sums, for a vector of columns from j on.
HWY_INLINE void backward_tile(const HeadInput& in, const Tile& tile, Index j, Real slope, Matrix& g, Matrix& dz,
                              HeadSums& sums) {
  const Tag d;
  const Index k = in.z.cols(), classes = in.classifier.classes;
  const Vec one = hn::Set(d, Real{1}), negative = hn::Set(d, slope), b = hn::Load(d, in.b.data() + j);
  Vec db = hn::LoadU(d, sums.mix.data() + j);
  for (Index r = 0; r < tile.rows; r += kGroup) {
    Vec dh[kGroup];
    for (Vec& v : dh) v = hn::Zero(d);
    const Real* w = in.classifier.transposed.data() + j;
    for (Index c = 0; c < classes; ++c, w += k) {
      const Vec weight = hn::LoadU(d, w);
      for (int q = 0; q < kGroup; ++q) dh[q] = hn::MulAdd(hn::Set(d, tile.share[c * kTile + r + q]), weight, dh[q]);
    }
    for (Index q = 0; q < std::min<Index>(kGroup, tile.rows - r); ++q) {
      const Index i = tile.first + r + q, u = in.rows[i];
      const Vec dropped = in.factor ? hn::Mul(dh[q], hn::LoadU(d, in.factor + Offset{i} * k + j)) : dh[q];
      const Vec z = hn::LoadU(d, in.z.row(u) + j);
      hn::StoreU(hn::Mul(hn::Sub(one, b), dropped), d, g.row(u) + j);
      hn::StoreU(hn::Mul(hn::Mul(b, dropped), hn::IfThenElse(hn::Gt(z, hn::Zero(d)), one, negative)), d, dz.row(u) + j);
      db = hn::MulAdd(dropped, hn::Sub(z, hn::LoadU(d, in.a.row(i) + j)), db);
    }
  }
  hn::StoreU(db, d, sums.mix.data() + j);
  Index c = 0;
  for (; c + kGroup <= classes; c += kGroup) weight_tile<kGroup>(tile, k, c, j, sums);
  for (; c < classes; ++c) weight_tile<1>(tile, k, c, j, sums);
}

void head_backward(const HeadInput& in, std::span<const int> labels, Real scale, Real slope, Matrix& g, Matrix& dz,
                   HeadSums& sums) {
  Tile tile;
  for (Index first = 0; first < static_cast<Index>(in.rows.size()); first += kTile) {
    forward_tile(in, first, tile);
    loss_tile(in, labels, scale, tile, sums);
    for (Index j = 0; j < in.z.cols(); j += kLanes) backward_tile(in, tile, j, slope, g, dz, sums);
  }
}

Index lanes() { return kLanes; }

}  // namespace gcnh::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gcnh::kernels {

HWY_EXPORT(head_forward);
HWY_EXPORT(head_backward);
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

void head_forward(const HeadInput& in, Matrix& logp) { HWY_DYNAMIC_DISPATCH(head_forward)(in, logp); }

void head_backward(const HeadInput& in, std::span<const int> labels, Real scale, Real slope, Matrix& g, Matrix& dz,
                   HeadSums& sums) {
  HWY_DYNAMIC_DISPATCH(head_backward)(in, labels, scale, slope, g, dz, sums);
}

}  // namespace gcnh::kernels
#endif
