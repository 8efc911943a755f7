// From plain arrays to the parts of Tables, with every number checked.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "gcnh/graph/dataset.h"
#include "gcnh/io/npy.h"

namespace gcnh {

// A count as an Index; an error naming `what` when it does not fit.
Index to_index(std::int64_t value, const std::string& where, const char* what);

// A stored sparse matrix (rows, cols): offsets start at 0, never fall and end at the number of entries; columns exist.
struct CsrArrays {
  Index rows;
  Index cols;
  std::vector<std::int64_t> offsets;
  std::vector<std::int64_t> indices;
  std::vector<Real> values;
};
CsrArrays check_csr(Index rows, Index cols, const NpyArray& offsets, const NpyArray& indices, const NpyArray& values);

// Rows sorted; entries at the same place add up, as SciPy takes them.
Csr to_csr(const CsrArrays& arrays);

// Row-major values (rows, cols): sparse when fewer than half of them are not 0.
Features to_features(Index rows, Index cols, const std::vector<Real>& values);

// What is not 0, whatever form the features have.
Csr sparse_form(const Features& features);

// The same choice for numbers that are sparse already. Zeros count as entries.
Features to_features(Csr x);

// Class numbers, -1 for none.
std::vector<int> to_labels(std::span<const std::int64_t> values, const std::string& where);

constexpr std::int64_t kMostClasses = 1'000'000;

// "0", "1", ... up to the largest label.
std::vector<std::string> class_numbers(std::span<const int> labels);

}  // namespace gcnh
