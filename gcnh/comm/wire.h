// Values as bytes and back, bit for bit, between processes that run the same program on machines of one kind. A struct
// takes part by a function visit_fields(f, s) beside it that calls f(field, field, ...) once.
#pragma once

#include <cstring>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "gcnh/base/csr.h"
#include "gcnh/base/error.h"
#include "gcnh/base/matrix.h"

namespace gcnh {

template <class T>
constexpr bool kIsPlain = std::is_arithmetic_v<T> || std::is_enum_v<T>;  // its bytes are all there is to it

class WireWriter {
 public:
  template <class... T>
  void operator()(const T&... values) {
    (put(values), ...);
  }
  std::string take() { return std::move(bytes_); }  // all that was written

 private:
  void append(const void* from, std::size_t size) {
    if (size > 0) bytes_.append(static_cast<const char*>(from), size);
  }
  template <class T>
  void put(const T& x) {
    if constexpr (kIsPlain<T>) {
      append(&x, sizeof x);
    } else {
      visit_fields(*this, const_cast<T&>(x));  // which only reads
    }
  }
  void put(const std::string& x) {
    put(x.size());
    append(x.data(), x.size());
  }
  template <class T>
  void put(const std::vector<T>& x) {
    put(x.size());
    if constexpr (kIsPlain<T>) {
      append(x.data(), x.size() * sizeof(T));
    } else {
      for (const T& value : x) put(value);
    }
  }
  template <class Key, class T, class Order>
  void put(const std::map<Key, T, Order>& x) {
    put(x.size());
    for (const auto& [key, value] : x) (*this)(key, value);
  }
  template <class T>
  void put(const std::optional<T>& x) {
    put(x.has_value());
    if (x) put(*x);
  }
  void put(const Matrix& x) {
    (*this)(x.rows(), x.cols());
    append(x.data(), x.size() * sizeof(Real));
  }
  void put(const Csr& x) { (*this)(x.rows, x.cols, x.offsets, x.indices, x.values); }

  std::string bytes_;
};

// Reads what a WireWriter wrote, in the same order. Throws where the bytes end too early.
class WireReader {
 public:
  explicit WireReader(std::string_view bytes) : rest_(bytes) {}
  template <class... T>
  void operator()(T&... values) {
    (get(values), ...);
  }
  template <class T>
  T take() {
    T out{};
    get(out);
    return out;
  }

 private:
  void copy(void* to, std::size_t size) {
    require(size <= rest_.size(), "a message between ranks is too short");
    if (size > 0) std::memcpy(to, rest_.data(), size);
    rest_.remove_prefix(size);
  }
  template <class T>
  void get(T& x) {
    if constexpr (kIsPlain<T>) {
      copy(&x, sizeof x);
    } else {
      visit_fields(*this, x);
    }
  }
  std::size_t length(std::size_t size_of_one) {
    const auto out = take<std::size_t>();
    require(out <= rest_.size() / size_of_one, "a message between ranks is too short");
    return out;
  }
  void get(std::string& x) {
    x.resize(length(1));
    copy(x.data(), x.size());
  }
  template <class T>
  void get(std::vector<T>& x) {
    if constexpr (kIsPlain<T>) {
      x.resize(length(sizeof(T)));
      copy(x.data(), x.size() * sizeof(T));
    } else {
      x.resize(length(1));
      for (T& value : x) get(value);
    }
  }
  template <class Key, class T, class Order>
  void get(std::map<Key, T, Order>& x) {
    x.clear();
    for (std::size_t left = length(1); left > 0; --left) {
      Key key = take<Key>();
      get(x[std::move(key)]);
    }
  }
  template <class T>
  void get(std::optional<T>& x) {
    x.reset();
    if (take<bool>()) get(x.emplace());
  }
  void get(Matrix& x) {
    const auto rows = take<Index>(), cols = take<Index>();
    require(rows >= 0 && cols >= 0, "a message between ranks has a matrix of ", rows, " rows");
    x = Matrix(rows, cols);
    copy(x.data(), x.size() * sizeof(Real));
  }
  void get(Csr& x) { (*this)(x.rows, x.cols, x.offsets, x.indices, x.values); }

  std::string_view rest_;
};

}  // namespace gcnh
