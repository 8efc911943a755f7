#include "gcnh/train/runner.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <mutex>

#include "gcnh/base/error.h"
#include "gcnh/base/parallel.h"
#include "gcnh/graph/splits.h"
#include "gcnh/io/file.h"
#include "gcnh/models/model.h"
#include "gcnh/train/adam.h"
#include "gcnh/train/checkpoint.h"
#include "gcnh/train/make_stepper.h"
#include "gcnh/train/out_folder.h"

namespace gcnh {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

// Streams of a split's run.
enum Stream : std::uint64_t { kInit, kTraining };

// Tells the observer of each epoch and keeps the split's checkpoint fresh.
class EpochWatch {
 public:
  EpochWatch(const RunConfig& config, int split, const RunObserver& observer)
      : config_(config), split_(split), observer_(observer) {}

  bool keep_going(Stepper& stepper, const TrainState& state) {
    observer_.on_epoch(split_, state);
    const bool stop = observer_.should_stop();
    if (!config_.out.empty() && (stop || seconds_since(saved_) >= config_.checkpoint_seconds)) {
      save_progress(config_, stepper, split_, state);
      saved_ = Clock::now();
    }
    return !stop;
  }

 private:
  const RunConfig& config_;
  int split_;
  const RunObserver& observer_;
  Clock::time_point saved_ = Clock::now();
};

double accuracy_on(Stepper& stepper, const std::vector<int>& labels, const std::vector<Index>& nodes) {
  std::vector<int> wanted;
  for (Index node : nodes) wanted.push_back(labels[node]);
  return score(stepper.log_probabilities(nodes), wanted).accuracy;
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

int num_side_by_side(const Dataset& dataset, int threads, std::size_t count) {
  return is_large(dataset) ? 1 : std::min(threads, static_cast<int>(count));
}

// A resumed run took longer than this program saw; what its splits took cannot have been had in less.
double least_seconds(const std::vector<SplitResult>& splits, int side_by_side) {
  double sum = 0;
  for (const SplitResult& s : splits) sum += s.state.seconds;
  return sum / side_by_side;
}

void prepare_folder(const RunConfig& config) {
  if (config.out.empty()) return;
  check_out_folder(config.out, config.resume);
  if (config.resume) check_kept_splits(config.out, config.splits);
  make_folders(config.out / "splits");
}

}  // namespace

void check_splits(const Dataset& dataset, const std::vector<int>& splits) {
  if (splits.empty()) fail(Status::usage, "splits: none chosen");
  const int available = static_cast<int>(dataset.splits.size());
  for (int s : splits) {
    if (s < 0 || s >= available) fail(Status::usage, "splits: ", s, " is outside 0..", available - 1);
    if (std::count(splits.begin(), splits.end(), s) > 1) fail(Status::usage, "splits: ", s, " is listed twice");
    check_split(dataset.splits[s], dataset.labels, s);
  }
}

void check_trainable(const Dataset& dataset, const RunConfig& config) {
  check_ranges(config.train);
  const std::size_t rows = dataset.splits[config.splits.front()].train.size();
  const bool one_batch = config.train.batch_size(rows) == rows;
  const auto model = find_model_type(config.model).make(dataset, config.model_options, Rng(config.seed));
  make_stepper(config.engine, *model, {config.train.lr, config.train.weight_decay, one_batch}, config.train.adam);
}

const SplitResult& RunResult::best() const {
  return *std::min_element(splits.begin(), splits.end(), [](const SplitResult& a, const SplitResult& b) {
    if (a.state.best.accuracy != b.state.best.accuracy) return a.state.best.accuracy > b.state.best.accuracy;
    return a.state.best.loss < b.state.best.loss;
  });
}

std::optional<SplitResult> run_split(const Dataset& dataset, const RunConfig& config, int number,
                                     const RunObserver& observer) {
  const Rng rng = Rng(config.seed).fork(static_cast<std::uint64_t>(number));
  auto model = find_model_type(config.model).make(dataset, config.model_options, rng.fork(kInit));
  const Split& split = dataset.splits[number];
  const bool one_batch = config.train.batch_size(split.train.size()) == split.train.size();
  const auto stepper =
      make_stepper(config.engine, *model, {config.train.lr, config.train.weight_decay, one_batch}, config.train.adam);
  SplitResult result;
  result.split = number;
  result.engine = stepper->engine();
  if (auto checkpoint = config.resume ? load_checkpoint(config, number) : std::nullopt) {
    result = std::move(checkpoint->result);
    observer.on_resume(number, result.state);
    if (checkpoint->done) return result;
    set_parameters(*model, checkpoint->parameters);
    stepper->adam().set_moments(checkpoint->moments, checkpoint->steps);
  }
  EpochWatch watch(config, number, observer);
  const auto after_epoch = [&](const TrainState& state) { return watch.keep_going(*stepper, state); };
  if (!train(*stepper, dataset.labels, split, config.train, rng.fork(kTraining), result.state, after_epoch))
    return std::nullopt;
  if (result.state.diverged) {
    require(!config.read_test, "split ", number, ": the loss is not finite after epoch ", result.state.epoch() + 1,
            "; lower lr or scale the features");
    return result;
  }
  set_parameters(*model, result.state.best_parameters);
  stepper->parameters_changed();
  if (config.read_test) result.test_accuracy = accuracy_on(*stepper, dataset.labels, split.test);
  result.readings = model->readings();
  if (!config.out.empty()) save_result(config, result);
  return result;
}

void for_each_training(const Dataset& dataset, int threads, std::size_t count,
                       const std::function<void(std::size_t)>& body) {
  const bool large = is_large(dataset);
  Pool outer(num_side_by_side(dataset, threads, count));
  Pool inner(large ? threads : 1);
  outer.run(static_cast<std::int64_t>(count), [&](std::int64_t i) {
    const PoolScope scope(large ? &inner : nullptr);
    body(static_cast<std::size_t>(i));
  });
}

RunResult run(const Dataset& dataset, const RunConfig& config, const RunObserver& observer) {
  check_splits(dataset, config.splits);
  prepare_folder(config);
  const auto start = Clock::now();
  std::mutex mutex;
  const RunObserver one_at_a_time = guarded(observer, mutex);
  std::vector<std::optional<SplitResult>> results(config.splits.size());
  for_each_training(dataset, config.threads, results.size(),
                    [&](std::size_t i) { results[i] = run_split(dataset, config, config.splits[i], one_at_a_time); });
  RunResult out;
  for (auto& result : results) {
    if (!result) fail(Status::interrupted, "interrupted");
    out.splits.push_back(std::move(*result));
  }
  for (const auto& [name, matrix] : out.splits[0].state.best_parameters) out.parameters += matrix.size();
  out.seconds = std::max(seconds_since(start),
                         least_seconds(out.splits, num_side_by_side(dataset, config.threads, out.splits.size())));
  return out;
}

MeanStd mean_std(const std::vector<double>& values) {
  const double n = static_cast<double>(values.size());
  double sum = 0, squares = 0;
  for (double v : values) sum += v;
  for (double v : values) squares += (v - sum / n) * (v - sum / n);
  return {sum / n, std::sqrt(squares / n)};
}

std::vector<double> column_means(const std::vector<std::vector<double>>& rows) {
  std::vector<double> out(rows.empty() ? 0 : rows[0].size());
  for (const std::vector<double>& row : rows)
    for (std::size_t i = 0; i < std::min(out.size(), row.size()); ++i)
      out[i] += row[i] / static_cast<double>(rows.size());
  return out;
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

std::map<std::string, std::vector<double>> mean_readings(const RunResult& result) {
  std::map<std::string, std::vector<std::vector<double>>> rows;
  for (const SplitResult& s : result.splits)
    for (const auto& [name, values] : s.readings) rows[name].push_back(values);
  std::map<std::string, std::vector<double>> out;
  for (const auto& [name, values] : rows) out[name] = column_means(values);
  return out;
}

}  // namespace gcnh
