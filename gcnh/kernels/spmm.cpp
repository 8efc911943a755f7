// Sparse times dense, register-blocked: for a block of columns the sum of a row's entries stays in vector registers.
// Four interleaved partial sums hide the latency of the addition; their order is the same for every vector width.
#define HWY_TARGET_INCLUDE "gcnh/kernels/spmm.cpp"
#include "gcnh/kernels/simd.h"

HWY_BEFORE_NAMESPACE();
namespace gcnh::kernels::HWY_NAMESPACE {

constexpr int kUnroll = 4;
constexpr int kBlock = kLanes * sizeof(Real) >= 64 ? 4 : 2;  // vectors per block: as many as the registers hold

struct Operands {
  const Csr& a;
  const Real* values;  // null: all ones
  const Matrix& x;
  Matrix& y;
  bool add;
  RowMap rows;
  Epilogue epilogue;
};

// B vectors of columns from c on, of the rows [begin, end). kWidth is the number of columns of x where it is known when
// compiling, so that finding a row is a shift, and 0 otherwise.
template <class D, int B, int kWidth, bool kWeighted>
HWY_INLINE void block(const Operands& o, Index c, Index begin, Index end) {
  const D d;
  using V = hn::Vec<D>;
  constexpr Index kStep = static_cast<Index>(hn::MaxLanes(d));
  const Real* const x = o.x.data() + c;
  const Index* const indices = o.a.indices.data();
  const Offset* const offsets = o.a.offsets.data();
  const Offset width = kWidth > 0 ? kWidth : o.x.cols();
  const auto accumulate = [=](Offset e, V* acc) HWY_ATTR {
    const Real* from = x + indices[e] * width;
    for (int b = 0; b < B; ++b) {
      const V v = hn::LoadU(d, from + b * kStep);
      acc[b] = kWeighted ? hn::MulAdd(hn::Set(d, o.values[e]), v, acc[b]) : hn::Add(acc[b], v);
    }
  };
  // The same for an entry that may lie past the end of its row: some entry is read in any case and added where it
  // counts. Rows differ in length, so a branch here would be mispredicted every other time.
  const Offset last_entry = o.a.nnz() - 1;
  const auto accumulate_if = [=](Offset e, Offset end_of_row, V* acc) HWY_ATTR {
    const auto counts = hn::FirstN(d, e < end_of_row ? kStep : 0);
    V sum[B];
    for (int b = 0; b < B; ++b) sum[b] = acc[b];
    accumulate(std::min(e, last_entry), sum);
    for (int b = 0; b < B; ++b) acc[b] = hn::IfThenElse(counts, sum[b], acc[b]);
  };
  for (Index i = begin; i < end; ++i) {
    const Index u = o.rows.source(i);
    V acc[kUnroll][B];
    for (auto& part : acc)
      for (V& v : part) v = hn::Zero(d);
    Offset e = offsets[u];
    const Offset last = offsets[u + 1];
    for (; e + kUnroll <= last; e += kUnroll)
      for (int part = 0; part < kUnroll; ++part) accumulate(e + part, acc[part]);
    if (last_entry >= 0)
      for (int part = 0; part + 1 < kUnroll; ++part) accumulate_if(e + part, last, acc[part]);
    Real* to = o.y.row(o.rows.target(i)) + c;
    for (int b = 0; b < B; ++b) {
      V sum = hn::Add(hn::Add(acc[0][b], acc[1][b]), hn::Add(acc[2][b], acc[3][b]));
      if (o.add) sum = hn::Add(hn::LoadU(d, to + b * kStep), sum);
      hn::StoreU(finish(d, o.epilogue, sum, u, c + b * kStep), d, to + b * kStep);
    }
  }
}

// Columns from c on that do not fill a vector: the largest half that fits, and so on.
template <int kStep, int kWidth, bool kWeighted>
HWY_INLINE void narrow(const Operands& o, Index c, Index begin, Index end) {
  if (c + kStep <= o.x.cols()) block<hn::CappedTag<Real, kStep>, 1, kWidth, kWeighted>(o, c, begin, end), c += kStep;
  if constexpr (kStep > 1) narrow<kStep / 2, kWidth, kWeighted>(o, c, begin, end);
}

template <int kWidth, bool kWeighted>
void rows_of(const Operands& o, Index begin, Index end) {
  const Index k = o.x.cols();
  Index c = 0;
  for (; c + kBlock * kLanes <= k; c += kBlock * kLanes) block<Tag, kBlock, kWidth, kWeighted>(o, c, begin, end);
  if constexpr (kBlock > 2) {
    if (c + 2 * kLanes <= k) block<Tag, 2, kWidth, kWeighted>(o, c, begin, end), c += 2 * kLanes;
  }
  if (c + kLanes <= k) block<Tag, 1, kWidth, kWeighted>(o, c, begin, end), c += kLanes;
  if constexpr (kLanes > 1) narrow<kLanes / 2, kWidth, kWeighted>(o, c, begin, end);
}

template <bool kWeighted>
auto rows_function(Index width) {
  if (width == 16) return &rows_of<16, kWeighted>;
  if (width == 32) return &rows_of<32, kWeighted>;
  return width == 64 ? &rows_of<64, kWeighted> : &rows_of<0, kWeighted>;
}

void spmm_all(const Csr& a, std::span<const Real> values, const Matrix& x, Matrix& y, bool add, const RowMap& rows,
              const Epilogue& epilogue) {
  const Operands o{a, values.empty() ? nullptr : values.data(), x, y, add, rows, epilogue};
  const auto rows_of_width = o.values ? rows_function<true>(x.cols()) : rows_function<false>(x.cols());
  parallel_for(rows.count, a.per_row() * x.cols(), [&](Index begin, Index end) { rows_of_width(o, begin, end); });
}

}  // namespace gcnh::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gcnh::kernels {

HWY_EXPORT(spmm_all);

void spmm(const Csr& a, std::span<const Real> values, const Matrix& x, Matrix& y) {
  HWY_DYNAMIC_DISPATCH(spmm_all)(a, values, x, y, false, RowMap::all(a.rows), {});
}

void spmm_add(const Csr& a, std::span<const Real> values, const Matrix& x, Matrix& y) {
  HWY_DYNAMIC_DISPATCH(spmm_all)(a, values, x, y, true, RowMap::all(a.rows), {});
}

void spmm_rows(const Csr& a, std::span<const Real> values, const RowMap& rows, const Matrix& x,
               const Epilogue& epilogue, Matrix& y) {
  HWY_DYNAMIC_DISPATCH(spmm_all)(a, values, x, y, false, rows, epilogue);
}

const char* simd_name() {
  const std::int64_t usable = hwy::SupportedTargets() & HWY_TARGETS;
  return hwy::TargetName(usable & -usable);  // the lowest bit is the best target
}

}  // namespace gcnh::kernels
#endif
