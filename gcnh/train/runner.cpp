#include "gcnh/train/runner.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <mutex>
#include <optional>

#include "gcnh/base/error.h"
#include "gcnh/base/parallel.h"
#include "gcnh/graph/splits.h"
#include "gcnh/models/model.h"
#include "gcnh/train/adam.h"
#include "gcnh/train/checkpoint.h"
#include "gcnh/train/make_stepper.h"

namespace gcnh {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

// Streams of a split's run.
enum Stream : std::uint64_t { kInit, kTraining };

// Trains one split from its checkpoint or from the start; nothing is returned when the observer stopped it.
class SplitRun {
 public:
  SplitRun(const Dataset& dataset, const RunConfig& config, int split, const RunObserver& observer, std::mutex& mutex)
      : dataset_(dataset), config_(config), split_(split), observer_(observer), mutex_(mutex) {}

  std::optional<SplitResult> operator()() {
    const Rng rng = Rng(config_.seed).fork(static_cast<std::uint64_t>(split_));
    auto model = find_model_type(config_.model).make(dataset_, config_.model_options, rng.fork(kInit));
    const Split& split = dataset_.splits[split_];
    const bool one_batch = config_.train.batch_size(split.train.size()) == split.train.size();
    const auto stepper = make_stepper(config_.engine, *model, dataset_, config_.train.lr, config_.train.weight_decay,
                                      one_batch, config_.train.adam);
    SplitResult result;
    result.split = split_;
    result.engine = stepper->engine();
    if (auto checkpoint = config_.resume ? load_checkpoint(config_, split_) : std::nullopt) {
      result = std::move(checkpoint->result);
      if (checkpoint->done) return result;
      set_parameters(*model, checkpoint->parameters);
      stepper->adam().set_moments(checkpoint->moments, checkpoint->steps);
    }
    const auto after_epoch = [&](const TrainState& state) { return keep_going(*stepper, state); };
    const bool finished =
        train(*stepper, dataset_.labels, split, config_.train, rng.fork(kTraining), result.state, after_epoch);
    if (!finished) return std::nullopt;
    set_parameters(*model, result.state.best_parameters);
    stepper->parameters_changed();
    result.test_accuracy = score_on(*stepper, split.test);
    result.readings = model->readings();
    if (!config_.out.empty()) save_result(config_, result);
    return result;
  }

 private:
  bool keep_going(Stepper& stepper, const TrainState& state) {
    bool stop = false;
    {
      std::lock_guard lock(mutex_);
      observer_.on_epoch(split_, state);
      stop = observer_.should_stop();
    }
    if (!config_.out.empty() && (stop || seconds_since(saved_) >= config_.checkpoint_seconds)) {
      save_progress(config_, stepper, split_, state);
      saved_ = Clock::now();
    }
    return !stop;
  }

  double score_on(Stepper& stepper, const std::vector<Index>& nodes) const {
    std::vector<int> labels;
    for (Index node : nodes) labels.push_back(dataset_.labels[node]);
    return score(stepper.log_probabilities(nodes), labels).accuracy;
  }

  const Dataset& dataset_;
  const RunConfig& config_;
  int split_;
  const RunObserver& observer_;
  std::mutex& mutex_;
  Clock::time_point saved_ = Clock::now();
};

// Above this much work per pass (stored entries of graph and features) a pass fills all cores better than splits side
// by side.
bool is_large(const Dataset& d) { return d.adjacency.nnz() + d.features.nonzeros() > (Offset{1} << 21); }

void prepare_folder(const RunConfig& config) {
  if (config.out.empty()) return;
  if (!config.resume && has_unfinished_run(config.out))
    fail(Status::usage, config.out.string(),
         " holds an unfinished run; add --resume to continue it, or take another --out");
  std::error_code error;
  if (!config.resume) std::filesystem::remove_all(config.out / "splits", error);
  std::filesystem::create_directories(config.out / "splits", error);
  if (error) fail(Status::io, config.out.string(), ": cannot make the folder (", error.message(), ")");
}

}  // namespace

const SplitResult& RunResult::best() const {
  return *std::min_element(splits.begin(), splits.end(), [](const SplitResult& a, const SplitResult& b) {
    if (a.state.best.accuracy != b.state.best.accuracy) return a.state.best.accuracy > b.state.best.accuracy;
    return a.state.best.loss < b.state.best.loss;
  });
}

RunResult run(const Dataset& dataset, const RunConfig& config, const RunObserver& observer) {
  if (config.splits.empty()) fail(Status::usage, "splits: none chosen");
  const int available = static_cast<int>(dataset.splits.size());
  for (int s : config.splits) {
    if (s < 0 || s >= available) fail(Status::usage, "splits: ", s, " is outside 0..", available - 1);
    check_split(dataset.splits[s], dataset.labels, s);
  }
  prepare_folder(config);
  const auto start = Clock::now();
  const bool large = is_large(dataset);
  const int side_by_side = large ? 1 : std::min(config.threads, static_cast<int>(config.splits.size()));
  Pool outer(side_by_side);
  Pool inner(large ? config.threads : 1);
  std::mutex mutex;
  std::vector<std::optional<SplitResult>> results(config.splits.size());
  outer.run(static_cast<std::int64_t>(results.size()), [&](std::int64_t i) {
    const PoolScope scope(large ? &inner : nullptr);
    results[i] = SplitRun(dataset, config, config.splits[i], observer, mutex)();
  });
  RunResult out;
  for (auto& result : results) {
    if (!result) fail(Status::interrupted, "interrupted");
    out.splits.push_back(std::move(*result));
  }
  for (const auto& [name, matrix] : out.splits[0].state.best_parameters) out.parameters += matrix.size();
  out.seconds = seconds_since(start);
  return out;
}

MeanStd mean_std(const std::vector<double>& values) {
  const double n = static_cast<double>(values.size());
  double sum = 0, squares = 0;
  for (double v : values) sum += v;
  for (double v : values) squares += (v - sum / n) * (v - sum / n);
  return {sum / n, std::sqrt(squares / n)};
}

MeanStd test_accuracy(const RunResult& result) {
  std::vector<double> values;
  for (const SplitResult& s : result.splits) values.push_back(s.test_accuracy);
  return mean_std(values);
}

MeanStd val_accuracy(const RunResult& result) {
  std::vector<double> values;
  for (const SplitResult& s : result.splits) values.push_back(s.state.best.accuracy);
  return mean_std(values);
}

}  // namespace gcnh
