// The extension module, and how errors of the library become Python's.
#include <filesystem>

#include "python/core/core.h"

namespace gcnh::python {
namespace {

PyObject* exception_of(Status status) {
  static PyObject* data_error = PyErr_NewExceptionWithDoc(
      "gcnh.DataError", "The data cannot be used: the message says where, what was found and what to do.",
      PyExc_ValueError, nullptr);
  switch (status) {
    case Status::data:
      return data_error;
    case Status::io:
      return PyExc_OSError;
    case Status::interrupted:
      return PyExc_KeyboardInterrupt;
    case Status::usage:
      break;
  }
  return PyExc_ValueError;
}

}  // namespace

void add_errors(py::module_& m) {
  m.attr("DataError") = py::reinterpret_borrow<py::object>(exception_of(Status::data));
  py::register_exception_translator([](std::exception_ptr p) {
    try {
      if (p) std::rethrow_exception(p);
    } catch (const Error& error) {
      PyErr_SetString(exception_of(error.status()), error.what());
    } catch (const std::filesystem::filesystem_error& error) {
      PyErr_SetString(PyExc_OSError, error.what());
    }
  });
}

}  // namespace gcnh::python

PYBIND11_MODULE(_core, m) {
  m.doc() = "What gcnh is made of, as the package sees it; not for direct use.";
  m.attr("version") = gcnh::version();
  m.attr("simd") = gcnh::simd();
  gcnh::python::add_errors(m);
  gcnh::python::add_options(m);
  gcnh::python::add_graph(m);
  gcnh::python::add_model(m);
  gcnh::python::add_training(m);
  gcnh::python::add_studies(m);
}
