// Pickles written opcode by opcode, as Python 2 wrote the Planetoid files.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

namespace gcnh::pickled {

inline std::string number(std::int32_t value) {
  std::string out = "J0000";
  std::memcpy(&out[1], &value, 4);
  return out;
}

inline std::string text(const std::string& bytes) {
  const auto size = static_cast<std::int32_t>(bytes.size());
  std::string out = "T0000";
  std::memcpy(&out[1], &size, 4);
  return out + bytes;
}

inline std::string global(const std::string& module, const std::string& name) {
  return "c" + module + "\n" + name + "\n";
}

inline std::string tuple(const std::vector<std::string>& parts) {
  std::string out = "(";
  for (const std::string& part : parts) out += part;
  return out + "t";
}

inline std::string dtype(const std::string& kind, const std::string& order = "<") {
  return global("numpy", "dtype") + tuple({text(kind), number(0), number(1)}) + "R" +
         tuple({number(3), text(order), "N", "N", "N", number(-1), number(-1), number(0)}) + "b";
}

inline std::string array(const std::string& kind, const std::vector<int>& shape, const std::string& bytes) {
  std::vector<std::string> extents;
  for (int extent : shape) extents.push_back(number(extent));
  return global("numpy.core.multiarray", "_reconstruct") +
         tuple({global("numpy", "ndarray"), tuple({number(0)}), text("b")}) + "R" +
         tuple({number(1), tuple(extents), dtype(kind), "\x89", text(bytes)}) + "b";
}

template <class T>
std::string bytes_of(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

inline std::string ints(const std::vector<int>& shape, const std::vector<std::int32_t>& values) {
  return array("i4", shape, bytes_of(values));
}

inline std::string matrix(int rows, int cols, const std::vector<std::int32_t>& offsets,
                          const std::vector<std::int32_t>& indices, const std::vector<float>& values) {
  const auto length = [](const auto& v) { return std::vector<int>{static_cast<int>(v.size())}; };
  return global("scipy.sparse.csr", "csr_matrix") + ")\x81}(" + text("_shape") + tuple({number(rows), number(cols)}) +
         text("indptr") + ints(length(offsets), offsets) + text("indices") + ints(length(indices), indices) +
         text("data") + array("f4", length(values), bytes_of(values)) + "ub";
}

inline std::string graph(const std::vector<std::pair<int, std::vector<int>>>& lists) {
  std::string out = global("collections", "defaultdict") + tuple({global("__builtin__", "list")}) + "R(";
  for (const auto& [key, neighbours] : lists) {
    out += number(key) + "](";
    for (int v : neighbours) out += number(v);
    out += "e";
  }
  return out + "u";
}

inline std::string file(const std::string& body) { return "\x80\x02" + body + "."; }

}  // namespace gcnh::pickled
