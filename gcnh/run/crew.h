// Trainings side by side, each in a thread of its own. What happens is left for the thread that looks: it writes what
// is to be written, or sends it to the rank that does.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "gcnh/run/checkpoint.h"
#include "gcnh/run/experiment.h"
#include "gcnh/run/outcome.h"

namespace gcnh {

// All that one training needs.
struct Task {
  std::size_t number = 0;  // of the training, among those that are handed out
  Experiment experiment;
  int split = 0;
  std::vector<int> marks;
  bool whole = true;                         // whether classes, history and weights are wanted
  std::optional<Checkpoint> checkpoint;      // to go on from
  std::optional<double> checkpoint_seconds;  // how often one is wanted; nothing: never
};

struct Event {
  enum class Kind { resumed, epoch, saved, done, stopped, failed };
  Kind kind = Kind::epoch;
  std::size_t number = 0;                // of the task
  TrainState state = {};                 // resumed, epoch: without parameters
  std::optional<Checkpoint> saved = {};  // to be written
  std::optional<SplitOutcome> outcome = {};
  bool is_fresh = false;             // of an outcome: trained now, not brought by a checkpoint
  std::optional<Status> error = {};  // of a failure; nothing: one that nobody has foreseen
  std::string text = {};

  bool ends_task() const { return kind >= Kind::done; }
};

class Crew {
 public:
  explicit Crew(int threads_inside);  // in each training
  ~Crew();                            // stops what is not done and waits for it
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;

  void start(Task task);
  void stop();  // trainings end after the epoch they are in
  // What has happened, in its order. Where that is nothing, waits a little for it.
  std::vector<Event> events(std::chrono::milliseconds patience);

 private:
  void train(const Task& task);
  void tell(Event event);

  int threads_inside_;
  std::atomic<bool> stop_ = false;
  std::mutex mutex_;
  std::condition_variable told_;
  std::vector<Event> events_;
  std::map<std::size_t, std::thread> threads_;  // by the number of their task
};

}  // namespace gcnh
