// The model to deploy: not one of many splits, trained on half of the labels, but the best that all of them give.
//   refit     one network, trained on all labelled nodes for as many epochs as the splits kept in the median
//   ensemble  the networks of all splits, which answer by the mean of their logits
// Both are judged on the same labelled nodes, each by networks that were not trained on it: the refit by five
// trainings that leave a fifth of the labels out in turn, the ensemble by those of its members whose split did not
// train on the node. The better by the metric that chose the epochs is taken, of equals the refit. What its decisions
// are fitted on, and measured on fold by fold, are these very answers.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gcnh/run/model_file.h"
#include "gcnh/run/runner.h"

namespace gcnh {

// What is asked for: nothing, the better of the two, or one of them.
enum class FinalChoice { none, automatic, refit, ensemble };
inline Words words_of(FinalChoice) {
  return {{"none", "the model of the best split is all"},
          {"auto", "refit or ensemble, whichever is better on nodes it was not trained on"},
          {"refit", "one network, trained on all labels"},
          {"ensemble", "all networks of the splits"}};
}

// A way to make the final model, as far as it was looked at.
struct FinalCandidate {
  FinalKind kind = FinalKind::refit;
  Measures measures = {};  // on the judged nodes, as far as it can be told
};

struct FinalModel {
  TrainedModel model = {};
  Metric metric = Metric::accuracy;             // what chose
  std::size_t judged = 0;                       // nodes
  std::vector<FinalCandidate> candidates = {};  // the one that was taken first
  // Each fifth of the judged nodes by what the others fitted; NaN for too few nodes. Calibration errors are those of
  // all of them together.
  DecisionScores decision = {};
  std::vector<std::vector<Index>> decided = {};  // rows are true classes, columns answers, found like that
};

// Epochs of a refit.
int final_epochs(const RunResult& result);

// The trainings that a final model may take, for progress: folds, and all labels.
inline constexpr int kFinalTrainings = 6;

// The result holds the weights. Throws a data error where no label is left to judge by, and interrupts as run() does.
FinalModel make_final(const Experiment& experiment, const RunResult& result, FinalChoice choice,
                      const RunObserver& observer = {});

// For tools; keys are stable (docs/formats.md).
std::string final_json(const FinalModel& final);

}  // namespace gcnh
