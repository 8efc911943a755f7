// Trains one model on one split: epochs of shuffled batches, validation after each, the best epoch kept, early
// stopping.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "gcnh/base/options.h"
#include "gcnh/graph/dataset.h"
#include "gcnh/kernels/kernels.h"
#include "gcnh/models/readings.h"
#include "gcnh/train/stepper.h"

namespace gcnh {

enum class Batch { full };
inline Words words_of(Batch) { return {{"full"}}; }
enum class Select { accuracy, first_accuracy, last_accuracy, loss };
inline Words words_of(Select) {
  return {{"accuracy", "best validation value of the metric, then lowest loss"},
          {"first-accuracy", "first of the best"},
          {"last-accuracy", "last of the best"},
          {"loss", "lowest"}};
}

struct TrainOptions {
  int epochs = 300;
  NumberOr<int, Batch> batch = Batch::full;
  double lr = 5e-3;
  double weight_decay = 5e-3;
  kernels::AdamForm adam = kernels::AdamForm::torch;
  int patience = 0;
  Select select = Select::accuracy;
  Metric metric = Metric::accuracy;
  std::string class_weights = "none";

  void visit(auto&& f) {
    f("epochs", epochs, "most passes over the training nodes", at_least(1));
    f("batch", batch, "training nodes per step (the whole graph is forwarded, the loss is the batch's)", at_least(1));
    f("lr", lr, "learning rate of Adam", above(0));
    f("weight_decay", weight_decay, "weight decay (L2 added to the gradient, all parameters)", at_least(0));
    f("adam", adam, "form of Adam");
    f("patience", patience, "stop after this many epochs without a better validation score",
      at_least(0, "0 trains all epochs"));
    f("select", select, "the epoch kept");
    f("metric", metric, "what chooses epochs and options, and what is tested");
    f("class_weights", class_weights,
      "what a node counts in the loss, by its class: none | balanced (every class alike) | rare=20,common=1");
  }

  // Training nodes per step for a training set of this size.
  std::size_t batch_size(std::size_t training_nodes) const;
};

struct EpochRecord {
  double train_loss = 0;
  double val_loss = 0;  // this and what follows is NaN without validation nodes
  double val_accuracy = 0;
  double val_metric = 0;   // as in Score
  Readings readings = {};  // of the model after the epoch
};

// Everything a run needs to continue to the same bits; epochs count from 1.
struct TrainState {
  std::vector<EpochRecord> history = {};  // one per finished epoch
  int best_epoch = 0;
  Score best = {};
  NamedMatrices best_parameters = {};
  double seconds = 0;
  bool diverged = false;  // the epoch after the last of the history had a loss that is not finite

  int epoch() const { return static_cast<int>(history.size()); }
};

struct BestEpoch {
  int epoch = 0;
  Score score = {};
};

// The epoch that would have been kept, had the training ended after so many epochs.
BestEpoch best_epoch_within(const std::vector<EpochRecord>& history, int epochs, const TrainOptions& options);

// Called after every epoch; returning false stops the training where it stands.
using EpochCallback = std::function<bool(const TrainState&)>;

// Continues from `state` until the options say stop or the loss diverges. Returns false when the callback stopped it.
bool train(Stepper& stepper, const std::vector<int>& labels, const Split& split, const TrainOptions& options,
           const Rng& rng, TrainState& state, const EpochCallback& after_epoch);

}  // namespace gcnh
