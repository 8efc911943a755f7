// Maps over rows of matrices, all of them or those of a list.
#define HWY_TARGET_INCLUDE "gcnh/kernels/rows.cpp"
#include "gcnh/kernels/simd.h"

HWY_BEFORE_NAMESPACE();
namespace gcnh::kernels::HWY_NAMESPACE {

// f(tag, j) for the columns of a row.
template <class F>
HWY_INLINE void each_column(Index k, const F& f) {
  each_vector(Index{0}, k, f);
}

template <class D, class V>
HWY_INLINE V leaky_slope(D d, V sign, Real slope) {
  return hn::IfThenElse(hn::Gt(sign, hn::Zero(d)), hn::Set(d, Real{1}), hn::Set(d, slope));
}

// to += from
HWY_INLINE void add_row_to(const Real* from, Index k, Real* to) {
  each_column(k,
              [=](auto d, Index j) { hn::StoreU(hn::Add(hn::LoadU(d, to + j), hn::LoadU(d, from + j)), d, to + j); });
}

void add_row(const Matrix& row, Matrix& y) {
  parallel_each(y.rows(), y.cols(), [&](Index i) { add_row_to(row.data(), y.cols(), y.row(i)); });
}

// Four interleaved partial sums hide the latency of the addition; their order is the same for every vector width.
void sum_rows(const RowMap& rows, const Matrix& x, Matrix& row) {
  Real* const sum = row.data();
  each_column(x.cols(), [&](auto d, Index j) HWY_ATTR {
    hn::Vec<decltype(d)> part[4];
    for (auto& p : part) p = hn::Zero(d);
    Index i = 0;
    for (; i + 4 <= rows.count; i += 4)
      for (Index q = 0; q < 4; ++q) part[q] = hn::Add(part[q], hn::LoadU(d, x.row(rows.source(i + q)) + j));
    for (; i < rows.count; ++i) part[0] = hn::Add(part[0], hn::LoadU(d, x.row(rows.source(i)) + j));
    const auto all = hn::Add(hn::Add(part[0], part[1]), hn::Add(part[2], part[3]));
    hn::StoreU(hn::Add(hn::LoadU(d, sum + j), all), d, sum + j);
  });
}

void add_rows(std::span<const Index> rows, const Matrix& x, Matrix& y) {
  for (Index u : rows) add_row_to(x.row(u), x.cols(), y.row(u));
}

// y[u] *= LeakyReLU'(gate[u])
void gate_rows(std::span<const Index> rows, const Matrix& gate, Real slope, Matrix& y) {
  for (Index u : rows) {
    const Real* sign = gate.row(u);
    Real* to = y.row(u);
    each_column(y.cols(), [=](auto d, Index j) {
      hn::StoreU(hn::Mul(hn::LoadU(d, to + j), leaky_slope(d, hn::LoadU(d, sign + j), slope)), d, to + j);
    });
  }
}

// h[u] = (b z[u] + (1 - b) a[u]) factor[i], u the i-th row of the list
void mix_rows(std::span<const Index> rows, const Matrix& b, const Matrix& z, const Matrix& a, const Matrix* factor,
              Matrix& h) {
  parallel_each(static_cast<Index>(rows.size()), z.cols(), [&, weight = b.data()](Index i) {
    const Real *zu = z.row(rows[i]), *au = a.row(rows[i]), *f = factor ? factor->row(i) : nullptr;
    Real* hu = h.row(rows[i]);
    each_column(z.cols(), [=](auto d, Index j) {
      const auto w = hn::LoadU(d, weight + j), one = hn::Set(d, Real{1});
      auto mixed = hn::Add(hn::Mul(w, hn::LoadU(d, zu + j)), hn::Mul(hn::Sub(one, w), hn::LoadU(d, au + j)));
      if (f) mixed = hn::Mul(mixed, hn::LoadU(d, f + j));
      hn::StoreU(mixed, d, hu + j);
    });
  });
}

// With e = dh[u] factor[i]:  g[u] = (1 - b) e,  dz[u] = b e LeakyReLU'(z[u]),  db += e (z[u] - a[u])
void mix_rows_backward(std::span<const Index> rows, const Matrix& b, const Matrix& z, const Matrix& a,
                       const Matrix* factor, const Matrix& dh, Real slope, Matrix& g, Matrix& dz, Matrix& db) {
  const Real* weight = b.data();
  Real* sum = db.data();
  for (Index i = 0; i < static_cast<Index>(rows.size()); ++i) {
    const Index u = rows[i];
    const Real *zu = z.row(u), *au = a.row(u), *from = dh.row(u), *f = factor ? factor->row(i) : nullptr;
    Real *gu = g.row(u), *dzu = dz.row(u);
    each_column(z.cols(), [=](auto d, Index j) {
      const auto w = hn::LoadU(d, weight + j), one = hn::Set(d, Real{1}), own = hn::LoadU(d, zu + j);
      auto gradient = hn::LoadU(d, from + j);
      if (f) gradient = hn::Mul(gradient, hn::LoadU(d, f + j));
      hn::StoreU(hn::Mul(hn::Sub(one, w), gradient), d, gu + j);
      hn::StoreU(hn::Mul(hn::Mul(w, gradient), leaky_slope(d, own, slope)), d, dzu + j);
      const auto difference = hn::Sub(own, hn::LoadU(d, au + j));
      hn::StoreU(hn::Add(hn::LoadU(d, sum + j), hn::Mul(gradient, difference)), d, sum + j);
    });
  }
}

}  // namespace gcnh::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gcnh::kernels {

