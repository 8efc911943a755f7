// Dense products for tall matrices and narrow weights (a few to a few hundred columns): a tile of rows times a few
// vectors of columns lives in registers while the inner dimension runs. Sizes here are too small for a BLAS call to
// pay.

#define HWY_TARGET_INCLUDE "gcnh/kernels/gemm.cpp"
#include "gcnh/kernels/simd.h"

HWY_BEFORE_NAMESPACE();
namespace gcnh::kernels::HWY_NAMESPACE {

constexpr int kBlock = kLanes * sizeof(Real) >= 64 ? 4 : 2;
constexpr int kTile = 4;        // rows of a tile
constexpr int kNarrowTile = 8;  // the same where a single vector of columns leaves registers free

// out[target(r)][c] (+)= sum over i of left[r][i] * right[i][c]: y = x w, where r runs over the rows of the map and i
// over the columns of x, or dw = x' dy, where r runs over the columns of x and i over the rows of the map.
struct Operands {
  const Real* left;
  Offset outer_step;  // from one r to the next
  Offset inner_step;  // from one i to the next
  const Real* right;
  Offset right_step;
  Index inner;
  Real* out;
  Index columns;
  bool add;
  RowMap outer_rows;
  const Index* inner_rows;  // null: 0, 1, 2, ...
  Epilogue epilogue;
};

template <class D, int R, int B, bool kListed>
HWY_INLINE void tile(const Operands& o, Index r, Index c) {
  const D d;
  using V = hn::Vec<D>;
  constexpr Index kStep = static_cast<Index>(hn::MaxLanes(d));
  V acc[R][B];
  for (auto& part : acc)
    for (V& v : part) v = hn::Zero(d);
  const Real* left[R];
  for (int q = 0; q < R; ++q) left[q] = o.left + o.outer_rows.source(r + q) * o.outer_step;
  for (Index n = 0; n < o.inner; ++n) {
    const Offset i = kListed ? o.inner_rows[n] : n;
    const Real* right = o.right + i * o.right_step + c;
    V w[B];
    for (int b = 0; b < B; ++b) w[b] = hn::LoadU(d, right + b * kStep);
    for (int q = 0; q < R; ++q) {
      const V l = hn::Set(d, left[q][i * o.inner_step]);
      for (int b = 0; b < B; ++b) acc[q][b] = hn::MulAdd(l, w[b], acc[q][b]);
    }
  }
  for (int q = 0; q < R; ++q) {
    Real* to = o.out + Offset{o.outer_rows.target(r + q)} * o.columns + c;
    for (int b = 0; b < B; ++b) {
      const V sum = o.add ? hn::Add(hn::LoadU(d, to + b * kStep), acc[q][b]) : acc[q][b];
      hn::StoreU(finish(d, o.epilogue, sum, o.outer_rows.source(r + q), c + b * kStep), d, to + b * kStep);
    }
  }
}

// Columns from c on that do not fill a vector: the largest half that fits, and so on.
template <int kStep, int R, bool kListed>
HWY_INLINE void narrow(const Operands& o, Index r, Index c) {
  if (c + kStep <= o.columns) tile<hn::CappedTag<Real, kStep>, R, 1, kListed>(o, r, c), c += kStep;
  if constexpr (kStep > 1) narrow<kStep / 2, R, kListed>(o, r, c);
}

template <int R, bool kListed>
HWY_INLINE void row_tile(const Operands& o, Index r) {
  Index c = 0;
  for (; c + kBlock * kLanes <= o.columns; c += kBlock * kLanes) tile<Tag, R, kBlock, kListed>(o, r, c);
  if constexpr (kBlock > 2) {
    if (c + 2 * kLanes <= o.columns) tile<Tag, R, 2, kListed>(o, r, c), c += 2 * kLanes;
  }
  if (c + kLanes <= o.columns) tile<Tag, R, 1, kListed>(o, r, c), c += kLanes;
  if constexpr (kLanes > 1) narrow<kLanes / 2, R, kListed>(o, r, c);
}

template <bool kListed>
void product_rows(const Operands& o, Index begin, Index end) {
  Index r = begin;
  if (o.columns < 2 * kLanes)
    for (; r + kNarrowTile <= end; r += kNarrowTile) row_tile<kNarrowTile, kListed>(o, r);
  for (; r + kTile <= end; r += kTile) row_tile<kTile, kListed>(o, r);
  for (; r < end; ++r) row_tile<1, kListed>(o, r);
}

void gemm_all(const RowMap& rows, const Matrix& x, const Matrix& w, Matrix& y, bool add, const Epilogue& epilogue) {
  const Operands o{x.data(), x.cols(), 1,   w.data(), w.cols(), x.cols(),
                   y.data(), y.cols(), add, rows,     nullptr,  epilogue};
  parallel_for(rows.count, std::int64_t{x.cols()} * w.cols(),
               [&](Index begin, Index end) { product_rows<false>(o, begin, end); });
}

// dw += x[begin..end)' dy[begin..end) over numbers or, with a list, over positions in it, in pieces that stay in the
// cache.
void transposed_rows(const RowMap& rows, const Matrix& x, const Matrix& dy, Index begin, Index end, Real* dw) {
  constexpr Index kCached = 256;
  for (Index i = begin; i < end; i += kCached) {
    const Index first = rows.list ? 0 : i;
    const Index* const list = rows.list ? rows.list + i : nullptr;
    const Operands o{x.row(first), 1,         x.cols(), dy.row(first),         dy.cols(), std::min(kCached, end - i),
                     dw,           dy.cols(), true,     RowMap::all(x.cols()), list,      {}};
    rows.list ? product_rows<true>(o, 0, x.cols()) : product_rows<false>(o, 0, x.cols());
  }
}

}  // namespace gcnh::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gcnh::kernels {

