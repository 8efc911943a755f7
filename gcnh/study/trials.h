// Trains variants of one experiment, split by split, and keeps every finished split in a journal.
#pragma once

#include <functional>
#include <vector>

#include "gcnh/run/runner.h"
#include "gcnh/study/journal.h"

namespace gcnh::study {

struct Trial {
  Experiment experiment = {};
  std::vector<int> marks = {};  // numbers of epochs to look back from
  std::string name = {};        // for messages: hidden 16, layers 2
};

struct StudyObserver {
  // Once per run_trials, before training: `done` of `total` splits are in the journal.
  std::function<void(std::size_t done, std::size_t total)> on_start = [](std::size_t, std::size_t) {};
  std::function<void(std::size_t done, std::size_t total)> on_split = [](std::size_t, std::size_t) {};
  std::function<bool()> should_stop = [] { return false; };
};

// Where a study keeps its records, on how many cores it runs, and who watches.
struct Study {
  Journal& journal;
  int threads = 1;
  StudyObserver observer = {};
  bool train_missing = true;  // else what the journal lacks is an error
};

// Per trial the outcomes of its splits, from the journal where it has them, trained otherwise: one split per core of
// every rank, all trials side by side; they share one dataset. What has diverged counts as wrong on every node. Throws
// Error(Status::interrupted) when the observer stopped it; what was finished is kept. After an error no training is
// begun.
std::vector<std::vector<SplitOutcome>> run_trials(Study& study, const std::vector<Trial>& trials);

}  // namespace gcnh::study
