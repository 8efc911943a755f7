#include "gcnh/study/trials.h"

#include <atomic>

#include "gcnh/base/error.h"
#include "gcnh/models/model.h"

namespace gcnh::study {
namespace {

struct Task {
  std::size_t trial;
  std::size_t index;  // into the trial's splits
};

// What body returns; its errors name the trial.
template <class Body>
auto named(const Trial& trial, const Body& body) {
  try {
    return body();
  } catch (const Error& error) {
    fail(error.status(), trial.experiment.model, " on ", trial.experiment.dataset->name,
         trial.name.empty() ? "" : ", " + trial.name, ": ", error.what());
  }
}

}  // namespace

std::optional<SplitOutcome> train_trial(const Trial& trial, int split, const RunObserver& observer) {
  std::optional<SplitOutcome> out = run_split(trial.experiment, split, observer, trial.marks);
  if (!out) return out;
  out->test_classes.clear();
  out->history.clear();
  out->weights.clear();
  return out;
}

std::vector<std::vector<SplitOutcome>> run_trials(Study& study, const std::vector<Trial>& trials) {
  std::vector<std::vector<SplitOutcome>> out(trials.size());
  std::vector<std::string> runs;
  std::vector<Task> tasks;
  std::size_t total = 0;
  for (std::size_t t = 0; t < trials.size(); ++t) {
    const Experiment& e = trials[t].experiment;
    check_splits(*e.dataset, e.splits);
    runs.push_back(describe_run(e));
    out[t].resize(e.splits.size());
    total += out[t].size();
    for (std::size_t i = 0; i < out[t].size(); ++i) {
      if (auto found = study.journal.find(runs[t], e.splits[i], e.read_test, trials[t].marks)) {
        out[t][i] = std::move(*found);
      } else {
        tasks.push_back({t, i});
      }
    }
  }
  if (trials.empty()) return out;
  const Experiment& first = trials.front().experiment;
  require(tasks.empty() || study.train_missing, "the journal lacks ", tasks.size(), " of ",
          counted(static_cast<std::int64_t>(total), "split"), " of ", first.model, " on ", first.dataset->name);
  std::atomic<std::size_t> done = total - tasks.size();
  study.observer.on_start(done, total);
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    if (i > 0 && tasks[i].trial == tasks[i - 1].trial) continue;
    const Trial& trial = trials[tasks[i].trial];
    named(trial, [&] { check_trainable(trial.experiment); });
  }
  std::mutex mutex;
  RunObserver observer;
  observer.should_stop = study.observer.should_stop;
  for_each_training(*first.dataset, study.threads, tasks.size(), [&](std::size_t i) {
    if (observer.should_stop()) return;
    const Task& task = tasks[i];
    const Trial& trial = trials[task.trial];
    const auto outcome =
        named(trial, [&] { return train_trial(trial, trial.experiment.splits[task.index], observer); });
    if (!outcome) return;
    out[task.trial][task.index] = *outcome;
    study.journal.add(runs[task.trial], *outcome);
    std::lock_guard lock(mutex);
    study.observer.on_split(++done, total);
  });
  if (done < total) fail(Status::interrupted, "interrupted");
  return out;
}

}  // namespace gcnh::study
