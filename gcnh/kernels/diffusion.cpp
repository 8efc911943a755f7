// Diffusion with a d x d block per edge. For a few vectors of channels the d coordinates of a node stay in registers
// while its edges run by; products of stalks keep d x d sums there. Sums over channels are taken in vectors of 32 bytes
// at most, so that AVX2 and AVX-512 add in the same order.
#include "gcnh/kernels/sheaf.h"

#define HWY_TARGET_INCLUDE "gcnh/kernels/diffusion.cpp"
#include "gcnh/kernels/simd.h"

HWY_BEFORE_NAMESPACE();
namespace gcnh::kernels::HWY_NAMESPACE {

struct Operands {
  const EdgeList& g;
  Offset stride;    // from node to node
  Offset channels;  // from coordinate to coordinate
  const Real* diagonal;
  const Real* blocks;
  const Real* x;
  Real* y;
  bool add;
};

// B vectors of channels from c on, of the nodes [begin, end).
template <class T, int D, int B>
HWY_INLINE void block(const Operands& o, Index c, Index begin, Index end) {
  const T tag;
  using V = hn::Vec<T>;
  constexpr Index kStep = static_cast<Index>(hn::MaxLanes(tag));
  const Csr& rows = o.g.rows;
  for (Index u = begin; u < end; ++u) {
    V acc[D][B];
    const Real* own = o.x + u * o.stride + c;
    for (int i = 0; i < D; ++i)
      for (int b = 0; b < B; ++b)
        acc[i][b] = hn::Mul(hn::Set(tag, o.diagonal[u]), hn::LoadU(tag, own + i * o.channels + b * kStep));
    // Entry (i, j) of the edge's block is at i down + j across.
    const auto accumulate = [&](Offset e, int down, int across) HWY_ATTR {
      const Real* from = o.x + rows.indices[e] * o.stride + c;
      const Real* m = o.blocks + Offset{o.g.edge[e]} * (D * D);
      for (int j = 0; j < D; ++j) {
        V v[B];
        for (int b = 0; b < B; ++b) v[b] = hn::LoadU(tag, from + j * o.channels + b * kStep);
        for (int i = 0; i < D; ++i) {
          const V factor = hn::Set(tag, m[i * down + j * across]);
          for (int b = 0; b < B; ++b) acc[i][b] = hn::MulAdd(factor, v[b], acc[i][b]);
        }
      }
    };
    Offset e = rows.offsets[u];
    const Offset last = rows.offsets[u + 1];
    for (; e < last && rows.indices[e] < u; ++e) accumulate(e, 1, D);
    for (; e < last; ++e) accumulate(e, D, 1);
    Real* to = o.y + u * o.stride + c;
    for (int i = 0; i < D; ++i) {
      for (int b = 0; b < B; ++b) {
        Real* at = to + i * o.channels + b * kStep;
        hn::StoreU(o.add ? hn::Add(hn::LoadU(tag, at), acc[i][b]) : acc[i][b], tag, at);
      }
    }
  }
}

// Channels from c on that do not fill a vector: the largest half that fits, and so on.
template <int kStep, int D>
HWY_INLINE void narrow(const Operands& o, Index c, Index begin, Index end) {
  if (c + kStep <= o.channels) block<hn::CappedTag<Real, kStep>, D, 1>(o, c, begin, end), c += kStep;
  if constexpr (kStep > 1) narrow<kStep / 2, D>(o, c, begin, end);
}

template <int D>
void diffuse_nodes(const Operands& o, Index begin, Index end) {
  Index c = 0;
  for (; c + 2 * kLanes <= o.channels; c += 2 * kLanes) block<Tag, D, 2>(o, c, begin, end);
  if (c + kLanes <= o.channels) block<Tag, D, 1>(o, c, begin, end), c += kLanes;
  if constexpr (kLanes > 1) narrow<kLanes / 2, D>(o, c, begin, end);
}

std::int64_t cost_of_node(const EdgeList& g, const StalkPart& part) {
  return g.rows.per_row() * part.d * part.d * part.channels;
}

void diffuse_all(const EdgeList& g, const StalkPart& part, const Matrix& diagonal, const Matrix& blocks,
                 const Matrix& x, bool add, Matrix& y) {
  constexpr decltype(&diffuse_nodes<1>) kOf[] = {diffuse_nodes<1>, diffuse_nodes<2>, diffuse_nodes<3>, diffuse_nodes<4>,
                                                 diffuse_nodes<5>};
  const Offset skip = Offset{part.first} * part.channels;
  const Offset stride = Offset{part.coordinates} * part.channels;
  const Operands o{g, stride, part.channels, diagonal.data(), blocks.data(), x.data() + skip, y.data() + skip, add};
  parallel_for(g.num_nodes(), cost_of_node(g, part), [&](Index begin, Index end) { kOf[part.d - 1](o, begin, end); });
}

using SumVec = hn::Vec<SumTag>;
constexpr Index kSumLanes = static_cast<Index>(hn::MaxLanes(SumTag()));

HWY_INLINE Real lane_sum(SumVec v) { return hn::GetLane(hn::SumOfLanes(SumTag(), v)); }

HWY_INLINE Real dot(const Real* x, const Real* y, Index count) {
  const SumTag tag;
  SumVec acc = hn::Zero(tag);
  Index c = 0;
  for (; c + kSumLanes <= count; c += kSumLanes) acc = hn::MulAdd(hn::LoadU(tag, x + c), hn::LoadU(tag, y + c), acc);
  Real sum = lane_sum(acc);
  for (; c < count; ++c) sum += x[c] * y[c];
  return sum;
}

// out (D, D) += x y' + z w' over the channels of D coordinates each
template <int D>
HWY_INLINE void outer_add(const Real* x, const Real* y, const Real* z, const Real* w, Index channels, Real* out) {
  const SumTag tag;
  SumVec acc[D][D];
  for (auto& row : acc)
    for (SumVec& v : row) v = hn::Zero(tag);
  Index c = 0;
  for (; c + kSumLanes <= channels; c += kSumLanes) {
    SumVec right[D], other[D];
    for (int j = 0; j < D; ++j) {
      right[j] = hn::LoadU(tag, y + j * channels + c);
      other[j] = hn::LoadU(tag, w + j * channels + c);
    }
    for (int i = 0; i < D; ++i) {
      const SumVec left = hn::LoadU(tag, x + i * channels + c), second = hn::LoadU(tag, z + i * channels + c);
      for (int j = 0; j < D; ++j) acc[i][j] = hn::MulAdd(second, other[j], hn::MulAdd(left, right[j], acc[i][j]));
    }
  }
  for (int i = 0; i < D; ++i) {
    for (int j = 0; j < D; ++j) {
      Real sum = lane_sum(acc[i][j]);
      for (Index r = c; r < channels; ++r)
        sum += x[i * channels + r] * y[j * channels + r] + z[i * channels + r] * w[j * channels + r];
      out[i * D + j] += sum;
    }
  }
}

template <int D>
void products_of_nodes(const EdgeList& g, const StalkPart& part, const Real* x, const Real* dy, Index begin, Index end,
                       Matrix& ddiagonal, Matrix& dblocks) {
  const Offset stride = Offset{part.coordinates} * part.channels;
  for (Index u = begin; u < end; ++u) {
    const Real *xu = x + u * stride, *du = dy + u * stride;
    if (!ddiagonal.empty()) ddiagonal(u, 0) += dot(du, xu, D * part.channels);
    if (dblocks.empty()) continue;
    for (Offset e = g.rows.offsets[u]; e < g.rows.offsets[u + 1]; ++e) {
      const Index v = g.rows.indices[e];
      if (v > u) outer_add<D>(du, x + v * stride, xu, dy + v * stride, part.channels, dblocks.row(g.edge[e]));
    }
  }
}

void diffuse_backward_add(const EdgeList& g, const StalkPart& part, const Matrix& x, const Matrix& dy,
                          Matrix& ddiagonal, Matrix& dblocks) {
  constexpr decltype(&products_of_nodes<1>) kOf[] = {products_of_nodes<1>, products_of_nodes<2>, products_of_nodes<3>,
                                                     products_of_nodes<4>, products_of_nodes<5>};
  const Offset skip = Offset{part.first} * part.channels;
  parallel_for(g.num_nodes(), cost_of_node(g, part), [&](Index begin, Index end) {
    kOf[part.d - 1](g, part, x.data() + skip, dy.data() + skip, begin, end, ddiagonal, dblocks);
  });
}

// y_u[i] (+)= sum_j left[i][j] x_u[j]
void left_all(const Matrix& left, Index channels, const Matrix& x, bool add, Matrix& y) {
  const Index f = left.rows();
  const Offset stride = Offset{f} * channels;
  parallel_each(static_cast<Index>(static_cast<Offset>(x.size()) / stride), f * stride, [&](Index u) {
    each_vector(Index{0}, channels, [&, from = x.data() + u * stride, to = y.data() + u * stride](auto tag, Index c) {
      for (Index i = 0; i < f; ++i) {
        Real* const at = to + i * channels + c;
        auto acc = add ? hn::LoadU(tag, at) : hn::Zero(tag);
        for (Index j = 0; j < f; ++j)
          acc = hn::MulAdd(hn::Set(tag, left(i, j)), hn::LoadU(tag, from + j * channels + c), acc);
        hn::StoreU(acc, tag, at);
      }
    });
  });
}

// sums[i][j] += <dy_u[i], x_u[j]> over the nodes [begin, end)
void left_products(const Real* x, const Real* dy, Index channels, Index begin, Index end, Matrix& sums) {
  const Index f = sums.rows();
  for (Index u = begin; u < end; ++u) {
    const Real *xu = x + Offset{u} * f * channels, *du = dy + Offset{u} * f * channels;
    for (Index i = 0; i < f; ++i)
      for (Index j = 0; j < f; ++j) sums(i, j) += dot(du + i * channels, xu + j * channels, channels);
  }
}

}  // namespace gcnh::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gcnh::kernels {

