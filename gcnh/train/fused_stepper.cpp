#include "gcnh/train/fused_stepper.h"

#include <algorithm>

#include "gcnh/base/denormals.h"
#include "gcnh/base/error.h"
#include "gcnh/base/parallel.h"
#include "gcnh/kernels/kernels.h"

namespace gcnh {
namespace {

using kernels::Epilogue;
using kernels::RowMap;

// Why the fused step does not cover a case; empty when it does.
std::string obstacle_of(const GcnhNetwork& network, Index num_classes, const StepOptions& options) {
  if (!network.as_paper) return "the fused step takes a node and its neighbours as in the paper, and no other channels";
  if (network.hidden % kernels::kHeadWidthStep != 0 || network.hidden > kernels::kHeadMostWidth)
    return join("the fused step takes hidden widths that are multiples of ", kernels::kHeadWidthStep, " up to ",
                kernels::kHeadMostWidth, ", not ", network.hidden);
  if (num_classes > kernels::kHeadMostClasses)
    return join("the fused step takes up to ", kernels::kHeadMostClasses, " classes, not ", num_classes);
  if (!options.class_weights.empty()) return "the fused step has no class weights";
  if (current_pool() && !options.one_batch) return "the fused step trains mini-batches on one thread";
  return "";
}

}  // namespace

std::unique_ptr<Stepper> fused_stepper(Model& model, const GcnhNetwork& network, const StepOptions& options,
                                       std::string& obstacle) {
  obstacle = obstacle_of(network, model.dataset().num_classes(), options);
  return obstacle.empty() ? std::make_unique<FusedStepper>(model, network, options) : nullptr;
}

FusedStepper::FusedStepper(Model& model, const GcnhNetwork& network, const StepOptions& options)
    : model_(model),
      net_(network),
      dataset_(model.dataset()),
      adjacency_(network.neighbours().edges.forward()),
      adam_(model.params(), options.lr, options.weight_decay),
      one_batch_(options.one_batch),
      values_(network.layers.size()),
      beta_(network.layers.size()) {
  const Index n = dataset_.num_nodes(), k = network.hidden;
  for (std::size_t l = 0; l < values_.size(); ++l) {
    LayerValues& v = values_[l];
    const bool last = l + 1 == values_.size();
    for (Matrix* matrix : {&v.m, &v.g, &v.dm}) *matrix = Matrix(n, k);
    if (!network.shared) v.z = Matrix(n, k);
    v.dz = Matrix(n, k);
    if (!last)
      for (Matrix* matrix : {&v.a, &v.h, &v.dh}) *matrix = Matrix(n, k);
    if (net_.neighbours().is_max) v.winner.resize(v.m.size());
    for (auto* version : {&v.z_version, &v.m_version, &v.a_version}) version->resize(n);
  }
}

// The rows whose value is older than the parameters; they are marked as new.
const std::vector<Index>& FusedStepper::pending(const std::vector<Index>& rows, std::vector<std::uint64_t>& version) {
  pending_.resize(rows.size());
  std::size_t count = 0;
  for (Index u : rows) {  // without a branch, which would be mispredicted every other time
    pending_[count] = u;
    count += version[u] != version_;
    version[u] = version_;
  }
  pending_.resize(count);
  return pending_;
}

// out[u] = LeakyReLU(H[u] W + b)
void FusedStepper::encode(std::size_t l, const Linear& linear, const std::vector<Index>& rows,
                          std::vector<std::uint64_t>& version, Matrix& out) {
  const Epilogue activate{&linear.bias->value, nullptr, GcnhNetwork::kSlope};
  if (l > 0) {
    kernels::gemm_rows(RowMap::listed(rows), values_[l - 1].h, linear.weight->value, activate, out);
    return;
  }
  const Features& x = dataset_.features;
  const RowMap map = RowMap::listed(pending(rows, version));
  if (x.is_sparse()) {
    kernels::spmm_rows(x.sparse(), x.sparse().values, map, linear.weight->value, activate, out);
  } else {
    kernels::gemm_rows(map, x.dense(), linear.weight->value, activate, out);
  }
}

void FusedStepper::aggregate(std::size_t l, const RowMap& rows, Matrix& out, Index* winner) {
  const Matrix& m = values_[l].m;
  if (net_.neighbours().is_max) {
    kernels::spmax_rows(adjacency_, rows, m, net_.neighbours().floor_at_zero, out, winner);
  } else {
    kernels::spmm_rows(adjacency_, adjacency_.values, rows, m, {}, out);
  }
}

// Everything below the head: encodings of all layers, outputs of all but the last. Dropout only with a stream.
void FusedStepper::forward(const RowSets& sets, const Rng* rng) {
  for (std::size_t l = 0; l < values_.size(); ++l) {
    LayerValues& v = values_[l];
    const GcnhNetwork::Layer& layer = net_.layers[l];
    beta_[l] = net_.layers[l].mix.weights(net_.hidden);
    if (net_.shared) {
      encode(l, layer.self(), sets.layers[l].both, v.m_version, v.m);
    } else {
      encode(l, layer.self(), sets.layers[l].rows, v.z_version, v.z);
      encode(l, layer.neighbours(), sets.layers[l].sources, v.m_version, v.m);
    }
    if (l + 1 == values_.size()) return;
    const std::vector<Index>& rows = sets.layers[l].rows;
    aggregate(l, RowMap::listed(l == 0 ? pending(rows, v.a_version) : rows), v.a, v.winner.data());
    const double p = rng ? net_.dropout : 0;
    if (p > 0) {
      v.factor.resize(static_cast<Index>(rows.size()), v.h.cols());
      kernels::dropout_factor_rows(rng->fork(l), p, rows, v.factor);
    }
    kernels::mix_rows(rows, beta_[l], net_.shared ? v.m : v.z, v.a, p > 0 ? &v.factor : nullptr, v.h);
  }
}

const Matrix& FusedStepper::log_probabilities(std::span<const Index> rows) {
  const FlushDenormals flush;
  if (!evaluation_.fits(rows)) evaluation_.build(adjacency_, rows, static_cast<int>(values_.size()));
  forward(evaluation_, nullptr);
  const std::size_t last = values_.size() - 1;
  const LayerValues& v = values_[last];
  const kernels::PaddedClassifier classifier(net_.classifier.weight->value, net_.classifier.bias->value);
  logp_.resize(static_cast<Index>(rows.size()), classifier.classes);
  parallel_for((logp_.rows() + kHeadBlock - 1) / kHeadBlock, 1 << 16, [&](Index begin, Index end) {
    Matrix a, logp;
    std::vector<Index> winner(net_.neighbours().is_max ? kHeadBlock * v.m.cols() : 0);
    for (Index b = begin; b < end; ++b) {
      const Index first = b * kHeadBlock;
      const auto block = rows.subspan(first, std::min(kHeadBlock, logp_.rows() - first));
      a.resize(static_cast<Index>(block.size()), v.m.cols());
      logp.resize(a.rows(), classifier.classes);
      aggregate(last, RowMap::packed_from(block), a, winner.data());
      kernels::head_forward({block, net_.shared ? v.m : v.z, a, beta_[last], nullptr, classifier}, logp);
      std::copy_n(logp.data(), logp.size(), logp_.row(first));
    }
  });
  return logp_;
}

double FusedStepper::step(std::span<const Index> batch, const Rng& rng) {
  const FlushDenormals flush;
  const bool prepared = training_.fits(batch);
  if (!prepared) training_.build(adjacency_, batch, static_cast<int>(values_.size()));
  if (!prepared && one_batch_) {
    for (std::size_t l = 0; l < values_.size() && !net_.neighbours().is_max; ++l)
      values_[l].transposed = transpose_of_rows(adjacency_, training_.layers[l].rows);
    if (dataset_.features.is_sparse()) {
      const RowSets::Layer& first = training_.layers[0];
      features_of_rows_ = transpose_of_rows(dataset_.features.sparse(), net_.shared ? first.both : first.rows);
      if (!net_.shared) features_of_sources_ = transpose_of_rows(dataset_.features.sparse(), first.sources);
    }
  }
  forward(training_, &rng);
  adam_.next_step();
  const double loss = head(training_, rng);
  for (std::size_t l = values_.size(); l-- > 0;) backward(l, training_);
  ++version_;
  return loss;
}

}  // namespace gcnh
