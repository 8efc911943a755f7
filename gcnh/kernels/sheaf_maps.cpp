// Orthogonal maps of edges as products of Householder reflections, one edge per vector lane. Nothing of an edge is kept
// for the way back: its few numbers are cheaper to compute again than to store.
#include "gcnh/kernels/sheaf.h"

#define HWY_TARGET_INCLUDE "gcnh/kernels/sheaf_maps.cpp"
#include "gcnh/kernels/simd.h"

HWY_BEFORE_NAMESPACE();
namespace gcnh::kernels::HWY_NAMESPACE {

using V = Vec;
constexpr Tag kTag{};

HWY_INLINE V number(double value) { return hn::Set(kTag, static_cast<Real>(value)); }

// Never 0 / 0 or infinite, whatever x.
HWY_INLINE V sigmoid(V x) { return hn::MulAdd(number(0.5), hn::Tanh(kTag, hn::Mul(number(0.5), x)), number(0.5)); }

// Q = H_0 ... H_(D-1) and its gradient. With the columns a_j of the triangular matrix, H_j = I - h_j a_j a_j',
// h_j = 2 / <a_j, a_j>; a_j is 0 above row j, so that H_j ... H_(D-1) differs from I from row and column j on only.
template <int D>
struct Householder {
  static constexpr int kParams = D * (D - 1) / 2;

  // From kParams numbers per lane, before tanh.
  HWY_INLINE explicit Householder(const Real* numbers) {
    for (int i = 0; i < D; ++i) {
      for (int j = 0; j < i; ++j, numbers += kLanes) a[i][j] = hn::Tanh(kTag, hn::Load(kTag, numbers));
      a[i][i] = number(1);
      for (int c = 0; c < D; ++c) q[i][c] = number(i == c);
    }
    for (int j = D - 1; j >= 0; --j) {
      V square = number(1);
      for (int i = j + 1; i < D; ++i) square = hn::MulAdd(a[i][j], a[i][j], square);
      h[j] = hn::Div(number(2), square);
      reflect(j, q);
    }
  }

  // <a_j, column c of m>
  HWY_INLINE V along(int j, const V (&m)[D][D], int c) const {
    V sum = m[j][c];
    for (int i = j + 1; i < D; ++i) sum = hn::MulAdd(a[i][j], m[i][c], sum);
    return sum;
  }

  // m <- H_j m, from column j on
  HWY_INLINE void reflect(int j, V (&m)[D][D]) const {
    for (int c = j; c < D; ++c) {
      const V step = hn::Mul(h[j], along(j, m, c));
      for (int i = j; i < D; ++i) m[i][c] = hn::NegMulAdd(step, a[i][j], m[i][c]);
    }
  }

  // Gradients of the kParams numbers from dQ, which is used up. Going through the reflections from the left, with
  // M = H_j ... H_(D-1) and G the gradient of M:  R = H_j M,  t = R G' a - G M' a,  da = -h (t - h/2 <a, t> a),
  // then G <- H_j G, M <- R; R' a = -M' a.
  HWY_INLINE void backward(V (&g)[D][D], Real* numbers) const {
    V m[D][D];
    for (int i = 0; i < D; ++i)
      for (int c = 0; c < D; ++c) m[i][c] = q[i][c];
    for (int j = 0; j + 1 < D; ++j) {
      V along_m[D], along_g[D], t[D];
      for (int c = j; c < D; ++c) {
        along_m[c] = along(j, m, c);
        along_g[c] = along(j, g, c);
      }
      reflect(j, m);
      V product = hn::Zero(kTag);
      for (int i = j; i < D; ++i) {
        t[i] = hn::Zero(kTag);
        for (int c = j; c < D; ++c) t[i] = hn::NegMulAdd(g[i][c], along_m[c], hn::MulAdd(m[i][c], along_g[c], t[i]));
        product = hn::MulAdd(a[i][j], t[i], product);
      }
      const V share = hn::Mul(hn::Mul(number(0.5), h[j]), product);
      for (int i = j + 1; i < D; ++i) {
        const V da = hn::Mul(h[j], hn::NegMulAdd(share, a[i][j], t[i]));
        const V slope = hn::NegMulAdd(a[i][j], a[i][j], number(1));  // of tanh
        hn::Store(hn::Neg(hn::Mul(da, slope)), kTag, numbers + (i * (i - 1) / 2 + j) * kLanes);
      }
      reflect(j, g);
    }
  }