HWY_EXPORT(diffuse_all);
HWY_EXPORT(diffuse_backward_add);
HWY_EXPORT(left_all);
HWY_EXPORT(left_products);

void diffuse(const EdgeList& g, const StalkPart& part, const Matrix& diagonal, const Matrix& blocks, const Matrix& x,
             Matrix& y) {
  HWY_DYNAMIC_DISPATCH(diffuse_all)(g, part, diagonal, blocks, x, false, y);
}

void diffuse_add(const EdgeList& g, const StalkPart& part, const Matrix& diagonal, const Matrix& blocks,
                 const Matrix& x, Matrix& y) {
  HWY_DYNAMIC_DISPATCH(diffuse_all)(g, part, diagonal, blocks, x, true, y);
}

void diffuse_backward_add(const EdgeList& g, const StalkPart& part, const Matrix& x, const Matrix& dy,
                          Matrix& ddiagonal, Matrix& dblocks) {
  HWY_DYNAMIC_DISPATCH(diffuse_backward_add)(g, part, x, dy, ddiagonal, dblocks);
}

void left_product(const Matrix& left, Index channels, const Matrix& x, Matrix& y) {
  HWY_DYNAMIC_DISPATCH(left_all)(left, channels, x, false, y);
}

void left_product_add(const Matrix& left, Index channels, const Matrix& x, Matrix& y) {
  HWY_DYNAMIC_DISPATCH(left_all)(left, channels, x, true, y);
}

// A sum over nodes: parts of a size that depends on the number of nodes only, added up in order.
void left_product_backward_add(Index channels, const Matrix& x, const Matrix& dy, Matrix& dleft) {
  const Index nodes = static_cast<Index>(x.size() / (static_cast<std::size_t>(dleft.rows()) * channels));
  const Index part = std::max<Index>(1024, (nodes + 63) / 64);
  std::vector<Matrix> sums((nodes + part - 1) / part, Matrix(dleft.rows(), dleft.cols()));
  parallel_each(static_cast<Index>(sums.size()), 1 << 20, [&](Index p) {
    HWY_DYNAMIC_DISPATCH(left_products)
    (x.data(), dy.data(), channels, p * part, std::min(nodes, (p + 1) * part), sums[p]);
  });
  for (const Matrix& sum : sums) add(sum, dleft);
}

}  // namespace gcnh::kernels
#endif
