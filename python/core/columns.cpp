#include "python/core/columns.h"

namespace gcnh::python {
namespace {

std::string text_of(const std::optional<char>& c) { return c ? std::string(1, *c) : ""; }

std::optional<char> char_of(const py::handle& text) {
  const auto out = text.cast<std::string>();
  return out.empty() ? std::nullopt : std::optional(out[0]);
}

}  // namespace

py::tuple csr_state(const Csr& a) {
  py::object values = py::none();
  if (!a.values.empty()) values = to_array(std::span<const Real>(a.values));
  return py::make_tuple(a.rows, a.cols, to_array(std::span<const Offset>(a.offsets)),
                        to_array(std::span<const Index>(a.indices)), values);
}

Csr csr_from(const py::tuple& s) {
  Csr out;
  out.rows = s[0].cast<Index>();
  out.cols = s[1].cast<Index>();
  out.offsets = to_vector(s[2].cast<Array<Offset>>());
  out.indices = to_vector(s[3].cast<Array<Index>>());
  if (!s[4].is_none()) out.values = to_vector(s[4].cast<Array<Real>>());
  return out;
}

py::object features_state(const Features& features, py::handle owner) {
  if (!features.is_sparse()) {
    const Matrix& m = features.dense();
    return view(m.data(), {m.rows(), m.cols()}, owner);
  }
  const Csr& a = features.sparse();
  py::object values = py::none();
  if (!a.values.empty()) values = view(a.values.data(), {std::ssize(a.values)}, owner);
  return py::make_tuple(a.rows, a.cols, view(a.offsets.data(), {std::ssize(a.offsets)}, owner),
                        view(a.indices.data(), {std::ssize(a.indices)}, owner), values);
}

Features features_as_given(const py::object& x) {
  if (py::isinstance<py::tuple>(x)) return csr_from(x.cast<py::tuple>());
  const auto dense = x.cast<Array<Real>>();
  Matrix out(static_cast<Index>(dense.shape(0)), static_cast<Index>(dense.shape(1)));
  std::memcpy(out.data(), dense.data(), out.size() * sizeof(Real));
  return out;
}

Features features_as_read(const py::object& x) {
  if (py::isinstance<py::tuple>(x)) return to_features(csr_from(x.cast<py::tuple>()));
  const auto dense = x.cast<Array<Real>>();
  return to_features(static_cast<Index>(dense.shape(0)), static_cast<Index>(dense.shape(1)), to_vector(dense));
}

py::dict column_state(const Column& c) {
  py::dict out;
  out["name"] = c.spec.name;
  out["kind"] = to_word(c.spec.kind);
  out["separator"] = std::string(1, c.spec.separator);
  out["buckets"] = c.spec.buckets;
  out["missing"] = c.spec.missing;
  out["point"] = text_of(c.spec.point);
  out["order"] = c.spec.order ? to_word(*c.spec.order) : "";
  out["form"] = py::none();
  if (const auto& form = c.spec.form)
    out["form"] = py::make_tuple(form->before, form->after, std::string(1, form->point),
                                 form->group == '\0' ? "" : std::string(1, form->group), form->has_multiples);
  out["why"] = c.why;
  out["is_guess"] = c.is_guess;
  out["has_unclear_marks"] = c.has_unclear_marks;
  out["numbers"] = to_array(std::span<const double>(c.numbers));
  out["values"] = c.values;
  out["items"] = csr_state(c.items);
  return out;
}

Column to_column(const py::dict& s) {
  Column out;
  out.spec.name = s["name"].cast<std::string>();
  parse_text("kind", s["kind"].cast<std::string>(), out.spec.kind);
  out.spec.separator = *char_of(s["separator"]);
  out.spec.buckets = s["buckets"].cast<Index>();
  out.spec.missing = s["missing"].cast<std::vector<std::string>>();
  out.spec.point = char_of(s["point"]);
  if (const auto order = s["order"].cast<std::string>(); !order.empty()) {
    out.spec.order = DateOrder{};
    parse_text("order", order, *out.spec.order);
  }
  if (!s["form"].is_none()) {
    const auto form = s["form"].cast<py::tuple>();
    out.spec.form = NumberForm{form[0].cast<std::string>(), form[1].cast<std::string>(), *char_of(form[2]),
                               char_of(form[3]).value_or('\0'), form.size() > 4 && form[4].cast<bool>()};
  }
  out.why = s["why"].cast<std::string>();
  out.is_guess = s["is_guess"].cast<bool>();
  out.has_unclear_marks = s.contains("has_unclear_marks") && s["has_unclear_marks"].cast<bool>();
  out.numbers = to_vector(s["numbers"].cast<Array<double>>());
  out.values = s["values"].cast<std::vector<std::string>>();
  out.items = csr_from(s["items"].cast<py::tuple>());
  return out;
}

}  // namespace gcnh::python
