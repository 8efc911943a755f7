// Trains splits: one per core for small graphs, threads inside the kernels for large ones, on every rank of the job.
// With a run folder a run survives being killed.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "gcnh/run/experiment.h"
#include "gcnh/run/outcome.h"

namespace gcnh {

class CheckpointKeeper;
class RunFolder;

// The largest resident memory of this program so far.
std::int64_t peak_rss_bytes();

// run() and run_trainings() make one call at a time; run_split() calls from the thread that trains.
struct RunObserver {
  // What a checkpoint brought, once, before the split goes on.
  std::function<void(int split, const TrainState&)> on_resume = [](int, const TrainState&) {};
  std::function<void(int split, const TrainState&)> on_epoch = [](int, const TrainState&) {};
  std::function<bool()> should_stop = [] { return false; };
};

// Trains all splits of the experiment. With a folder it keeps checkpoints there, goes on from those that the folder
// resumes, and leaves what RunFolder::write does not need to be told. Throws Error(Status::interrupted) when the
// observer stopped it; with a folder it can be resumed to the same bits.
RunResult run(const Experiment& experiment, const RunObserver& observer = {}, RunFolder* folder = nullptr);

// Trains one split, looking back from each of the marks (numbers of epochs). Nothing is returned when the observer
// stopped it. A loss that diverges is an error, or an outcome like others while experiments are chosen between
// (read_test off).
std::optional<SplitOutcome> run_split(const Experiment& experiment, int split, const RunObserver& observer,
                                      const std::vector<int>& marks = {}, CheckpointKeeper* keeper = nullptr);

// One training of many.
struct Training {
  const Experiment& experiment;  // which outlives it
  int split = 0;
  std::vector<int> marks = {};
  bool whole = true;      // off: without classes, history and weights, which journals do not keep
  std::string name = {};  // what its errors begin with
};
// run_split of it.
std::optional<SplitOutcome> run_training(const Training& training, const RunObserver& observer,
                                         CheckpointKeeper* keeper = nullptr);

// Every training, on all ranks of the job (gcnh/comm) and on so many threads of each; they begin in their order and
// share one dataset. `keep` takes the outcome of a number as soon as it is there; it and the observer are called one at
// a time, on the rank that calls. Those that the observer stopped have no outcome. After an error no training is begun;
// the error of the lowest number is thrown.
using Keep = std::function<void(std::size_t, SplitOutcome)>;
void run_trainings(const std::vector<Training>& trainings, int threads, const RunObserver& observer, const Keep& keep,
                   CheckpointKeeper* keeper = nullptr);

// How many of so many trainings on the dataset run at a time, and on how many threads each of them.
int num_side_by_side(const Dataset& dataset, int threads, std::size_t count);
int num_threads_inside(const Dataset& dataset, int threads);
// Of an experiment's splits; a training in parts has all threads to itself.
int num_side_by_side(const Experiment& experiment);

// body(0) ... body(count - 1), each a training on the dataset, in this process: side by side for small graphs, one
// after the other with threads inside for large ones.
void for_each_training(const Dataset& dataset, int threads, std::size_t count,
                       const std::function<void(std::size_t)>& body);

}  // namespace gcnh
