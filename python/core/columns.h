// Matrices, features and typed columns as Python's values, there and back.
#pragma once

#include "python/core/core.h"

namespace gcnh::python {

// (rows, cols, offsets, indices, values or None)
py::tuple csr_state(const Csr& a);
Csr csr_from(const py::tuple& state);

// A dense array, or such a tuple whose arrays are memory of the owner.
py::object features_state(const Features& features, py::handle owner);
// In the form that it has, or in the one that readers would choose by its numbers.
Features features_as_given(const py::object& x);
Features features_as_read(const py::object& x);

py::dict column_state(const Column& column);
Column to_column(const py::dict& state);

}  // namespace gcnh::python
