// The file of one split in a run folder: while it trains, all that continuing needs; when it is done, its outcome and
// its model.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "gcnh/io/safetensors.h"
#include "gcnh/run/experiment.h"
#include "gcnh/run/outcome.h"
#include "gcnh/train/trainer.h"

namespace gcnh {

struct Checkpoint {
  TrainState state;
  std::string engine;
  struct Finished {
    std::optional<double> test_accuracy;
    std::optional<Measures> val, test;
    std::vector<ClassMeasures> test_classes;
    std::optional<DecisionScores> decision;
    Readings readings;
  };
  std::optional<Finished> finished;
  // Of a training that goes on:
  NamedMatrices parameters;
  NamedMatrices moments;
  std::int64_t steps = 0;
};

// Who keeps the checkpoints of a run: its folder, or somebody on the way to it.
class CheckpointKeeper {
 public:
  virtual ~CheckpointKeeper() = default;
  // What a split goes on from.
  virtual std::optional<Checkpoint> load(const Experiment& experiment, int split) const = 0;
  virtual void save_progress(const Experiment& experiment, int split, const Checkpoint& checkpoint) const = 0;
  virtual void save_outcome(const Experiment& experiment, const SplitOutcome& outcome) const = 0;

  double checkpoint_seconds = 10;  // how much work a kill may cost
};

void save_progress(const std::filesystem::path& path, const Experiment& experiment, int split,
                   const Checkpoint& checkpoint);
void save_outcome(const std::filesystem::path& path, const Experiment& experiment, const SplitOutcome& outcome);

// The checkpoint of a finished split holds all that a model file does. Takes away what is not the network of its best
// epoch; throws a data error, behind `where`, when the split is not finished, or an earlier version has written it.
bool is_checkpoint(const Tensors& file);
void keep_network(Tensors& file, const std::string& where);

// Throws a data error unless the file is of this experiment, whatever its values of the options that are `open`.
void check_checkpoint(const std::filesystem::path& path, const Experiment& experiment,
                      const std::vector<std::string>& open);

// Nothing when there is no file; an error when it belongs to another run or is damaged.
std::optional<Checkpoint> load_checkpoint(const std::filesystem::path& path, const Experiment& experiment, int split);

}  // namespace gcnh
