// The file of one split in a run folder: while it trains, all that continuing needs; when it is done, its result.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "gcnh/train/runner.h"
#include "gcnh/train/stepper.h"

namespace gcnh {

std::filesystem::path checkpoint_path(const std::filesystem::path& out, int split);

// What a run's results depend on, as text: model, options, seed, data. Threads and folders are not part of it.
std::string run_fingerprint(const RunConfig& config);

void save_progress(const RunConfig& config, Stepper& stepper, int split, const TrainState& state);
void save_result(const RunConfig& config, const SplitResult& result);

struct Checkpoint {
  SplitResult result;  // test accuracy and readings only when done
  bool done = false;
  NamedMatrices parameters;
  NamedMatrices moments;
  std::int64_t steps = 0;
};

// Nothing when there is no file; an error when it belongs to another run or is damaged.
std::optional<Checkpoint> load_checkpoint(const RunConfig& config, int split);

}  // namespace gcnh
