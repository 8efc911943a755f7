#include "gcnh/base/parallel.h"

#include <condition_variable>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#include "gcnh/base/denormals.h"
#include "gcnh/base/error.h"

namespace gcnh {
namespace {

thread_local Pool* pool_of_thread = nullptr;

}  // namespace

// One job at a time: workers draw task numbers under the lock. Tasks are large (parallel_for sees to that), so the lock
// is cheap.
struct Pool::Shared {
  std::mutex mutex;
  std::condition_variable job_ready;
  std::condition_variable job_done;
  const std::function<void(std::int64_t)>* task = nullptr;
  std::int64_t next = 0;
  std::int64_t count = 0;
  std::int64_t unfinished = 0;
  std::exception_ptr error;      // of the lowest task that threw
  std::int64_t failed = 0;       // that task, if there is an error
  bool flush_denormals = false;  // as the caller of the job does
  bool stop = false;
  std::vector<std::thread> workers;

  // Runs tasks of the current job until none is left. Called and returns with the lock held.
  void drain(std::unique_lock<std::mutex>& lock) {
    const PoolScope alone(nullptr);  // kernels called by a task run serially
    const FlushDenormals as_caller(flush_denormals);
    while (next < count) {
      const std::int64_t mine = next++;
      const auto* current = task;
      lock.unlock();
      std::exception_ptr thrown;
      try {
        (*current)(mine);
      } catch (...) {
        thrown = std::current_exception();
      }
      lock.lock();
      if (thrown && (!error || mine < failed)) {
        error = thrown;
        failed = mine;
        unfinished -= count - next;  // the tasks that were not begun never are
        next = count;
      }
      if (--unfinished == 0) job_done.notify_all();
    }
  }

  void join() {
    {
      std::lock_guard lock(mutex);
      stop = true;
    }
    job_ready.notify_all();
    for (std::thread& worker : workers) worker.join();
  }

  void work() {
    std::unique_lock lock(mutex);
    while (true) {
      job_ready.wait(lock, [&] { return stop || next < count; });
      if (stop) return;
      drain(lock);
    }
  }
};

Pool::Pool(int threads) : shared_(std::make_unique<Shared>()) {
  try {
    for (int i = 1; i < threads; ++i) shared_->workers.emplace_back([s = shared_.get()] { s->work(); });
  } catch (const std::system_error& error) {
    shared_->join();
    fail(Status::usage, "threads: the system does not start ", threads, " (", error.code().message(), "); take fewer");
  } catch (...) {
    shared_->join();
    throw;
  }
}

Pool::~Pool() { shared_->join(); }

void Pool::run(std::int64_t count, const std::function<void(std::int64_t)>& task) {
  Shared& s = *shared_;
  std::unique_lock lock(s.mutex);
  s.task = &task;
  s.next = 0;
  s.count = s.unfinished = count;
  s.error = nullptr;
  s.flush_denormals = FlushDenormals::is_on();
  s.job_ready.notify_all();
  s.drain(lock);
  s.job_done.wait(lock, [&] { return s.unfinished == 0; });
  if (s.error) std::rethrow_exception(s.error);
}

PoolScope::PoolScope(Pool* pool) : previous_(pool_of_thread) { pool_of_thread = pool; }
PoolScope::~PoolScope() { pool_of_thread = previous_; }

Pool* current_pool() { return pool_of_thread; }

}  // namespace gcnh
