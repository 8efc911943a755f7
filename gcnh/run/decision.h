// From probabilities to decisions: how sure a model may be, which classes remain possible, and which answer to give.
// Everything is fitted on nodes that the model was not trained on, and kept with it.
//   temperature  p = softmax(log p / T), see run/calibration.h
//   sets         the classes k with 1 - p_k <= q, q the ceil((n + 1) level)-th smallest of the n nodes' own values
//                1 - p(true class). Where the n nodes and a new one are exchangeable, its set holds its class with a
//                probability of at least the level (split-conformal prediction). Sadinle et al., JASA 2019.
//   answer       argmin over j of sum over k of w_k p_k cost(k, j); without costs and weights the most probable class
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gcnh/base/matrix.h"
#include "gcnh/train/metrics.h"

namespace gcnh {

struct Decision {
  double temperature = 1;
  double level = 0.9;                // of sets, unless another one is asked for
  std::vector<Real> scores = {};     // 1 - p(true class) of the n nodes, ascending; empty: no sets
  Matrix costs = {};                 // (classes, classes), rows are true classes; empty: an error costs 1
  std::vector<double> weights = {};  // of the classes; empty: all 1

  bool has_sets() const { return !scores.empty(); }
  bool has_rule() const { return !costs.empty() || !weights.empty(); }  // else the most probable class is the answer
};

// What decisions are to be good for.
struct Aims {
  double level = 0.9;
  Matrix costs = {};  // as above
  // Of answers: the weights are those that are best by it; without, by the costs if any.
  std::optional<Metric> metric = {};

  bool has_aim() const { return metric || !costs.empty(); }
};
// Metrics that depend on answers alone, so that weights can change them.
bool is_of_answers(Metric metric);

// The value of the aim for these answers: the metric, or the mean cost.
double aim_value(const Aims& aims, std::span<const int> answers, std::span<const int> labels, Index num_classes);

// q above: the largest 1 - p_k of a class that is in the sets. Above 1 where so few nodes cannot promise the level.
double set_bound(const Decision& decision, double level);
// Whether the class k is in the set of a row of calibrated log-probabilities: at the bound, up to rounding, it is.
bool is_in_set(double bound, const Matrix& logp, Index row, Index k);
// The classes of that set, the most probable first; it may be empty.
std::vector<int> set_of(double bound, const Matrix& logp, Index row);
// The answer for a row of calibrated log-probabilities.
int decide(const Decision& decision, const Matrix& logp, Index row);

// Of two classes, the probability of the second one from which on it is the answer; nothing where costs always make it
// the same one.
std::optional<double> threshold(const Decision& decision);

// The share of the nodes that fitted the sets whose own class had a probability above one half: of two classes, how
// often the answer was right. Sets of a lower level hold one class at most, and none where even a sure answer is not
// sure enough.
double share_of_sure(const Decision& decision);
// A level that is above the share of right answers, so that sets need not be empty, if so many nodes can promise one.
std::optional<double> level_above(double share, std::size_t nodes);

// What the nodes are to the network: those that chose its epoch, or those that judge a final model, answered by the
// networks of its rehearsal.
enum class Judges { chose_the_epoch, rehearsed };

// From log-probabilities of nodes that the model was not trained on.
Decision fit_decision(const Matrix& logp, std::span<const int> labels, const Aims& aims,
                      Judges judges = Judges::chose_the_epoch);

// Throws a data error, behind `where`, for a decision that nothing here would have fitted.
void check_decision(const Decision& decision, std::size_t num_classes, const std::string& where);

}  // namespace gcnh
