#include "gcnh/io/npy.h"

#include <bit>
#include <cmath>
#include <cstring>

#include "gcnh/base/error.h"
#include "gcnh/io/npy_header.h"
#include "gcnh/io/text.h"

namespace gcnh {
namespace {

static_assert(std::endian::native == std::endian::little, "arrays are stored and used little-endian");

// Bytes of one element; 0: a type we do not read.
std::int64_t element_size(std::string_view dtype) {
  for (std::string_view known : {"|b1", "|u1", "|i1", "<u2", "<i2", "<u4", "<i4", "<i8", "<f4", "<f8"})
    if (dtype == known) return known[2] - '0';
  const bool wide = dtype.starts_with("<U");  // UTF-32
  if (!wide && !dtype.starts_with("|S")) return 0;
  const auto length = parse_number<std::int32_t>(dtype.substr(2));
  return length && *length > 0 ? std::int64_t{wide ? 4 : 1} * *length : 0;
}

template <class Stored, class Number>
std::vector<Number> convert(const std::string& bytes) {
  std::vector<Number> out(bytes.size() / sizeof(Stored));
  for (std::size_t i = 0; i < out.size(); ++i) {
    Stored value;
    std::memcpy(&value, bytes.data() + i * sizeof(Stored), sizeof(Stored));
    out[i] = static_cast<Number>(value);
  }
  return out;
}

template <class Number>
std::vector<Number> convert_integers(const NpyArray& a) {
  if (a.dtype == "|b1" || a.dtype == "|u1") return convert<std::uint8_t, Number>(a.bytes);
  if (a.dtype == "|i1") return convert<std::int8_t, Number>(a.bytes);
  if (a.dtype == "<u2") return convert<std::uint16_t, Number>(a.bytes);
  if (a.dtype == "<i2") return convert<std::int16_t, Number>(a.bytes);
  if (a.dtype == "<u4") return convert<std::uint32_t, Number>(a.bytes);
  if (a.dtype == "<i4") return convert<std::int32_t, Number>(a.bytes);
  if (a.dtype == "<i8") return convert<std::int64_t, Number>(a.bytes);
  fail(Status::data, a.where, ": type ", quote(a.dtype), " where integers are expected");
}

// The bytes of a column-major matrix, row by row.
std::string by_rows(const NpyArray& a) {
  const auto rows = static_cast<std::size_t>(a.shape[0]), cols = static_cast<std::size_t>(a.shape[1]);
  const auto width = static_cast<std::size_t>(element_size(a.dtype));
  std::string out(a.bytes.size(), '\0');
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < cols; ++j)
      std::memcpy(&out[(i * cols + j) * width], &a.bytes[(j * rows + i) * width], width);
  return out;
}

template <class T>
NpyArray pack(const char* dtype, std::span<const T> values, std::vector<std::int64_t> shape) {
  NpyArray out{dtype, std::move(shape), std::string(values.size_bytes(), '\0'), "array"};
  if (!values.empty()) std::memcpy(out.bytes.data(), values.data(), values.size_bytes());
  check_layout(out);
  return out;
}

}  // namespace

std::int64_t NpyArray::size() const {
  std::int64_t product = 1;
  for (std::int64_t extent : shape) {
    require(extent >= 0 && !__builtin_mul_overflow(product, extent, &product), where, ": impossible shape ",
            format_shape(shape));
  }
  return product;
}

std::vector<std::int64_t> NpyArray::as_integers() const { return convert_integers<std::int64_t>(*this); }

std::vector<Real> NpyArray::as_reals() const {
  if (dtype != "<f4" && dtype != "<f8") return convert_integers<Real>(*this);
  std::vector<Real> out = dtype == "<f4" ? convert<float, Real>(bytes) : convert<double, Real>(bytes);
  for (std::size_t i = 0; i < out.size(); ++i)
    require(std::isfinite(out[i]), where, ": element ", i, " is ", out[i], "; only finite numbers are read");
  return out;
}

double NpyArray::number(std::size_t i) const {
  const auto read = [&]<class Number>(Number out) {
    std::memcpy(&out, bytes.data() + i * sizeof out, sizeof out);
    return static_cast<double>(out);
  };
  return dtype == "<f8" ? read(double{}) : dtype == "<i8" ? read(std::int64_t{}) : 0;
}

void check_layout(const NpyArray& a) {
  require(a.dtype.find('O') == std::string::npos, a.where, ": type '|O' holds Python objects, which are never read");
  const std::int64_t width = element_size(a.dtype);
  require(width > 0, a.where, ": type ", quote(a.dtype), "; known: |b1 |u1 |i1 <u2 <i2 <u4 <i4 <i8 <f4 <f8 <U |S");
  std::int64_t need = 0;
  require(!__builtin_mul_overflow(a.size(), width, &need), a.where, ": impossible shape ", format_shape(a.shape));
  require(need == static_cast<std::int64_t>(a.bytes.size()), a.where, ": shape ", format_shape(a.shape), " of type ",
          a.dtype, " needs ", need, " bytes, found ", a.bytes.size());
}

NpyArray parse_npy(std::string file, const std::string& where) {
  NpyHeader header = parse_npy_header(file, where);
  NpyArray out{std::move(header.dtype), std::move(header.shape), std::move(file), where};
  out.bytes.erase(0, header.end);
  check_layout(out);
  require(!header.column_major || out.shape.size() <= 2, where, ": a column-major array of ", out.shape.size(),
          " dimensions; at most 2 are read, save numpy.ascontiguousarray(a)");
  if (header.column_major && out.shape.size() == 2) out.bytes = by_rows(out);
  return out;
}

std::string format_npy(const NpyArray& array) {
  check_layout(array);
  std::string header =
      join("{'descr': '", array.dtype, "', 'fortran_order': False, 'shape': ", format_shape(array.shape), ", }");
  header.append(63 - (10 + header.size()) % 64, ' ');  // the data begins on a multiple of 64 bytes, as NumPy does it
  header += '\n';
  std::string out(kNpyMagic);
  out += {'\1', '\0', static_cast<char>(header.size() & 0xFF), static_cast<char>(header.size() >> 8)};
  return out + header + array.bytes;
}

NpyArray make_npy(std::span<const std::int64_t> v, std::vector<std::int64_t> shape) { return pack("<i8", v, shape); }
NpyArray make_npy(std::span<const Index> v, std::vector<std::int64_t> shape) { return pack("<i4", v, shape); }
NpyArray make_npy(std::span<const float> v, std::vector<std::int64_t> shape) { return pack("<f4", v, shape); }
NpyArray make_npy(std::span<const double> v, std::vector<std::int64_t> shape) { return pack("<f8", v, shape); }
NpyArray make_npy(std::span<const std::uint8_t> v, std::vector<std::int64_t> shape) { return pack("|b1", v, shape); }

}  // namespace gcnh
