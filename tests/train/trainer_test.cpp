// Which epoch is kept, and when training stops, on validation scores written down beforehand.
#include "gcnh/train/trainer.h"

#include <gtest/gtest.h>

#include <cmath>

#include "gcnh/train/adam.h"
#include "tests/support/fixtures.h"

namespace gcnh::testing {
namespace {

// Four nodes of class 0. In each epoch `right` of them are classified as such with probability `sure`, the others just
// not, so accuracy and loss can be set apart.
struct ScriptedStepper : Stepper {
  ScriptedStepper(std::vector<int> right_, std::vector<double> sure_) : right(right_), sure(sure_) {}

  double step(std::span<const Index>, const Rng&) override {
    ++epoch;
    return 1;
  }
  const Matrix& log_probabilities(std::span<const Index> rows) override {
    logp = Matrix(static_cast<Index>(rows.size()), 2);
    for (Index i = 0; i < logp.rows(); ++i) {
      const double p = i < right[epoch - 1] ? sure[epoch - 1] : 0.49;
      logp(i, 0) = static_cast<Real>(std::log(p));
      logp(i, 1) = static_cast<Real>(std::log(1 - p));
    }
    return logp;
  }
  Model& model() override { return *built; }
  Adam& adam() override { return optimiser; }
  const char* engine() const override { return "scripted"; }

  std::vector<int> right;
  std::vector<double> sure;
  std::size_t epoch = 0;
  Matrix logp;
  Dataset dataset = fixture(g3(), x3());
  std::unique_ptr<Model> built = make_model("mlp", dataset, {});
  Adam optimiser{built->params(), 0, 0};
};

TrainState train_scripted(Select select, int patience = 0, Metric metric = Metric::accuracy) {
  ScriptedStepper stepper({2, 3, 3, 3, 2, 2, 2}, {.6, .6, .75, .7, .99, .6, .6});
  const Split split{{0}, {0, 1, 2, 3}, {}};
  TrainOptions options;
  options.epochs = 7;
  options.patience = patience;
  options.select = select;
  options.metric = metric;
  TrainState state;
  train(stepper, {0, 0, 0, 0}, split, options, Rng(1), state, [](const TrainState&) { return true; });
  return state;
}

TEST(Trainer, KeepsTheEpochThatTheOptionNames) {
  EXPECT_EQ(train_scripted(Select::accuracy).best_epoch, 3);
  EXPECT_EQ(train_scripted(Select::first_accuracy).best_epoch, 2);
  EXPECT_EQ(train_scripted(Select::last_accuracy).best_epoch, 4);
  EXPECT_EQ(train_scripted(Select::loss).best_epoch, 5);
}

TEST(Trainer, TheMetricChoosesTheEpoch) {
  const TrainState state = train_scripted(Select::accuracy, 0, Metric::log_loss);
  EXPECT_EQ(state.best_epoch, 5) << "lower is better";
  EXPECT_EQ(state.best.metric, state.history[4].val_metric);
  EXPECT_NEAR(state.best.metric, state.best.loss, 1e-7);
  EXPECT_NE(state.best.metric, state.best.accuracy);
  EXPECT_EQ(train_scripted(Select::accuracy, 0, Metric::balanced_accuracy).best_epoch, 3) << "then the lowest loss";
  EXPECT_EQ(train_scripted(Select::last_accuracy, 0, Metric::balanced_accuracy).best_epoch, 4);
  EXPECT_EQ(train_scripted(Select::accuracy, 0, Metric::roc_auc).best_epoch, 5)
      << "not defined for a single class: the loss alone decides";
}

TEST(Trainer, WithoutValidationNodesEveryEpochIsTrainedAndTheLastOneKept) {
  ScriptedStepper stepper({2, 3, 3}, {.6, .6, .75});
  TrainOptions options;
  options.epochs = 3;
  options.patience = 1;
  TrainState state;
  train(stepper, {0, 0, 0, 0}, {{0}, {}, {}}, options, Rng(1), state, [](const TrainState&) { return true; });
  EXPECT_EQ(state.best_epoch, 3);
  EXPECT_FALSE(state.diverged);
  EXPECT_TRUE(std::isnan(state.best.loss) && std::isnan(state.history[0].val_accuracy));
  EXPECT_EQ(best_epoch_within(state.history, 2, options).epoch, 2);
}

TEST(Trainer, PatienceCountsFromTheEpochKept) {
  EXPECT_EQ(train_scripted(Select::first_accuracy, 2).epoch(), 4);
  EXPECT_EQ(train_scripted(Select::last_accuracy, 2).epoch(), 6);
}

}  // namespace
}  // namespace gcnh::testing
