// A constant sparse operator together with its transpose, which the backward pass multiplies by.
#pragma once

#include <memory>
#include <utility>

#include "gcnh/base/csr.h"

namespace gcnh {

class Propagator {
 public:
  explicit Propagator(Csr a) : a_(std::make_shared<const Csr>(std::move(a))) {}
  // For a matrix that outlives the propagator and need not be copied.
  static Propagator of(const Csr& a) { return Propagator(std::shared_ptr<const Csr>(std::shared_ptr<void>(), &a)); }

  Index rows() const { return a_->rows; }
  Index cols() const { return a_->cols; }
  const Csr& forward() const { return *a_; }
  // A', made when it is first asked for.
  const Csr& backward() const;

 private:
  explicit Propagator(std::shared_ptr<const Csr> a) : a_(std::move(a)) {}

  std::shared_ptr<const Csr> a_;
  mutable std::shared_ptr<const Csr> transposed_;  // the same as a_ when A = A'
};

// A with each row divided by (row sum + 1e-6), as GCNH's mean aggregation takes it.
Csr mean_rows(Csr a);

// D^-1/2 (A + I) D^-1/2 with the row sums of A + I as degrees on both sides.
Csr symmetric_normalized_with_loops(const Csr& a);

}  // namespace gcnh
