// GCNH's step without a tape: only the rows a batch needs, encodings shared between validation and the next training
// step, the head's forward and backward in one pass, and Adam applied to the first weights as their gradient appears.
#pragma once

#include <vector>

#include "gcnh/kernels/head.h"
#include "gcnh/kernels/kernels.h"
#include "gcnh/models/gcnh.h"
#include "gcnh/train/adam.h"
#include "gcnh/train/row_sets.h"
#include "gcnh/train/stepper.h"

namespace gcnh {

class FusedStepper : public Stepper {
 public:
  // With one batch, transposes of the rows that it touches are made once.
  FusedStepper(Model& model, const GcnhNetwork& network, const StepOptions& options);

  // Mini-batches gather the gradients of a layer that has more than this share of all rows and push those of smaller
  // ones; the bits are the same.
  void set_gather_share(double share) { gather_share_ = share; }

  const char* engine() const override { return "fused"; }
  double step(std::span<const Index> batch, const Rng& rng) override;
  const Matrix& log_probabilities(std::span<const Index> rows) override;
  void parameters_changed() override { ++version_; }
  Model& model() override { return model_; }
  Adam& adam() override { return adam_; }

 private:
  static constexpr Index kHeadBlock = 64;  // rows whose aggregate stays in the first-level cache

  // Values by node (n, k). What the first layer computes before dropout stays valid until the parameters change.
  struct LayerValues {
    Matrix z, m, a, h;     // encodings, aggregate, output; a and h are not kept for the last layer
    Matrix g, dz, dm, dh;  // gradients of a, z and m before the activation, and of h
    Matrix factor;         // dropout, packed by row
    std::vector<Index> winner;
    std::vector<std::uint64_t> z_version, m_version, a_version;
    Csr transposed;  // of the batch's rows of the adjacency, with one_batch
  };
  // A weight matrix of a layer with the rows it encodes and where their gradients are.
  struct Encoder {
    const Linear& linear;
    const std::vector<Index>& rows;
    Matrix& gradient;
  };

  void forward(const RowSets& sets, const Rng* rng);
  void encode(std::size_t l, const Linear& linear, const std::vector<Index>& rows, std::vector<std::uint64_t>& version,
              Matrix& out);
  void aggregate(std::size_t l, const kernels::RowMap& rows, Matrix& out, Index* winner);
  double head(const RowSets& sets, const Rng& rng);
  void head_rows(std::span<const Index> rows, Index first, const Matrix& factor, kernels::HeadSums& sums);
  void apply_head(const kernels::HeadSums& sums);
  void backward(std::size_t l, const RowSets& sets);
  void spread(std::size_t l, const RowSets::Layer& sets);
  void spread_to_winners(std::size_t l, const RowSets::Layer& sets);
  void update_encoder(std::size_t l, const Encoder& encoder, const Csr* transposed);
  void update_first_weights(Param& weight, const Matrix& gradient, const Csr& transposed);
  void update_theta(std::size_t l, const Matrix& db);
  const std::vector<Index>& pending(const std::vector<Index>& rows, std::vector<std::uint64_t>& version);

  Model& model_;
  const GcnhNetwork& net_;
  const Dataset& dataset_;
  const Csr& adjacency_;
  Adam adam_;
  bool one_batch_;
  double gather_share_ = 0.5;
  std::uint64_t version_ = 1;
  std::vector<LayerValues> values_;
  std::vector<Matrix> beta_;  // of every layer, for the step at hand
  RowSets training_, evaluation_;
  Csr features_of_rows_, features_of_sources_;  // transposes of the rows the first layer encodes, with one_batch
  std::vector<Index> pending_;
  std::vector<int> labels_;
  Matrix logp_;
  Matrix weight_transposed_;
};

}  // namespace gcnh
