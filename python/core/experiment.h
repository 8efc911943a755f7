// A request, from Python's dict.
#pragma once

#include "python/core/core.h"

namespace gcnh::python {

// Keys are fields of Setup, those that are None or absent have their defaults; "options" is a dict of texts.
Setup to_setup(const py::dict& fields);

}  // namespace gcnh::python
