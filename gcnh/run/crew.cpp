#include "gcnh/run/crew.h"

#include <functional>
#include <new>
#include <utility>

#include "gcnh/base/error.h"
#include "gcnh/base/parallel.h"
#include "gcnh/run/runner.h"

namespace gcnh {
namespace {

using Clock = std::chrono::steady_clock;
using Tell = std::function<void(Event)>;

constexpr std::chrono::milliseconds kBetweenEpochs{100};  // that are told of

// Hands on what a training wants to be kept.
class Courier : public CheckpointKeeper {
 public:
  Courier(const Task& task, Tell tell) : task_(task), tell_(std::move(tell)) {
    checkpoint_seconds = task.checkpoint_seconds.value_or(0);
  }
  std::optional<Checkpoint> load(const Experiment&, int) const override { return task_.checkpoint; }
  void save_progress(const Experiment&, int, const Checkpoint& checkpoint) const override {
    tell_({.kind = Event::Kind::saved, .number = task_.number, .saved = checkpoint});
  }
  void save_outcome(const Experiment&, const SplitOutcome&) const override { is_fresh = true; }

  mutable bool is_fresh = false;

 private:
  const Task& task_;
  Tell tell_;
};

// For whoever shows how far a training is.
Event progress(Event::Kind kind, const Task& task, const TrainState& state) {
  Event out{.kind = kind, .number = task.number};
  out.state.history = state.history;
  out.state.seconds = state.seconds;
  return out;
}

}  // namespace

Crew::Crew(int threads_inside) : threads_inside_(threads_inside) {}

Crew::~Crew() {
  stop();
  for (auto& [number, thread] : threads_) thread.join();
}

void Crew::start(Task task) {
  const std::size_t number = task.number;
  threads_[number] = std::thread([this, task = std::move(task)] {
    Event failure{.kind = Event::Kind::failed, .number = task.number};
    try {
      return train(task);
    } catch (const Error& error) {
      failure.error = error.status();
      failure.text = error.what();
    } catch (const std::bad_alloc&) {
      failure.text = "out of memory";
    } catch (const std::exception& error) {
      failure.text = error.what();
    }
    tell(std::move(failure));
  });
}

void Crew::stop() { stop_ = true; }

void Crew::train(const Task& task) {
  Pool pool(threads_inside_);
  const PoolScope scope(threads_inside_ > 1 ? &pool : nullptr);
  Courier courier(task, [this](Event event) { tell(std::move(event)); });
  auto told = Clock::now();
  RunObserver observer;
  observer.should_stop = [this] { return stop_.load(); };
  observer.on_resume = [&](int, const TrainState& state) { tell(progress(Event::Kind::resumed, task, state)); };
  observer.on_epoch = [&](int, const TrainState& state) {
    if (Clock::now() - told < kBetweenEpochs) return;
    tell(progress(Event::Kind::epoch, task, state));
    told = Clock::now();
  };
  Event out{.number = task.number};
  out.outcome = run_training({task.experiment, task.split, task.marks, task.whole}, observer,
                             task.checkpoint_seconds ? &courier : nullptr);
  out.kind = out.outcome ? Event::Kind::done : Event::Kind::stopped;
  out.is_fresh = courier.is_fresh;
  tell(std::move(out));
}

void Crew::tell(Event event) {
  {
    const std::lock_guard lock(mutex_);
    events_.push_back(std::move(event));
  }
  told_.notify_one();
}

std::vector<Event> Crew::events(std::chrono::milliseconds patience) {
  std::unique_lock lock(mutex_);
  told_.wait_for(lock, patience, [this] { return !events_.empty(); });
  std::vector<Event> out = std::exchange(events_, {});
  lock.unlock();
  for (const Event& event : out)
    if (event.ends_task()) threads_.extract(event.number).mapped().join();
  return out;
}

}  // namespace gcnh
