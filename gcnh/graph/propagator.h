// A sparse operator in both directions: forward passes multiply by A, backward passes by A'.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "gcnh/base/csr.h"

namespace gcnh {

// A handle: copies share the matrices, and ops keep one until the backward pass. Where the values of the entries are
// computed (attention), the matrix is a pattern, and values stand in matrices of shape (entries, heads) in the order
// of its entries; source() tells where those of A' come from.
class Propagator {
 public:
  // `is_of_list`: its rows are those of listed nodes and not of all.
  explicit Propagator(Csr a, bool is_of_list = false)
      : both_(std::make_shared<Both>(std::move(a))), is_of_list_(is_of_list) {}
  // For a matrix that outlives the propagator and need not be copied.
  static Propagator of(const Csr& a) { return Propagator(std::make_shared<Both>(&a)); }
  static Propagator of(Csr&& a) = delete;

  Index rows() const { return both_->a.rows; }
  Index cols() const { return both_->a.cols; }
  Index num_entries() const { return static_cast<Index>(both_->a.nnz()); }
  bool is_of_list() const { return is_of_list_; }
  const Csr& forward() const { return both_->a; }
  // A', made when it is first asked for; the same as A where that is symmetric.
  const Csr& backward() const;
  // Position in forward() of each entry of backward().
  std::span<const Offset> source() const;

 private:
  struct Both {
    explicit Both(Csr matrix) : own(std::move(matrix)), a(own) {}
    explicit Both(const Csr* matrix) : a(*matrix) {}
    const Csr own;
    const Csr& a;
    std::optional<Csr> transposed;
    const Csr* backward = nullptr;
    std::vector<Offset> source;
  };
  explicit Propagator(std::shared_ptr<Both> both) : both_(std::move(both)) {}

  std::shared_ptr<Both> both_;
  bool is_of_list_ = false;
};

// A with each row divided by (row sum + epsilon). GCNH's mean aggregation takes this one; weights, which may be as
// small as that, take 0.
constexpr Real kMeanEpsilon = Real(1e-6);
Csr mean_rows(Csr a, Real epsilon = kMeanEpsilon);

// D_out^-1/2 A D_in^-1/2: each entry divided by the roots of the sums of its row and of its column. Of a part of a
// graph, whose adjacency does not have them all, the sums are given (Dataset::whole_sums).
Csr symmetric_normalized(Csr a, const MatrixSums& whole = {});

// D^-1/2 (A + I) D^-1/2 with the row sums of A + I as degrees on both sides. Of a part, those of A are given for rows
// that are empty here.
Csr symmetric_normalized_with_loops(const Csr& a, const MatrixSums& whole = {});

// The pattern of A + I, all values 1.
Csr pattern_with_loops(const Csr& a);

}  // namespace gcnh