  V a[D][D];  // the triangular matrix; nothing above its diagonal
  V h[D], q[D][D];
};

// One vector of edges: the numbers of both directions, number by number.
template <int D>
struct EdgeBatch {
  static constexpr int kMost = Householder<D>::kParams + 1;
  HWY_ALIGN Real there[kMost * kLanes] = {};  // u -> v
  HWY_ALIGN Real back[kMost * kLanes] = {};   // v -> u

  HWY_INLINE void read(const EdgeList& g, const Matrix& p, int k, Index first, Index count) {
    for (Index lane = 0; lane < count; ++lane) {
      const EdgeList::Ends ends = g.ends[first + lane];
      const Real *u = p.row(ends.u), *v = p.row(ends.v);
      for (int j = 0; j < k; ++j) {
        there[j * kLanes + lane] = u[j] + v[k + j];
        back[j * kLanes + lane] = v[j] + u[k + j];
      }
    }
  }
};

// Row first + lane of x for the lanes in use, number by number, and the way back.
HWY_INLINE void read_rows(const Matrix& x, Index first, Index count, Real* lanes) {
  for (Index lane = 0; lane < count; ++lane)
    for (Index j = 0; j < x.cols(); ++j) lanes[j * kLanes + lane] = x(first + lane, j);
}
HWY_INLINE void write_rows(const Real* lanes, Index first, Index count, Index column, Index columns, Matrix& x) {
  for (Index lane = 0; lane < count; ++lane)
    for (Index j = 0; j < columns; ++j) x(first + lane, column + j) = lanes[j * kLanes + lane];
}

template <int D>
void transports(const EdgeList& g, bool weighted, const Matrix& p, Index begin, Index end, Matrix& weight,
                Matrix& blocks) {
  constexpr int kParams = Householder<D>::kParams;
  EdgeBatch<D> batch;
  HWY_ALIGN Real squares[kLanes], block[D * D * kLanes];
  for (Index first = begin; first < end; first += kLanes) {
    const Index count = std::min(kLanes, end - first);
    batch.read(g, p, kParams + weighted, first, count);
    const Householder<D> there(batch.there), back(batch.back);
    V square = number(1);
    if (weighted) {
      const V w = hn::Mul(sigmoid(hn::Load(kTag, batch.there + kParams * kLanes)),
                          sigmoid(hn::Load(kTag, batch.back + kParams * kLanes)));
      square = hn::Mul(w, w);
    }
    hn::Store(square, kTag, squares);
    for (int i = 0; i < D; ++i) {
      for (int c = 0; c < D; ++c) {
        V sum = hn::Zero(kTag);
        for (int j = 0; j < D; ++j) sum = hn::MulAdd(there.q[j][i], back.q[j][c], sum);
        hn::Store(hn::Mul(square, sum), kTag, block + (i * D + c) * kLanes);
      }
    }
    write_rows(squares, first, count, 0, 1, weight);
    write_rows(block, first, count, 0, D * D, blocks);
  }
}

// Operands of the way back, see sheaf.h.
struct Backward {
  const EdgeList& g;
  bool weighted;
  const Matrix& p;
  const Matrix& root;
  const Matrix& dblocks;
  const Matrix& product;
  const Matrix& dweight;
  Matrix& dends;
};

template <int D>
void transports_backward(const Backward& o, Index begin, Index end) {
  constexpr int kParams = Householder<D>::kParams;
  const int k = kParams + o.weighted;
  EdgeBatch<D> batch, gradient;
  HWY_ALIGN Real dblock[D * D * kLanes] = {}, product[kLanes] = {}, roots[kLanes] = {}, dweights[kLanes] = {};
  for (Index first = begin; first < end; first += kLanes) {
    const Index count = std::min(kLanes, end - first);
    batch.read(o.g, o.p, k, first, count);
    read_rows(o.dblocks, first, count, dblock);
    read_rows(o.product, first, count, product);
    for (Index lane = 0; lane < count; ++lane) {
      const EdgeList::Ends ends = o.g.ends[first + lane];
      roots[lane] = o.root(ends.u, 0) * o.root(ends.v, 0);
      dweights[lane] = o.dweight(ends.u, 0) + o.dweight(ends.v, 0);
    }
    const Householder<D> there(batch.there), back(batch.back);
    V scale = hn::Neg(hn::Load(kTag, roots));  // of Q_uv' Q_vu in the block
    if (o.weighted) {
      const V s = sigmoid(hn::Load(kTag, batch.there + kParams * kLanes)),
              t = sigmoid(hn::Load(kTag, batch.back + kParams * kLanes)), w = hn::Mul(s, t), square = hn::Mul(w, w);
      scale = hn::Mul(scale, square);
      // w dw = 2 (<block, dblock> + w^2 dweight), dq = dw w (1 - sigmoid(q))
      const V dw = hn::Mul(number(2), hn::MulAdd(square, hn::Load(kTag, dweights), hn::Load(kTag, product)));
      hn::Store(hn::NegMulAdd(s, dw, dw), kTag, gradient.there + kParams * kLanes);
      hn::Store(hn::NegMulAdd(t, dw, dw), kTag, gradient.back + kParams * kLanes);
    }
    V d[D][D], dthere[D][D], dback[D][D];
    for (int i = 0; i < D; ++i)
      for (int c = 0; c < D; ++c) d[i][c] = hn::Mul(scale, hn::Load(kTag, dblock + (i * D + c) * kLanes));
    for (int i = 0; i < D; ++i) {
      for (int c = 0; c < D; ++c) {
        dthere[i][c] = dback[i][c] = hn::Zero(kTag);
        for (int j = 0; j < D; ++j) {
          dthere[i][c] = hn::MulAdd(back.q[i][j], d[c][j], dthere[i][c]);
          dback[i][c] = hn::MulAdd(there.q[i][j], d[j][c], dback[i][c]);
        }
      }
    }
    there.backward(dthere, gradient.there);
    back.backward(dback, gradient.back);
    write_rows(gradient.there, first, count, 0, k, o.dends);
    write_rows(gradient.back, first, count, k, k, o.dends);
  }
}

void orthogonal_transports(const EdgeList& g, int d, bool weighted, const Matrix& p, Matrix& weight, Matrix& blocks) {
  constexpr decltype(&transports<1>) kOf[] = {transports<1>, transports<2>, transports<3>, transports<4>,
                                              transports<5>};
  parallel_for(g.num_edges(), 32 * d * d,
               [&](Index begin, Index end) { kOf[d - 1](g, weighted, p, begin, end, weight, blocks); });
}

void orthogonal_transports_backward(const EdgeList& g, int d, bool weighted, const Matrix& p, const Matrix& root,
                                    const Matrix& dblocks, const Matrix& product, const Matrix& dweight,
                                    Matrix& dends) {
  const Backward o{g, weighted, p, root, dblocks, product, dweight, dends};
  constexpr decltype(&transports_backward<1>) kOf[] = {transports_backward<1>, transports_backward<2>,
                                                       transports_backward<3>, transports_backward<4>,
                                                       transports_backward<5>};
  parallel_for(g.num_edges(), 64 * d * d, [&](Index begin, Index end) { kOf[d - 1](o, begin, end); });
}

}  // namespace gcnh::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gcnh::kernels {

HWY_EXPORT(orthogonal_transports);
HWY_EXPORT(orthogonal_transports_backward);

void orthogonal_transports(const EdgeList& g, int d, bool weighted, const Matrix& p, Matrix& weight, Matrix& blocks) {
  HWY_DYNAMIC_DISPATCH(orthogonal_transports)(g, d, weighted, p, weight, blocks);
}

void orthogonal_transports_backward(const EdgeList& g, int d, bool weighted, const Matrix& p, const Matrix& root,
                                    const Matrix& dblocks, const Matrix& product, const Matrix& dweight,
                                    Matrix& dends) {
  HWY_DYNAMIC_DISPATCH(orthogonal_transports_backward)(g, d, weighted, p, root, dblocks, product, dweight, dends);
}

}  // namespace gcnh::kernels
#endif
