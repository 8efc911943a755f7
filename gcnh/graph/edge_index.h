// A sparse pattern whose entries carry learned values. Values stand in matrices of shape (entries, heads) in the order
// of the entries; the transpose knows where each of its own entries comes from.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "gcnh/base/csr.h"

namespace gcnh {

class EdgeIndex {
 public:
  explicit EdgeIndex(Csr a) : forward_(std::move(a)), backward_(transpose(forward_, &source_)) {}
  Index rows() const { return forward_.rows; }
  Index cols() const { return forward_.cols; }
  Index num_edges() const { return static_cast<Index>(forward_.nnz()); }
  const Csr& forward() const { return forward_; }
  const Csr& backward() const { return backward_; }
  // Position in forward() of each entry of backward().
  std::span<const Offset> source() const { return source_; }

 private:
  Csr forward_;
  std::vector<Offset> source_;  // filled while the next member is made
  Csr backward_;
};

// The pattern of A + I, all values 1.
Csr pattern_with_loops(const Csr& a);

}  // namespace gcnh
