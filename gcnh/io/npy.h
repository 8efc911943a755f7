// NumPy's array file, versions 1 to 3. Every declared size is checked against the bytes at hand before memory is taken.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gcnh/base/types.h"

namespace gcnh {

struct NpyArray {
  std::string dtype;  // as NumPy writes it: |b1 |u1 |i1 <u2 <i2 <u4 <i4 <i8 <f4 <f8, <U or |S and a length
  std::vector<std::int64_t> shape;  // empty: one number
  std::string bytes;                // row-major
  std::string where = "array";      // file and member, for messages

  std::int64_t size() const;  // product of the shape
  std::vector<std::int64_t> as_integers() const;
  std::vector<Real> as_reals() const;  // finite, or an error
  double number(std::size_t i) const;  // of an array of 64-bit numbers, which a Real may not hold; else 0
};

// Throws unless the type is known and shape and type ask for exactly the bytes that are there.
void check_layout(const NpyArray& array);

NpyArray parse_npy(std::string file, const std::string& where);
std::string format_npy(const NpyArray& array);

NpyArray make_npy(std::span<const std::int64_t> values, std::vector<std::int64_t> shape);
NpyArray make_npy(std::span<const Index> values, std::vector<std::int64_t> shape);
NpyArray make_npy(std::span<const float> values, std::vector<std::int64_t> shape);
NpyArray make_npy(std::span<const double> values, std::vector<std::int64_t> shape);
NpyArray make_npy(std::span<const std::uint8_t> values, std::vector<std::int64_t> shape);

}  // namespace gcnh
