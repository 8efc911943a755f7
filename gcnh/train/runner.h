// Runs one configuration on several splits, one split per core for small graphs, threads inside the kernels for large
// ones, and keeps a run folder that survives being killed.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
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
  bool read_test = true;         // off while choosing between configurations: the test nodes stay unread
  std::string data_fingerprint;  // a run can only be resumed on the same data
  std::filesystem::path out;     // run folder, of one program at a time (FolderLock); empty: nothing is written
  bool resume = false;
  double checkpoint_seconds = 10;  // how much work a kill may cost
};

struct SplitResult {
  int split = 0;
  TrainState state;
  double test_accuracy = 0;  // when the configuration reads the test nodes
  std::map<std::string, std::vector<double>> readings;
  std::string engine;  // what took the steps
};

struct RunResult {
  std::vector<SplitResult> splits;
  std::size_t parameters = 0;
  // Wall time of training, validation and test. For a resumed run at least what its splits took, side by side.
  double seconds = 0;

  // The split with the best validation score; its parameters are the run's model.
  const SplitResult& best() const;
};

// run() calls it from worker threads, one call at a time; run_split() from the thread that trains.
struct RunObserver {
  // What a checkpoint brought, once, before the split goes on.
  std::function<void(int split, const TrainState&)> on_resume = [](int, const TrainState&) {};
  std::function<void(int split, const TrainState&)> on_epoch = [](int, const TrainState&) {};
  std::function<bool()> should_stop = [] { return false; };
};

// Throws a usage error unless these splits exist, and a data error when one of them cannot be trained on.
void check_splits(const Dataset& dataset, const std::vector<int>& splits);

// Throws what training would throw for options out of their range, before anything is trained or written.
void check_trainable(const Dataset& dataset, const RunConfig& config);

// Trains one split, from its checkpoint if the configuration resumes. Nothing is returned when the observer stopped it.
// A loss that diverges is an error, or a result like others while configurations are chosen between (read_test off).
std::optional<SplitResult> run_split(const Dataset& dataset, const RunConfig& config, int split,
                                     const RunObserver& observer);

// body(0) ... body(count - 1), each a training on the dataset: side by side for small graphs, one after the other with
// threads inside for large ones.
void for_each_training(const Dataset& dataset, int threads, std::size_t count,
                       const std::function<void(std::size_t)>& body);

// Throws Error(Status::interrupted) when the observer stopped it; with a run folder it can be resumed to the same bits.
// A folder that holds another run is refused (gcnh/train/out_folder.h).
RunResult run(const Dataset& dataset, const RunConfig& config, const RunObserver& observer);

struct MeanStd {
  double mean = 0;
  double std = 0;  // population standard deviation
};
MeanStd mean_std(const std::vector<double>& values);
// The mean of every column; rows are equally long.
std::vector<double> column_means(const std::vector<std::vector<double>>& rows);
MeanStd test_accuracy(const RunResult& result);
MeanStd val_accuracy(const RunResult& result);
// What the model tells of itself, such as β per layer: means over the splits.
std::map<std::string, std::vector<double>> mean_readings(const RunResult& result);

}  // namespace gcnh
