// What came of training: one outcome per split, the same struct wherever it comes from, be it the trainer, a run folder
// or a journal.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gcnh/train/trainer.h"

namespace gcnh {

// What would have been kept, had the training ended earlier.
struct EpochMark {
  int epochs = 0;
  BestEpoch best;
};

struct SplitOutcome {
  int split = 0;
  int epochs = 0;                       // that were trained
  BestEpoch best;                       // the epoch that was kept; of a training that diverged none
  std::optional<double> test_accuracy;  // absent when the test nodes were not read
  Readings readings;                    // of the model that was kept
  std::vector<EpochMark> marks;         // where they were asked for
  std::size_t parameters = 0;
  double seconds = 0;
  std::string engine;  // what took the steps

  // Not kept by journals.
  std::vector<EpochRecord> history;  // one per epoch
  NamedMatrices weights;             // of the epoch that was kept
};

struct RunResult {
  std::vector<SplitOutcome> splits;
  // Wall time of training, validation and test. For a resumed run at least what its splits took, side by side.
  double seconds = 0;
  std::int64_t peak_rss_bytes = 0;  // largest resident memory of the process until then

  // The split with the best validation score; its weights are the run's model.
  const SplitOutcome& best() const;
};

struct MeanStd {
  double mean = 0;
  double std = 0;  // population standard deviation
};
MeanStd mean_std(const std::vector<double>& values);

std::vector<double> val_accuracies(std::span<const SplitOutcome> splits);
// Throws an error when the test nodes of a split were not read.
std::vector<double> test_accuracies(std::span<const SplitOutcome> splits);
// What the model tells of itself, such as β per layer: means over the splits.
Readings mean_readings(std::span<const SplitOutcome> splits);

}  // namespace gcnh
