// Long work with manners: it runs in a thread of its own, without the GIL, while the calling thread looks for signals,
// which Python handles there alone, and runs what the work asks Python for.
#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>

#include "python/core/core.h"

namespace gcnh::python {

class Watch {
 public:
  // Runs the body to its end and throws what it threw; several, one after the other. What Python raised meanwhile, be
  // it a signal's handler or a call, is kept and asks the body to stop.
  void run(const std::function<void()>& body);

  // From the body's threads. A call is run by the thread that waits in run(), with the GIL, one at a time.
  void call(const std::function<void()>& python);
  bool should_stop() const { return stop_; }
  void stop() { stop_ = true; }

  // What Python raised; None: nothing.
  py::object raised() const { return raised_; }
  void rethrow() const;

 private:
  void look(const std::function<void()>* call);

  std::mutex mutex_, callers_;
  std::condition_variable changed_;
  const std::function<void()>* pending_ = nullptr;
  bool done_ = false;
  std::atomic<bool> stop_ = false;
  py::object raised_ = py::none();
};

}  // namespace gcnh::python
