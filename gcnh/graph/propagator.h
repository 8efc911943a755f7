// A constant sparse operator together with its transpose, which the backward pass multiplies by.
#pragma once

#include <optional>
#include <utility>

#include "gcnh/base/csr.h"

namespace gcnh {

class Propagator {
 public:
  explicit Propagator(Csr a) : a_(std::move(a)) {
    if (!is_symmetric(a_)) transposed_ = transpose(a_);
  }
  Index rows() const { return a_.rows; }
  Index cols() const { return a_.cols; }
  const Csr& forward() const { return a_; }
  const Csr& backward() const { return transposed_ ? *transposed_ : a_; }

 private:
  Csr a_;
  std::optional<Csr> transposed_;  // absent when A = A'
};

// A with each row divided by (row sum + 1e-6), as GCNH's mean aggregation takes it.
Csr mean_rows(Csr a);

// D^-1/2 (A + I) D^-1/2 with the row sums of A + I as degrees on both sides.
Csr symmetric_normalized_with_loops(const Csr& a);

}  // namespace gcnh
