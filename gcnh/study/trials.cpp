#include "gcnh/study/trials.h"

#include "gcnh/base/error.h"
#include "gcnh/models/model.h"

namespace gcnh::study {
namespace {

struct Task {
  std::size_t trial;
  std::size_t index;  // into the trial's splits
};

// As errors name it.
std::string name_of(const Trial& t) {
  return t.experiment.model + " on " + t.experiment.dataset->name + (t.name.empty() ? "" : ", " + t.name);
}

void check(const Trial& trial) {
  try {
    check_trainable(trial.experiment);
  } catch (const Error& error) {
    fail(error.status(), name_of(trial), ": ", error.what());
  }
}

}  // namespace

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
  std::size_t done = total - tasks.size();
  study.observer.on_start(done, total);
  std::vector<Training> trainings;
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    const Trial& trial = trials[tasks[i].trial];
    if (i == 0 || tasks[i].trial != tasks[i - 1].trial) check(trial);
    trainings.push_back(
        {trial.experiment, trial.experiment.splits[tasks[i].index], trial.marks, false, name_of(trial)});
  }
  RunObserver observer;
  observer.should_stop = study.observer.should_stop;
  run_trainings(trainings, study.threads, observer, [&](std::size_t i, SplitOutcome outcome) {
    study.journal.add(runs[tasks[i].trial], outcome);
    out[tasks[i].trial][tasks[i].index] = std::move(outcome);
    study.observer.on_split(++done, total);
  });
  if (done < total) fail(Status::interrupted, "interrupted");
  return out;
}

}  // namespace gcnh::study
