// Arrays, matrices and dictionaries of lists as Python 2 pickled them.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "gcnh/io/arrays.h"
#include "gcnh/io/npy.h"
#include "gcnh/io/pickle.h"

namespace gcnh {

// numpy.ndarray
NpyArray to_array(const PickleValue& value, const std::string& where);

// scipy.sparse.csr_matrix
Csr to_matrix(const PickleValue& value, const std::string& where);

// The key, value, key, value, ... of a dict or defaultdict.
std::span<const PickleValue* const> to_pairs(const PickleValue& value, const std::string& where);

std::int64_t to_integer(const PickleValue& value, const std::string& where);

}  // namespace gcnh
