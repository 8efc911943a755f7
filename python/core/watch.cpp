#include "python/core/watch.h"

#include <chrono>
#include <exception>
#include <thread>

namespace gcnh::python {
namespace {

constexpr auto kBetweenLooks = std::chrono::milliseconds(50);

}  // namespace

void Watch::run(const std::function<void()>& body) {
  std::exception_ptr failure;
  done_ = false;
  const py::gil_scoped_release release;
  std::thread worker([&] {
    try {
      body();
    } catch (...) {
      failure = std::current_exception();
    }
    const std::lock_guard lock(mutex_);
    done_ = true;
    changed_.notify_all();
  });
  for (std::unique_lock lock(mutex_); !done_;) {
    changed_.wait_for(lock, kBetweenLooks, [&] { return done_ || pending_ != nullptr; });
    if (done_) break;
    const std::function<void()>* call = pending_;
    lock.unlock();
    look(call);
    lock.lock();
    if (!call) continue;
    pending_ = nullptr;
    changed_.notify_all();
  }
  worker.join();
  if (failure) std::rethrow_exception(failure);
}

void Watch::look(const std::function<void()>* call) {
  const py::gil_scoped_acquire gil;
  try {
    if (call && !stop_) (*call)();
    if (PyErr_CheckSignals() != 0) throw py::error_already_set();
  } catch (py::error_already_set& error) {
    if (raised_.is_none()) raised_ = error.value();
    stop_ = true;
  }
}

void Watch::call(const std::function<void()>& python) {
  const std::lock_guard one_at_a_time(callers_);
  std::unique_lock lock(mutex_);
  pending_ = &python;
  changed_.notify_all();
  changed_.wait(lock, [&] { return pending_ == nullptr; });
}

void Watch::rethrow() const {
  if (raised_.is_none()) return;
  PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(raised_.ptr())), raised_.ptr());
  throw py::error_already_set();
}

}  // namespace gcnh::python
