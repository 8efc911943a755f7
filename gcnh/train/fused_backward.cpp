// The fused step from the loss down to the first weights.
#include <algorithm>

#include "gcnh/base/parallel.h"
#include "gcnh/train/fused_stepper.h"

namespace gcnh {
namespace {

using kernels::Epilogue;
using kernels::RowMap;

constexpr Index kHeadPart = 4096;    // rows per partial sum
constexpr Index kFeatureBlock = 64;  // feature rows whose gradient stays in the first-level cache

// The list ascends.
void zero_all_but(std::span<const Index> rows, Matrix& m) {
  Index next = 0;
  const auto zero_until = [&](Index end) {
    if (next < end) std::fill(m.row(next), m.row(next) + Offset{end - next} * m.cols(), Real{0});
  };
  for (Index u : rows) {
    zero_until(u);
    next = u + 1;
  }
  zero_until(m.rows());
}

}  // namespace

// Mix, dropout, classifier and loss of the batch, and back to g and dz of the last layer; in parts of a fixed size.
double FusedStepper::head(const RowSets& sets, const Rng& rng) {
  const Index rows = static_cast<Index>(sets.batch.size()), k = net_.hidden;
  const double p = net_.dropout;
  const std::size_t last = values_.size() - 1;
  Matrix& factor = values_[last].factor;
  if (p > 0) {
    factor.resize(rows, k);
    kernels::dropout_factors(rng.fork(last), p, factor.values());
  }
  labels_ = labels_of(dataset_.labels, sets.batch);
  const Index parts = (rows + kHeadPart - 1) / kHeadPart;
  std::vector<kernels::HeadSums> sums(parts, kernels::HeadSums(k, dataset_.num_classes()));
  parallel_each(parts, 1 << 20, [&](Index part) {
    const Index first = part * kHeadPart;
    head_rows(std::span(sets.batch).subspan(first, std::min(kHeadPart, rows - first)), first, factor, sums[part]);
  });
  for (Index part = 1; part < parts; ++part) {
    kernels::add(sums[part].weight, sums[0].weight);
    kernels::add(sums[part].bias, sums[0].bias);
    kernels::add(sums[part].mix, sums[0].mix);
    sums[0].loss += sums[part].loss;
  }
  apply_head(sums[0]);
  return sums[0].loss / rows;
}

void FusedStepper::head_rows(std::span<const Index> rows, Index first, const Matrix& factor, kernels::HeadSums& sums) {
  const std::size_t last = values_.size() - 1;
  LayerValues& v = values_[last];
  const Index k = v.m.cols();
  const kernels::PaddedClassifier classifier(net_.classifier.weight->value, net_.classifier.bias->value);
  const Real scale = 1 / static_cast<Real>(labels_.size());
  Matrix a;
  for (std::size_t begin = 0; begin < rows.size(); begin += kHeadBlock) {
    const auto block = rows.subspan(begin, std::min<std::size_t>(kHeadBlock, rows.size() - begin));
    const Index at = first + static_cast<Index>(begin);
    a.resize(static_cast<Index>(block.size()), k);
    aggregate(last, RowMap::packed_from(block), a,
              net_.neighbours().is_max ? v.winner.data() + Offset{at} * k : nullptr);
    const bool dropped = net_.dropout > 0;
    const kernels::HeadInput in{block,     net_.shared ? v.m : v.z, a, beta_[last], dropped ? factor.row(at) : nullptr,
                                classifier};
    kernels::head_backward(in, std::span(labels_).subspan(at, block.size()), scale, GcnhNetwork::kSlope, v.g, v.dz,
                           sums);
  }
}

void FusedStepper::apply_head(const kernels::HeadSums& sums) {
  const Linear& classifier = net_.classifier;
  kernels::transpose(sums.weight, classifier.weight->grad);
  classifier.bias->grad = sums.bias;
  adam_.update(*classifier.weight);
  adam_.update(*classifier.bias);
  update_theta(values_.size() - 1, sums.mix);
}

// b = sigmoid(theta):  dtheta = b (1 - b) db, summed when theta is a single number
void FusedStepper::update_theta(std::size_t l, const Matrix& db) {
  Param* theta = net_.layers[l].mix.theta;
  if (!theta) return;
  const Matrix& b = beta_[l];
  for (Index j = 0; j < b.cols(); ++j) theta->grad(0, theta->cols() == 1 ? 0 : j) += b(0, j) * (1 - b(0, j)) * db(0, j);
  adam_.update(*theta);
}

// dm[v] = (sum over u of a_uv g[u]) * LeakyReLU'(m[v]) for the sources v. A full batch gathers along the transpose of
// its rows, which never change. Of other batches, few rows push and most of the graph's gather along the transpose of
// all rows, where those that take no part have no gradient: the same additions in the same order.
void FusedStepper::spread(std::size_t l, const RowSets::Layer& sets) {
  LayerValues& v = values_[l];
  if (one_batch_ && !net_.neighbours().is_max) {
    const Epilogue gate{nullptr, &v.m, GcnhNetwork::kSlope};
    kernels::spmm_rows(v.transposed, v.transposed.values, RowMap::listed(sets.sources), v.g, gate, v.dm);
    return;
  }
  if (net_.neighbours().is_max) {
    spread_to_winners(l, sets);
  } else if (static_cast<double>(sets.rows.size()) > gather_share_ * adjacency_.rows) {
    const Csr& transposed = net_.neighbours().edges.backward();
    zero_all_but(sets.rows, v.g);
    kernels::spmm_gather_rows(transposed, transposed.values, sets.sources, v.g, v.dm);
  } else {
    kernels::zero_rows(sets.sources, v.dm);
    kernels::spmm_push_add(adjacency_, adjacency_.values, sets.rows, v.g, v.dm);
  }
  kernels::gate_rows(sets.sources, v.m, GcnhNetwork::kSlope, v.dm);
}

// The gradient of a maximum goes to the neighbour that had it.
void FusedStepper::spread_to_winners(std::size_t l, const RowSets::Layer& sets) {
  LayerValues& v = values_[l];
  kernels::zero_rows(sets.sources, v.dm);
  const bool last = l + 1 == values_.size();  // there the winners are packed in the order of the batch
  const std::vector<Index>& rows = last ? training_.batch : sets.rows;
  const Index k = v.m.cols();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Index* winner = v.winner.data() + (last ? static_cast<Offset>(i) : rows[i]) * k;
    for (Index j = 0; j < k; ++j)
      if (winner[j] >= 0) v.dm(winner[j], j) += v.g(rows[i], j);
  }
}

