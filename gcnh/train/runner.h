// Runs one configuration on several splits, one split per core for small graphs, threads inside the kernels for large
// ones, and keeps a run folder that survives being killed.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "gcnh/base/options.h"
#include "gcnh/graph/dataset.h"
#include "gcnh/train/trainer.h"

namespace gcnh {

struct RunConfig {
  std::string model = "gcnh";
  OptionValues model_options;
  TrainOptions train;
  std::string engine = "auto";  // auto | tape | fused
  std::uint64_t seed = 1;
  int threads = 1;
  std::vector<int> splits;       // numbers of the dataset's splits
  std::string data_fingerprint;  // a run can only be resumed on the same data
  std::filesystem::path out;     // run folder; empty: nothing is written
  bool resume = false;
  double checkpoint_seconds = 10;  // how much work a kill may cost
};

struct SplitResult {
  int split = 0;
  TrainState state;
  double test_accuracy = 0;
  std::map<std::string, std::vector<double>> readings;
  std::string engine;  // what took the steps
};

struct RunResult {
  std::vector<SplitResult> splits;
  std::size_t parameters = 0;
  double seconds = 0;  // wall time of training, validation and test

  // The split with the best validation score; its parameters are the run's model.
  const SplitResult& best() const;
};

// Called from worker threads, one call at a time.
struct RunObserver {
  std::function<void(int split, const TrainState&)> on_epoch = [](int, const TrainState&) {};
  std::function<bool()> should_stop = [] { return false; };
};

// Throws Error(Status::interrupted) when the observer stopped it; with a run folder it can be resumed to the same bits.
RunResult run(const Dataset& dataset, const RunConfig& config, const RunObserver& observer);

struct MeanStd {
  double mean = 0;
  double std = 0;  // population standard deviation
};
MeanStd mean_std(const std::vector<double>& values);
MeanStd test_accuracy(const RunResult& result);
MeanStd val_accuracy(const RunResult& result);

}  // namespace gcnh
