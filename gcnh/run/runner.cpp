#include "gcnh/run/runner.h"

#include <algorithm>
#include <chrono>
#include <fstream>
#include <limits>
#include <memory>
#include <mutex>
#include <string>

#include "gcnh/base/error.h"
#include "gcnh/base/parallel.h"
#include "gcnh/comm/comm.h"
#include "gcnh/models/model.h"
#include "gcnh/run/hand_out.h"
#include "gcnh/run/parts_training.h"
#include "gcnh/run/run_folder.h"
#include "gcnh/run/split_data.h"
#include "gcnh/train/adam.h"
#include "gcnh/train/class_weights.h"
#include "gcnh/train/make_stepper.h"

namespace gcnh {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

// Streams of a split's run.
enum Stream : std::uint64_t { kInit, kTraining };

// What the kept model reaches; the test nodes are read where they may be.
void measure_outcome(Stepper& stepper, const Dataset& dataset, const Split& split, const Experiment& e,
                     SplitOutcome& out) {
  std::optional<Decision> decision;
  if (!split.val.empty()) {
    const std::vector<int> labels = labels_of(dataset.labels, split.val);
    const Matrix& logp = stepper.log_probabilities(split.val);
    out.val = measure(logp, labels);
    if (e.read_test) decision = fit_decision(logp, labels, e.aims);
  }
  if (!e.read_test) return;
  out.test_accuracy = kNone;
  if (split.test.empty()) return;
  const Matrix& logp = stepper.log_probabilities(split.test);
  const std::vector<int> labels = labels_of(dataset.labels, split.test);
  AllMeasures test = measure_all(logp, labels);
  out.test = test.overall;
  out.test_classes = std::move(test.classes);
  out.test_accuracy = (*out.test)[Metric::accuracy];
  if (decision) out.decision = score_decision(*decision, logp, labels, e.aims);
}

// The observer, called by one thread at a time.
RunObserver guarded(const RunObserver& observer, std::mutex& mutex) {
  RunObserver out;
  out.on_resume = [&observer, &mutex](int split, const TrainState& state) {
    std::lock_guard lock(mutex);
    observer.on_resume(split, state);
  };
  out.on_epoch = [&observer, &mutex](int split, const TrainState& state) {
    std::lock_guard lock(mutex);
    observer.on_epoch(split, state);
  };
  out.should_stop = [&observer, &mutex] {
    std::lock_guard lock(mutex);
    return observer.should_stop();
  };
  return out;
}

// Above this much work per pass (stored entries of graph and features) a pass fills all cores better than splits side
// by side.
bool is_large(const Dataset& d) { return d.adjacency.nnz() + d.features.nonzeros() > (Offset{1} << 21); }

// A resumed run took longer than this program saw; what its splits took cannot have been had in less.
double least_seconds(const std::vector<SplitOutcome>& splits, int side_by_side) {
  double sum = 0;
  for (const SplitOutcome& s : splits) sum += s.seconds;
  return sum / side_by_side;
}

// The outcome as far as the trainer's state tells it.
SplitOutcome outcome_of(int split, TrainState state, const std::vector<int>& marks, const TrainOptions& options) {
  const BestEpoch none = {0, {0, 0, worst_value(options.metric)}};
  SplitOutcome out;
  out.split = split;
  out.epochs = state.epoch();
  out.best = state.diverged ? none : BestEpoch{state.best_epoch, state.best};
  out.metric = options.metric;
  for (int epochs : marks)
    out.marks.push_back(
        {epochs, state.diverged && epochs > out.epochs ? none : best_epoch_within(state.history, epochs, options)});
  for (const auto& [name, matrix] : state.best_parameters) out.parameters += matrix.size();
  out.seconds = state.seconds;
  out.history = std::move(state.history);
  out.weights = std::move(state.best_parameters);
  return out;
}

// All that going on from here takes.
Checkpoint checkpoint_of(Stepper& stepper, const TrainState& state) {
  Checkpoint out{state, stepper.engine(), std::nullopt, parameters_of(stepper.model()), stepper.adam().moments()};
  out.steps = stepper.adam().steps();
  return out;
}

// What body returns; its errors begin with the training's name.
template <class Body>
auto naming(const Training& training, const Body& body) {
  try {
    return body();
  } catch (const Error& error) {
    if (training.name.empty()) throw;
    fail(error.status(), training.name, ": ", error.what());
  }
}

}  // namespace

// getrusage would begin with the memory of whatever started the program.
std::int64_t peak_rss_bytes() {
  std::ifstream status("/proc/self/status");
  std::int64_t kilobytes = 0;
  for (std::string word; status >> word;)
    if (word == "VmHWM:") status >> kilobytes;
  return kilobytes * 1024;
}

