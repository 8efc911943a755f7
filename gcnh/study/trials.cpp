#include "gcnh/study/trials.h"

#include <atomic>

#include "gcnh/base/error.h"
#include "gcnh/models/model.h"

namespace gcnh {
namespace {

struct Task {
  std::size_t trial;
  std::size_t index;  // into the trial's splits
};

Record make_record(const SplitResult& result, const Trial& trial) {
  Record out;
  out.split = result.split;
  out.epochs = result.state.epoch();
  if (!result.state.diverged) out.best = {result.state.best_epoch, result.state.best};
  if (trial.config.read_test) out.test_accuracy = result.test_accuracy;
  out.readings = result.readings;
  for (int epochs : trial.marks) {
    out.marks.push_back({epochs, {}});
    if (!result.state.diverged || epochs <= out.epochs)
      out.marks.back().best = best_epoch_within(result.state.history, epochs, trial.config.train.select);
  }
  for (const auto& [name, matrix] : result.state.best_parameters) out.parameters += matrix.size();
  out.seconds = result.state.seconds;
  out.engine = result.engine;
  return out;
}

// What body returns; its errors name the trial.
template <class Body>
auto named(const Experiment& experiment, const Trial& trial, const Body& body) {
  try {
    return body();
  } catch (const Error& error) {
    fail(error.status(), experiment.config.model, " on ", experiment.card.name,
         trial.name.empty() ? "" : ", " + trial.name, ": ", error.what());
  }
}

}  // namespace

std::optional<Record> train_record(const Dataset& dataset, const Trial& trial, int split, const RunObserver& observer) {
  const auto result = run_split(dataset, trial.config, split, observer);
  if (!result) return std::nullopt;
  return make_record(*result, trial);
}

std::vector<std::vector<Record>> run_trials(Study& study, const Experiment& experiment,
                                            const std::vector<Trial>& trials) {
  std::vector<std::vector<Record>> out(trials.size());
  std::vector<std::string> runs;
  std::vector<Task> tasks;
  std::size_t total = 0;
  for (std::size_t t = 0; t < trials.size(); ++t) {
    const Trial& trial = trials[t];
    check_splits(experiment.dataset, trial.config.splits);
    runs.push_back(describe_run(experiment, trial.config));
    out[t].resize(trial.config.splits.size());
    total += out[t].size();
    for (std::size_t i = 0; i < out[t].size(); ++i) {
      const auto found = study.journal.find(runs[t], trial.config.splits[i], trial.config.read_test, trial.marks);
      if (found) {
        out[t][i] = *found;
      } else {
        tasks.push_back({t, i});
      }
    }
  }
  require(tasks.empty() || study.train_missing, "the journal lacks ", tasks.size(), " of ", total, " splits of ",
          experiment.config.model, " on ", experiment.card.name);
  std::atomic<std::size_t> done = total - tasks.size();
  study.observer.on_start(done, total);
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    if (i > 0 && tasks[i].trial == tasks[i - 1].trial) continue;
    const Trial& trial = trials[tasks[i].trial];
    named(experiment, trial, [&] { check_trainable(experiment.dataset, trial.config); });
  }
  std::mutex mutex;
  RunObserver observer;
  observer.should_stop = study.observer.should_stop;
  for_each_training(experiment.dataset, study.threads, tasks.size(), [&](std::size_t i) {
    if (observer.should_stop()) return;
    const Task& task = tasks[i];
    const Trial& trial = trials[task.trial];
    const auto record = named(experiment, trial, [&] {
      return train_record(experiment.dataset, trial, trial.config.splits[task.index], observer);
    });
    if (!record) return;
    out[task.trial][task.index] = *record;
    study.journal.add(runs[task.trial], *record);
    std::lock_guard lock(mutex);
    study.observer.on_split(++done, total);
  });
  if (done < total) fail(Status::interrupted, "interrupted");
  return out;
}

std::vector<double> val_accuracies(const std::vector<Record>& records) {
  std::vector<double> out;
  for (const Record& record : records) out.push_back(record.best.score.accuracy);
  return out;
}

std::vector<double> test_accuracies(const std::vector<Record>& records) {
  std::vector<double> out;
  for (const Record& record : records) {
    require(record.test_accuracy.has_value(), "the test nodes of split ", record.split, " were not read");
    out.push_back(*record.test_accuracy);
  }
  return out;
}

}  // namespace gcnh
