#include "gcnh/io/safetensors.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>
#include <string_view>
#include <vector>

#include "gcnh/base/error.h"
#include "gcnh/io/file.h"
#include "gcnh/io/text.h"

namespace gcnh {
namespace {

using Json = nlohmann::json;

static_assert(std::endian::native == std::endian::little, "tensors are stored and used little-endian");

constexpr std::uint64_t kLengthBytes = 8;
constexpr std::uint64_t kLongestHeader = 100'000'000;
constexpr int kDeepestHeader = 3;  // header, tensor, shape

// One tensor's place in the buffer.
struct Place {
  std::string name;
  bool is_double;
  Index rows, cols;
  std::uint64_t begin, end;
};

// Stops at deep nesting before it costs memory, and at keys that appear twice, of which a parser would keep one.
Json parse_header(std::string_view text, const std::string& path) {
  std::vector<std::set<std::string>> keys(kDeepestHeader + 1);
  const auto check = [&](int depth, Json::parse_event_t event, Json& value) {
    require(depth <= kDeepestHeader, path, ": the header is nested deeper than ", kDeepestHeader);
    if (event == Json::parse_event_t::object_start) keys[std::min(depth + 1, kDeepestHeader)].clear();
    if (event == Json::parse_event_t::key)
      require(keys[depth].insert(value.get<std::string>()).second, path, ": the key ", value.dump(), " appears twice");
    return true;
  };
  try {
    return Json::parse(text.begin(), text.end(), check);
  } catch (const Json::exception& problem) {
    fail(Status::data, path, ": the header is not JSON: ", problem.what());
  }
}

std::uint64_t natural(const Json& value, const std::string& where) {
  require(value.is_number_unsigned(), where, ": ", value.dump(), " is not a whole number from 0 on");
  return value.get<std::uint64_t>();
}

std::pair<std::uint64_t, std::uint64_t> natural_pair(const Json& tensor, const char* key, const std::string& where) {
  const bool pair = tensor.contains(key) && tensor[key].is_array() && tensor[key].size() == 2;
  require(pair, where, ": '", key, "' is not a list of two numbers");
  return {natural(tensor[key][0], where), natural(tensor[key][1], where)};
}

Index extent(std::uint64_t value, const std::string& where) {
  require(value <= std::numeric_limits<Index>::max(), where, ": a shape of ", value, " is too large");
  return static_cast<Index>(value);
}

Place parse_place(const std::string& name, const Json& tensor, std::uint64_t buffer, const std::string& path) {
  const std::string where = join(path, ": tensor ", quote(name));
  require(tensor.is_object() && tensor.contains("dtype"), where, ": it has no dtype");
  const Json& dtype = tensor["dtype"];
  require(dtype == "F32" || dtype == "F64", where, ": dtype ", quote(dtype.dump()), "; known: F32 and F64");
  const auto [rows, cols] = natural_pair(tensor, "shape", where);
  const auto [begin, end] = natural_pair(tensor, "data_offsets", where);
  Place out{name, dtype == "F64", extent(rows, where), extent(cols, where), begin, end};
  require(begin <= end && end <= buffer, where, ": bytes ", begin, "..", end, " outside 0..", buffer);
  std::uint64_t need = 0;
  const bool possible = !__builtin_mul_overflow(rows * cols, std::uint64_t{out.is_double ? 8u : 4u}, &need);
  require(possible && end - begin == need, where, ": shape ", rows, " x ", cols, " of ", dtype.get<std::string>(),
          " does not take the ", end - begin, " bytes it has");
  return out;
}

// Sorted by offset, each tensor begins where the one before ends, and the last ends with the file.
void check_tiling(std::vector<Place> places, std::uint64_t buffer, const std::string& path) {
  std::sort(places.begin(), places.end(),
            [](const Place& a, const Place& b) { return std::pair(a.begin, a.end) < std::pair(b.begin, b.end); });
  std::uint64_t next = 0;
  for (const Place& place : places) {
    require(place.begin == next, path, ": tensor ", quote(place.name), " begins at byte ", place.begin, "; expected ",
            next, " (no gaps, no overlaps)");
    next = place.end;
  }
  require(next == buffer, path, ": ", buffer - next, " bytes after the last tensor");
}

template <class Stored>
Matrix load(const Place& place, std::string_view buffer, const std::string& path) {
  Matrix out(place.rows, place.cols);
  const char* from = buffer.data() + place.begin;
  for (std::size_t i = 0; i < out.size(); ++i) {
    Stored value;
    std::memcpy(&value, from + i * sizeof(Stored), sizeof(Stored));
    out.data()[i] = static_cast<Real>(value);
    if (!std::isfinite(out.data()[i]))
      fail(Status::data, path, ": tensor ", quote(place.name), ": element ", i, " is ", value,
           "; expected a finite number");
  }
  return out;
}

std::map<std::string, std::string> parse_metadata(const Json& header, const std::string& path) {
  std::map<std::string, std::string> out;
  if (!header.contains("__metadata__")) return out;
  const Json& metadata = header["__metadata__"];
  require(metadata.is_object(), path, ": __metadata__ is not an object");
  for (const auto& [key, value] : metadata.items()) {
    require(value.is_string(), path, ": __metadata__ ", quote(key), " is not a string");
    out[key] = value.get<std::string>();
  }
  return out;
}

std::string format_header(const Tensors& tensors) {
  Json header = Json::object();
  if (!tensors.metadata.empty()) header["__metadata__"] = tensors.metadata;
  std::uint64_t begin = 0;
  for (const auto& [name, matrix] : tensors.matrices) {
    require(name != "__metadata__", "a tensor cannot be called __metadata__");
    const std::uint64_t end = begin + matrix.size() * sizeof(Real);
    header[name] = {{"dtype", sizeof(Real) == 4 ? "F32" : "F64"},
                    {"shape", {matrix.rows(), matrix.cols()}},
                    {"data_offsets", {begin, end}}};
    begin = end;
  }
  std::string text = header.dump();
  text.append((kLengthBytes - text.size() % kLengthBytes) % kLengthBytes, ' ');  // the numbers stay aligned
  return text;
}

}  // namespace

void write_safetensors(const std::filesystem::path& path, const Tensors& tensors) {
  std::string out(kLengthBytes, '\0');
  try {
    out += format_header(tensors);
  } catch (const Json::exception& problem) {
    fail(Status::data, path.string(), ": cannot write the header: ", problem.what());
  }
  const std::uint64_t length = out.size() - kLengthBytes;
  std::memcpy(out.data(), &length, kLengthBytes);
  for (const auto& [name, matrix] : tensors.matrices)
    out.append(reinterpret_cast<const char*>(matrix.data()), matrix.size() * sizeof(Real));
  write_atomically(path, out);
}

Tensors read_safetensors(const std::filesystem::path& file_path) {
  const std::string path = file_path.string();
  const std::string bytes = read_file(file_path);
  const std::string_view file = bytes;
  require(file.size() >= kLengthBytes, path, ": ", file.size(), " bytes are too few for a safetensors file");
  std::uint64_t length = 0;
  std::memcpy(&length, file.data(), kLengthBytes);
  const std::uint64_t most = std::min(kLongestHeader, file.size() - kLengthBytes);
  require(length <= most, path, ": not a safetensors file, such as a run's model.safetensors: a header of ", length,
          " bytes; at most ", most);
  const Json header = parse_header(file.substr(kLengthBytes, length), path);
  require(header.is_object(), path, ": the header is not a JSON object");
  const std::string_view buffer = file.substr(kLengthBytes + length);
  std::vector<Place> places;
  for (const auto& [name, tensor] : header.items())
    if (name != "__metadata__") places.push_back(parse_place(name, tensor, buffer.size(), path));
  check_tiling(places, buffer.size(), path);
  Tensors out;
  out.metadata = parse_metadata(header, path);
  for (const Place& place : places)
    out.matrices[place.name] = place.is_double ? load<double>(place, buffer, path) : load<float>(place, buffer, path);
  return out;
}

}  // namespace gcnh
