#include "gcnh/io/pickle_arrays.h"

#include "gcnh/base/error.h"

namespace gcnh {
namespace {

using Kind = PickleValue::Kind;

bool is_object(const PickleValue* value, std::string_view name) {
  return value && value->kind == Kind::object && value->text == name;
}

bool is_tuple(const PickleValue* value, std::size_t size) {
  return value && value->kind == Kind::tuple && value->items.size() == size;
}

std::string_view to_text(const PickleValue& value, const std::string& where) {
  require(value.kind == Kind::text, where, ": expected a string");
  return value.text;
}

// numpy.dtype('i4', 0, 1) with the state (3, '<', None, None, None, -1, -1, 0)
std::string to_dtype(const PickleValue& value, const std::string& where) {
  require(is_object(&value, "numpy dtype") && !value.args->items.empty(), where, ": expected a numpy dtype");
  require(is_tuple(value.state, 8), where, ": expected a dtype state of 8 values");
  const std::string_view order = to_text(*value.state->items[1], where);
  return join(order, to_text(*value.args->items[0], where));
}

std::vector<std::int64_t> to_shape(const PickleValue& value, const std::string& where) {
  require(value.kind == Kind::tuple, where, ": expected a shape");
  std::vector<std::int64_t> out;
  for (const PickleValue* extent : value.items) out.push_back(to_integer(*extent, where));
  return out;
}

const PickleValue& member(const PickleValue& dict, std::string_view key, const std::string& where) {
  for (std::size_t i = 0; i + 1 < dict.items.size(); i += 2)
    if (dict.items[i]->kind == Kind::text && dict.items[i]->text == key) return *dict.items[i + 1];
  fail(Status::data, where, ": the matrix has no '", key, "'");
}

}  // namespace

std::int64_t to_integer(const PickleValue& value, const std::string& where) {
  require(value.kind == Kind::integer, where, ": expected an integer");
  return value.integer;
}

// _reconstruct(ndarray, (0,), 'b') with the state (1, shape, dtype, column-major, bytes)
NpyArray to_array(const PickleValue& value, const std::string& where) {
  require(is_object(&value, "numpy.core.multiarray _reconstruct") && is_tuple(value.state, 5), where,
          ": expected a numpy array");
  const std::vector<const PickleValue*>& state = value.state->items;
  NpyArray out{to_dtype(*state[2], where), to_shape(*state[1], where), {}, where};
  const bool rows_first = state[3]->kind == Kind::boolean && state[3]->integer == 0;
  require(rows_first || out.shape.size() < 2, where, ": column-major arrays are not read");
  out.bytes = to_text(*state[4], where);
  check_layout(out);
  return out;
}

Csr to_matrix(const PickleValue& value, const std::string& where) {
  const bool matrix = is_object(&value, "scipy.sparse.csr csr_matrix") && value.state;
  require(matrix && value.state->kind == Kind::dict, where, ": expected a scipy csr_matrix");
  const PickleValue& parts = *value.state;
  const std::vector<std::int64_t> shape = to_shape(member(parts, "_shape", where), where);
  require(shape.size() == 2, where, ": a matrix of ", shape.size(), " dimensions; expected 2");
  return to_csr(check_csr(to_index(shape[0], where, "rows"), to_index(shape[1], where, "columns"),
                          to_array(member(parts, "indptr", where), where + ": indptr"),
                          to_array(member(parts, "indices", where), where + ": indices"),
                          to_array(member(parts, "data", where), where + ": data")));
}

std::span<const PickleValue* const> to_pairs(const PickleValue& value, const std::string& where) {
  require(value.kind == Kind::dict || is_object(&value, "collections defaultdict"), where, ": expected a dictionary");
  return value.items;
}

}  // namespace gcnh
