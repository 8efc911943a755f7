// What the vector kernels share. A kernel file names itself in HWY_TARGET_INCLUDE and includes this: from there on it
// is compiled once per instruction set, and HWY_EXPORT chooses among them at run time.
#include <hwy/foreach_target.h>

#if defined(GCNH_KERNELS_SIMD_H) == defined(HWY_TARGET_TOGGLE)
#ifdef GCNH_KERNELS_SIMD_H
#undef GCNH_KERNELS_SIMD_H
#else
#define GCNH_KERNELS_SIMD_H
#endif

#include <hwy/contrib/math/math-inl.h>
#include <hwy/highway.h>

#include "gcnh/base/parallel.h"
#include "gcnh/kernels/kernels.h"

HWY_BEFORE_NAMESPACE();
namespace gcnh::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Tag = hn::ScalableTag<Real>;
using Vec = hn::Vec<Tag>;
using One = hn::CappedTag<Real, 1>;
constexpr Index kLanes = static_cast<Index>(hn::MaxLanes(Tag()));
// Vectors of 32 bytes whatever the instruction set offers: sums over their lanes have the same bits everywhere.
using SumTag = hn::CappedTag<Real, 32 / sizeof(Real)>;

// f(tag, i) for the numbers from begin to end: whole vectors, then single ones.
template <class D = Tag, class Number, class F>
HWY_INLINE void each_vector(Number begin, Number end, const F& f) {
  const D d;
  const auto lanes = static_cast<Number>(hn::Lanes(d));
  Number i = begin;
  for (; i + lanes <= end; i += lanes) f(d, i);
  for (; i < end; ++i) f(One(), i);
}

// The same in parallel pieces, from 0 on. What f captures by value stays in registers.
template <class D = Tag, class F>
HWY_INLINE void parallel_vectors(std::size_t count, std::int64_t cost, const F& f) {
  parallel_for(count, cost, [&](std::size_t begin, std::size_t end) HWY_ATTR { each_vector<D>(begin, end, F(f)); });
}

// x where the sign is positive, else slope x
template <class D, class V>
HWY_INLINE V leaky(D d, V sign, V x, Real slope) {
  return hn::IfThenElse(hn::Gt(sign, hn::Zero(d)), x, hn::Mul(hn::Set(d, slope), x));
}

// What becomes of a finished sum in row u, columns from c on, before it is stored.
template <class D, class V>
HWY_INLINE V finish(D d, const Epilogue& f, V sum, Index u, Index c) {
  if (!f.bias && !f.gate) return sum;
  if (f.bias) sum = hn::Add(sum, hn::LoadU(d, f.bias->data() + c));
  return leaky(d, f.gate ? hn::LoadU(d, f.gate->row(u) + c) : sum, sum, f.slope);
}

}  // namespace gcnh::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