std::optional<SplitOutcome> run_split(const Experiment& e, int number, const RunObserver& observer,
                                      const std::vector<int>& marks, CheckpointKeeper* keeper) {
  const std::shared_ptr<const Dataset> data = split_dataset(e, number);
  const Dataset& dataset = *data;
  const Rng rng = Rng(e.seed).fork(static_cast<std::uint64_t>(number));
  const Split& split = e.dataset->splits[number];
  const bool one_batch = e.train.batch_size(split.train.size()) == split.train.size();
  const StepOptions steps{e.train.lr, e.train.weight_decay, one_batch,
                          class_weights(e.train.class_weights, dataset, split.train)};
  std::unique_ptr<Model> whole;  // where the graph is
  std::unique_ptr<Stepper> stepper;
  if (e.parts > 0) {
    stepper = parts_stepper(e, dataset, steps, rng.fork(kInit));
    stepper->adam().set_form(e.train.adam);
  } else {
    whole = find_model_type(e.model).make(dataset, e.model_options, rng.fork(kInit));
    stepper = make_stepper(e.engine, *whole, steps, e.train.adam);
  }
  Model& model = stepper->model();
  TrainState state;
  if (auto checkpoint = keeper ? keeper->load(e, number) : std::nullopt) {
    observer.on_resume(number, checkpoint->state);
    state = std::move(checkpoint->state);
    if (checkpoint->finished) {
      SplitOutcome out = outcome_of(number, std::move(state), marks, e.train);
      out.test_accuracy = checkpoint->finished->test_accuracy;
      if (e.read_test && split.test.empty()) out.test_accuracy = kNone;
      out.val = checkpoint->finished->val;
      out.test = checkpoint->finished->test;
      out.test_classes = std::move(checkpoint->finished->test_classes);
      out.decision = std::move(checkpoint->finished->decision);
      out.readings = std::move(checkpoint->finished->readings);
      out.engine = std::move(checkpoint->engine);
      return out;
    }
    set_parameters(model, checkpoint->parameters);
    stepper->parameters_changed();
    stepper->adam().set_moments(checkpoint->moments, checkpoint->steps);
  }
  auto saved = Clock::now();
  const auto after_epoch = [&](const TrainState& now) {
    observer.on_epoch(number, now);
    const bool stop = observer.should_stop();
    if (keeper && (stop || seconds_since(saved) >= keeper->checkpoint_seconds)) {
      keeper->save_progress(e, number, checkpoint_of(*stepper, now));
      saved = Clock::now();
    }
    return !stop;
  };
  if (!train(*stepper, dataset.labels, split, e.train, rng.fork(kTraining), state, after_epoch)) return std::nullopt;
  const bool diverged = state.diverged;
  require(!diverged || !e.read_test, "split ", number, ": the loss is not finite after epoch ", state.epoch() + 1,
          "; lower lr or scale the features");
  SplitOutcome out = outcome_of(number, std::move(state), marks, e.train);
  out.engine = stepper->engine();
  if (diverged) return out;
  set_parameters(model, out.weights);
  stepper->parameters_changed();
  measure_outcome(*stepper, dataset, split, e, out);
  out.readings = model.readings();
  if (keeper) keeper->save_outcome(e, out);
  return out;
}

std::optional<SplitOutcome> run_training(const Training& t, const RunObserver& observer, CheckpointKeeper* keeper) {
  std::optional<SplitOutcome> out = run_split(t.experiment, t.split, observer, t.marks, keeper);
  if (!out || t.whole) return out;
  out->test_classes.clear();
  out->history.clear();
  out->weights.clear();
  return out;
}

void run_trainings(const std::vector<Training>& trainings, int threads, const RunObserver& observer, const Keep& keep,
                   CheckpointKeeper* keeper) {
  if (trainings.empty()) return;
  const bool in_parts = trainings.front().experiment.parts > 0;  // then all ranks share every training
  if (current_comm().size() > 1 && !in_parts)
    return hand_out(current_comm(), trainings, threads, observer, keep, keeper);
  std::mutex mutex;
  const RunObserver one_at_a_time = guarded(observer, mutex);
  const int threads_outside = in_parts ? 1 : threads;
  for_each_training(*trainings.front().experiment.dataset, threads_outside, trainings.size(), [&](std::size_t i) {
    if (one_at_a_time.should_stop()) return;
    std::optional<SplitOutcome> outcome =
        naming(trainings[i], [&] { return run_training(trainings[i], one_at_a_time, keeper); });
    if (!outcome) return;
    const std::lock_guard lock(mutex);
    keep(i, std::move(*outcome));
  });
}

int num_threads_inside(const Dataset& dataset, int threads) { return is_large(dataset) ? threads : 1; }

int num_side_by_side(const Dataset& dataset, int threads, std::size_t count) {
  return is_large(dataset) ? 1 : std::min(threads, static_cast<int>(count));
}

int num_side_by_side(const Experiment& e) {
  return e.parts > 0 ? 1 : num_side_by_side(*e.dataset, e.threads, e.splits.size());
}

void for_each_training(const Dataset& dataset, int threads, std::size_t count,
                       const std::function<void(std::size_t)>& body) {
  Pool outer(num_side_by_side(dataset, threads, count));
  Pool inner(num_threads_inside(dataset, threads));
  outer.run(static_cast<std::int64_t>(count), [&](std::int64_t i) {
    const PoolScope scope(is_large(dataset) ? &inner : nullptr);
    body(static_cast<std::size_t>(i));
  });
}

RunResult run(const Experiment& e, const RunObserver& observer, RunFolder* folder) {
  check_splits(*e.dataset, e.splits);
  if (folder) folder->begin(e);
  const auto start = Clock::now();
  std::vector<Training> trainings;
  for (int split : e.splits) trainings.push_back({e, split});
  std::vector<std::optional<SplitOutcome>> outcomes(e.splits.size());
  try {
    run_trainings(
        trainings, e.threads, observer, [&](std::size_t i, SplitOutcome outcome) { outcomes[i] = std::move(outcome); },
        folder);
  } catch (...) {
    if (folder) folder->give_up();
    throw;
  }
  RunResult out;
  for (auto& outcome : outcomes) {
    if (!outcome) fail(Status::interrupted, "interrupted");
    out.splits.push_back(std::move(*outcome));
  }
  const int at_a_time = num_side_by_side(e) * (e.parts > 0 ? 1 : current_comm().size());
  out.seconds = std::max(seconds_since(start), least_seconds(out.splits, at_a_time));
  out.peak_rss_bytes = peak_rss_bytes();
  return out;
}

}  // namespace gcnh
