#include "gcnh/train/trainer.h"

#include <chrono>
#include <cmath>
#include <limits>

#include "gcnh/base/error.h"
#include "gcnh/models/model.h"

namespace gcnh {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr Score kNoScore = {kNone, kNone, kNone};

bool is_better(const Score& now, const Score& best, const TrainOptions& options) {
  if (std::isnan(now.loss)) return true;  // without validation nodes the last epoch is kept
  if (options.select == Select::loss) return now.loss < best.loss;
  const double x = merit(options.metric, now.metric), y = merit(options.metric, best.metric);
  if (x != y) return x > y;
  return options.select == Select::last_accuracy || (options.select == Select::accuracy && now.loss < best.loss);
}

// One epoch: the training nodes in a new order, a step per batch. Returns the mean of the batch losses, weighted by
// size.
double run_epoch(Stepper& stepper, std::vector<Index> nodes, std::size_t batch_size, const Rng& rng) {
  if (batch_size < nodes.size()) shuffle(nodes, rng.fork(0));
  double sum = 0;
  for (std::size_t begin = 0; begin < nodes.size(); begin += batch_size) {
    const std::span<const Index> batch(nodes.data() + begin, std::min(batch_size, nodes.size() - begin));
    sum += stepper.step(batch, rng.fork(begin + 1)) * static_cast<double>(batch.size());
  }
  return sum / static_cast<double>(nodes.size());
}

}  // namespace

std::size_t TrainOptions::batch_size(std::size_t training_nodes) const {
  const std::optional<int> size = batch.number();
  return size ? std::min<std::size_t>(*size, training_nodes) : training_nodes;
}

BestEpoch best_epoch_within(const std::vector<EpochRecord>& history, int epochs, const TrainOptions& options) {
  BestEpoch best;
  for (int e = 0; e < std::min(epochs, static_cast<int>(history.size())); ++e) {
    const Score now{history[e].val_loss, history[e].val_accuracy, history[e].val_metric};
    if (best.epoch == 0 || is_better(now, best.score, options)) best = {e + 1, now};
  }
  return best;
}

bool train(Stepper& stepper, const std::vector<int>& labels, const Split& split, const TrainOptions& options,
           const Rng& rng, TrainState& state, const EpochCallback& after_epoch) {
  check_ranges(options);
  const std::size_t batch_size = options.batch_size(split.train.size());
  const std::vector<int> val_labels = labels_of(labels, split.val);
  while (state.epoch() < options.epochs &&
         (options.patience == 0 || state.epoch() - state.best_epoch < options.patience)) {
    const auto start = std::chrono::steady_clock::now();
    const double train_loss =
        run_epoch(stepper, split.train, batch_size, rng.fork(static_cast<std::uint64_t>(state.epoch())));
    const bool validates = !split.val.empty();
    const Score val = validates ? score(stepper.log_probabilities(split.val), val_labels, options.metric) : kNoScore;
    state.diverged = !std::isfinite(train_loss) || (validates && !std::isfinite(val.loss));
    if (state.diverged) return true;
    state.history.push_back({train_loss, val.loss, val.accuracy, val.metric, stepper.model().readings()});
    if (state.best_epoch == 0 || is_better(val, state.best, options)) {
      state.best = val;
      state.best_epoch = state.epoch();
      copy_parameters(stepper.model(), state.best_parameters);
    }
    state.seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    if (!after_epoch(state)) return false;
  }
  return true;
}

}  // namespace gcnh