// From g and dz of layer l to its weights and to g and dz of the layer below.
void FusedStepper::backward(std::size_t l, const RowSets& sets) {
  LayerValues& v = values_[l];
  const RowSets::Layer& rows = sets.layers[l];
  const GcnhNetwork::Layer& layer = net_.layers[l];
  if (l > 0) kernels::zero_rows(rows.both, values_[l - 1].dh);
  if (net_.shared) kernels::zero_rows(rows.both, v.dm);
  spread(l, rows);
  if (net_.shared) {
    kernels::add_rows(rows.rows, v.dz, v.dm);
    update_encoder(l, {layer.self(), rows.both, v.dm}, &features_of_rows_);
  } else {
    update_encoder(l, {layer.self(), rows.rows, v.dz}, &features_of_rows_);
    update_encoder(l, {layer.neighbours(), rows.sources, v.dm}, &features_of_sources_);
  }
  if (l == 0) return;
  LayerValues& below = values_[l - 1];
  Matrix db(1, below.h.cols());
  const Matrix* factor = net_.dropout > 0 ? &below.factor : nullptr;
  kernels::mix_rows_backward(rows.both, beta_[l - 1], net_.shared ? below.m : below.z, below.a, factor, below.dh,
                             GcnhNetwork::kSlope, below.g, below.dz, db);
  update_theta(l - 1, db);
}

// dW = H' dP, db = sum dP, and for the layers above the first dH += dP W'; then Adam.
void FusedStepper::update_encoder(std::size_t l, const Encoder& encoder, const Csr* transposed) {
  Param &weight = *encoder.linear.weight, &bias = *encoder.linear.bias;
  kernels::column_sums_rows_add(encoder.rows, encoder.gradient, bias.grad);
  adam_.update(bias);
  const Features& x = dataset_.features;
  const bool sparse = l == 0 && x.is_sparse();
  if (sparse && one_batch_) {
    update_first_weights(weight, encoder.gradient, *transposed);
    return;
  }
  if (sparse) {
    kernels::spmm_push_add(x.sparse(), x.sparse().values, encoder.rows, encoder.gradient, weight.grad);
  } else {
    kernels::gemm_transposed_rows_add(encoder.rows, l == 0 ? x.dense() : values_[l - 1].h, encoder.gradient,
                                      weight.grad);
  }
  if (l > 0) {
    weight_transposed_.resize(weight.cols(), weight.rows());
    kernels::transpose(weight.value, weight_transposed_);
    kernels::gemm_rows_add(RowMap::listed(encoder.rows), encoder.gradient, weight_transposed_, values_[l - 1].dh);
  }
  adam_.update(weight);
}

// A block of rows of dW = X' dP at a time, each handed to Adam while it is in the cache; no gradient matrix is filled.
void FusedStepper::update_first_weights(Param& weight, const Matrix& gradient, const Csr& transposed) {
  const Index k = weight.cols(), blocks = (weight.rows() + kFeatureBlock - 1) / kFeatureBlock;
  const std::int64_t cost = (transposed.nnz() + weight.rows()) * k / std::max<Index>(1, blocks) + 1;
  parallel_for(blocks, cost, [&](Index begin, Index end) {
    Matrix grad(kFeatureBlock, k);
    Index rows[kFeatureBlock];
    for (Index b = begin; b < end; ++b) {
      const Index first = b * kFeatureBlock, count = std::min(kFeatureBlock, weight.rows() - first);
      for (Index i = 0; i < count; ++i) rows[i] = first + i;
      kernels::spmm_rows(transposed, transposed.values, RowMap::packed_from({rows, static_cast<std::size_t>(count)}),
                         gradient, {}, grad);
      adam_.update_rows(weight, first, first + count, grad.data());
    }
  });
}

}  // namespace gcnh
