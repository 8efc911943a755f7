// What the files of the binding share. It is thin: one file per noun, arrays shared with NumPy where they can be, no
// logic that Python could have. Python sees it as gcnh._core.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "gcnh/gcnh.h"
#include "gcnh/studies.h"

namespace gcnh::python {

namespace py = pybind11;

template <class T>
using Array = py::array_t<T, py::array::c_style | py::array::forcecast>;

// Never changed once made, so Python's objects, threads and trainings share it.
struct Graph {
  std::shared_ptr<const Tables> tables;
};

// A model with what came of its training, which a model file does not tell.
struct Model {
  TrainedModel trained;
  SplitOutcome outcome;
};

void add_errors(py::module_& m);
void add_options(py::module_& m);
void add_graph(py::module_& m);
void add_training(py::module_& m);
void add_model(py::module_& m);
void add_studies(py::module_& m);

template <class T>
std::vector<T> to_vector(const Array<T>& a) {
  return {a.data(), a.data() + a.size()};
}

// Memory of `owner`, which lives as long as the array and is not written to.
template <class T>
py::array view(const T* data, std::vector<py::ssize_t> shape, py::handle owner) {
  py::array_t<T> out(std::move(shape), data, owner);
  out.attr("flags").attr("writeable") = false;
  return out;
}

// Takes the memory over.
inline py::array to_array(Matrix&& m) {
  auto* kept = new Matrix(std::move(m));
  const py::capsule owner(kept, [](void* p) { delete static_cast<Matrix*>(p); });
  return py::array_t<Real>({kept->rows(), kept->cols()}, kept->data(), owner);
}

template <class T>
py::array to_array(std::span<const T> values) {
  return py::array_t<T>(static_cast<py::ssize_t>(values.size()), values.data());
}

// The entry of that name, where there is one and it is not None.
template <class T>
void take_field(const py::dict& fields, const char* name, T& field) {
  if (fields.contains(name) && !fields[name].is_none()) field = fields[name].template cast<T>();
}

py::dict to_dict(const OptionValues& values);
py::dict to_dict(const Readings& readings);
// Learning curves: an array per number.
py::dict history_of(const SplitOutcome& outcome);

}  // namespace gcnh::python
