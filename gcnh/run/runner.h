// Runs one experiment on several splits, one split per core for small graphs, threads inside the kernels for large
// ones. With a run folder it survives being killed.
#pragma once

#include <functional>
#include <optional>

#include "gcnh/run/experiment.h"
#include "gcnh/run/outcome.h"

namespace gcnh {

class RunFolder;

// run() calls it from worker threads, one call at a time; run_split() from the thread that trains.
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
                                      const std::vector<int>& marks = {}, RunFolder* folder = nullptr);

// How many of so many trainings on the dataset run at a time.
int num_side_by_side(const Dataset& dataset, int threads, std::size_t count);

// body(0) ... body(count - 1), each a training on the dataset: side by side for small graphs, one after the other with
// threads inside for large ones.
void for_each_training(const Dataset& dataset, int threads, std::size_t count,
                       const std::function<void(std::size_t)>& body);

}  // namespace gcnh