HWY_EXPORT(gemm_all);
HWY_EXPORT(transposed_rows);

void gemm(const Matrix& x, const Matrix& w, Matrix& y) {
  HWY_DYNAMIC_DISPATCH(gemm_all)(RowMap::all(x.rows()), x, w, y, false, {});
}

void gemm_add(const Matrix& x, const Matrix& w, Matrix& y) {
  HWY_DYNAMIC_DISPATCH(gemm_all)(RowMap::all(x.rows()), x, w, y, true, {});
}

void gemm_rows(const RowMap& rows, const Matrix& x, const Matrix& w, const Epilogue& epilogue, Matrix& y) {
  HWY_DYNAMIC_DISPATCH(gemm_all)(rows, x, w, y, false, epilogue);
}

void gemm_rows_add(const RowMap& rows, const Matrix& x, const Matrix& w, Matrix& y) {
  HWY_DYNAMIC_DISPATCH(gemm_all)(rows, x, w, y, true, {});
}

namespace {

// A sum over rows: parts of a size that depends on the number of rows only, added up in order.
void transposed_add(const RowMap& rows, const Matrix& x, const Matrix& dy, Matrix& dw) {
  const Index part = std::max<Index>(8192, (rows.count + 63) / 64);
  const Index parts = (rows.count + part - 1) / part;
  if (parts <= 1) return HWY_DYNAMIC_DISPATCH(transposed_rows)(rows, x, dy, 0, rows.count, dw.data());
  std::vector<Matrix> sums(parts, Matrix(dw.rows(), dw.cols()));
  parallel_each(parts, 1 << 20, [&](Index p) {
    HWY_DYNAMIC_DISPATCH(transposed_rows)
    (rows, x, dy, p * part, std::min(rows.count, (p + 1) * part), sums[p].data());
  });
  for (const Matrix& sum : sums) add(sum, dw);
}

}  // namespace

void gemm_transposed_add(const Matrix& x, const Matrix& dy, Matrix& dw) {
  transposed_add(RowMap::all(x.rows()), x, dy, dw);
}

void gemm_transposed_rows_add(std::span<const Index> rows, const Matrix& x, const Matrix& dy, Matrix& dw) {
  transposed_add(RowMap::listed(rows), x, dy, dw);
}

void transpose(const Matrix& w, Matrix& wt) {
  for (Index i = 0; i < w.rows(); ++i)
    for (Index j = 0; j < w.cols(); ++j) wt(j, i) = w(i, j);
}

}  // namespace gcnh::kernels
#endif
