// What came of training: one outcome per split, the same struct wherever it comes from, be it the trainer, a run folder
// or a journal.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gcnh/run/decision_scores.h"
#include "gcnh/train/trainer.h"

namespace gcnh {

// What would have been kept, had the training ended earlier.
struct EpochMark {
  int epochs = 0;
  BestEpoch best = {};
};

struct SplitOutcome {
  int split = 0;
  int epochs = 0;                            // that were trained
  BestEpoch best = {};                       // the epoch that was kept; of a training that diverged none
  Metric metric = Metric::accuracy;          // that chose it
  std::optional<double> test_accuracy = {};  // absent when the test nodes were not read; NaN when there are none
  // Of the epoch that was kept, on validation and test nodes; absent in older files, where a training diverged, and
  // where the nodes were not read or there are none.
  std::optional<Measures> val = {}, test = {};
  Readings readings = {};             // of the model that was kept
  std::vector<EpochMark> marks = {};  // where they were asked for
  std::size_t parameters = 0;
  double seconds = 0;
  std::string engine = {};  // what took the steps

  // Not kept by journals.
  std::optional<DecisionScores> decision = {};   // fitted on the validation nodes, on the test nodes; as val and test
  std::vector<ClassMeasures> test_classes = {};  // in the order of the data's classes
  std::vector<EpochRecord> history = {};         // one per epoch
  NamedMatrices weights = {};                    // of the epoch that was kept
};

struct RunResult {
  std::vector<SplitOutcome> splits = {};
  // Wall time of training, validation and test. For a resumed run at least what its splits took, side by side.
  double seconds = 0;
  std::int64_t peak_rss_bytes = 0;  // largest resident memory of the process until then

  // The split with the best validation value of the metric; its weights are the run's model. Throws a data error where
  // there are no splits.
  const SplitOutcome& best() const&;
  SplitOutcome best() &&;
};

struct MeanStd {
  double mean = 0;
  double std = 0;  // population standard deviation
};
MeanStd mean_std(const std::vector<double>& values);  // NaN of no values
// As tables show it: 84.32 ± 5.74 of shares, in percent; 0.512 ± 0.034 of others.
std::string mean_std_text(Metric metric, const std::vector<double>& values);

// What a metric is on the validation nodes; of a training that diverged its worst value. NaN where it is not defined,
// or where an older file does not tell.
double val_value(const SplitOutcome& split, Metric metric);
std::vector<double> val_values(std::span<const SplitOutcome> splits, Metric metric);
// The same on the test nodes. Throws an error when those of a split were not read.
double test_value(const SplitOutcome& split, Metric metric);
std::vector<double> test_values(std::span<const SplitOutcome> splits, Metric metric);

std::vector<double> val_accuracies(std::span<const SplitOutcome> splits);
std::vector<double> test_accuracies(std::span<const SplitOutcome> splits);
// What decisions of the splits are worth, on average; nothing unless all splits tell.
std::optional<DecisionScores> mean_decision(std::span<const SplitOutcome> splits);
// What the model tells of itself, such as β per layer: means over the splits.
Readings mean_readings(std::span<const SplitOutcome> splits);

}  // namespace gcnh