HWY_EXPORT(add_row);
HWY_EXPORT(sum_rows);
HWY_EXPORT(add_rows);
HWY_EXPORT(gate_rows);
HWY_EXPORT(mix_rows);
HWY_EXPORT(mix_rows_backward);

void add_row(const Matrix& row, Matrix& y) { HWY_DYNAMIC_DISPATCH(add_row)(row, y); }

void column_sums_add(const Matrix& x, Matrix& row) { HWY_DYNAMIC_DISPATCH(sum_rows)(RowMap::all(x.rows()), x, row); }

void column_sums_rows_add(std::span<const Index> rows, const Matrix& x, Matrix& row) {
  HWY_DYNAMIC_DISPATCH(sum_rows)(RowMap::listed(rows), x, row);
}

void gather_rows(const Matrix& x, std::span<const Index> rows, Matrix& y) {
  for (std::size_t i = 0; i < rows.size(); ++i) std::copy_n(x.row(rows[i]), x.cols(), y.row(static_cast<Index>(i)));
}

void scatter_rows_add(const Matrix& y, std::span<const Index> rows, Matrix& x) {
  const Index k = y.cols();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Real* from = y.row(static_cast<Index>(i));
    Real* to = x.row(rows[i]);
    for (Index j = 0; j < k; ++j) to[j] += from[j];
  }
}

void take_columns(const Matrix& x, Index begin, Matrix& y) {
  for (Index i = 0; i < y.rows(); ++i) std::copy_n(x.row(i) + begin, y.cols(), y.row(i));
}

void put_columns_add(const Matrix& y, Index begin, Matrix& x) {
  for (Index i = 0; i < y.rows(); ++i)
    for (Index j = 0; j < y.cols(); ++j) x(i, begin + j) += y(i, j);
}

void zero_rows(std::span<const Index> rows, Matrix& y) {
  for (Index u : rows) std::fill_n(y.row(u), y.cols(), Real{0});
}

void gate_rows(std::span<const Index> rows, const Matrix& gate, Real slope, Matrix& y) {
  HWY_DYNAMIC_DISPATCH(gate_rows)(rows, gate, slope, y);
}

void add_rows(std::span<const Index> rows, const Matrix& x, Matrix& y) { HWY_DYNAMIC_DISPATCH(add_rows)(rows, x, y); }

void mix_rows(std::span<const Index> rows, const Matrix& b, const Matrix& z, const Matrix& a, const Matrix* factor,
              Matrix& h) {
  HWY_DYNAMIC_DISPATCH(mix_rows)(rows, b, z, a, factor, h);
}

void mix_rows_backward(std::span<const Index> rows, const Matrix& b, const Matrix& z, const Matrix& a,
                       const Matrix* factor, const Matrix& dh, Real slope, Matrix& g, Matrix& dz, Matrix& db) {
  HWY_DYNAMIC_DISPATCH(mix_rows_backward)(rows, b, z, a, factor, dh, slope, g, dz, db);
}

}  // namespace gcnh::kernels
#endif
