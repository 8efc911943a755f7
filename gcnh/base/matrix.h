// Dense row-major matrix, rows contiguous, storage aligned to 64 bytes.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <new>
#include <span>
#include <vector>

#include "gcnh/base/types.h"

namespace gcnh {

// Memory on cache-line borders, so that a row of 16 floats never straddles two lines.
template <class T>
struct AlignedAllocator {
  using value_type = T;
  AlignedAllocator() = default;
  template <class U>
  AlignedAllocator(const AlignedAllocator<U>&) {}
  T* allocate(std::size_t n) { return static_cast<T*>(::operator new (n * sizeof(T), std::align_val_t{64})); }
  void deallocate(T* p, std::size_t) { ::operator delete (p, std::align_val_t{64}); }
  bool operator==(const AlignedAllocator&) const { return true; }
};

class Matrix {
 public:
  Matrix() = default;
  Matrix(Index rows, Index cols, Real value = 0)
      : rows_(rows), cols_(cols), data_(static_cast<std::size_t>(rows) * static_cast<std::size_t>(cols), value) {}

  Index rows() const { return rows_; }
  Index cols() const { return cols_; }
  std::size_t size() const { return data_.size(); }
  bool empty() const { return data_.empty(); }

  Real* data() { return data_.data(); }
  const Real* data() const { return data_.data(); }
  Real* row(Index i) { return data_.data() + static_cast<std::size_t>(i) * static_cast<std::size_t>(cols_); }
  const Real* row(Index i) const {
    return data_.data() + static_cast<std::size_t>(i) * static_cast<std::size_t>(cols_);
  }
  Real& operator()(Index i, Index j) { return row(i)[j]; }
  Real operator()(Index i, Index j) const { return row(i)[j]; }
  std::span<Real> values() { return {data_.data(), data_.size()}; }
  std::span<const Real> values() const { return {data_.data(), data_.size()}; }

  void fill(Real value) { std::fill(data_.begin(), data_.end(), value); }

  // Takes a new shape; the contents are unspecified. Memory is kept, so repeated steps do not allocate.
  void resize(Index rows, Index cols) {
    rows_ = rows;
    cols_ = cols;
    data_.resize(static_cast<std::size_t>(rows) * static_cast<std::size_t>(cols));
  }

  bool same_shape(const Matrix& other) const { return rows_ == other.rows_ && cols_ == other.cols_; }
  bool operator==(const Matrix& other) const { return same_shape(other) && data_ == other.data_; }

 private:
  Index rows_ = 0;
  Index cols_ = 0;
  std::vector<Real, AlignedAllocator<Real>> data_;
};

}  // namespace gcnh
