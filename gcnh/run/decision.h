// From probabilities to decisions: how sure a model may be, which classes remain possible, and which answer to give.
// Everything is fitted on nodes that the model was not trained on, and kept with it.
//   temperature  p = softmax(log p / T), T the one with the least squared error of p on those nodes (Brier score).
//                Guo et al., ICML 2017, take the log-loss, which a few sure errors decide.
//   sets         the classes k with 1 - p_k <= q, q the ceil((n + 1) level)-th smallest of the n nodes' own values
//                1 - p(true class). Where the n nodes and a new one are exchangeable, its set holds its class with a
//                probability of at least the level (split-conformal prediction). Sadinle et al., JASA 2019.
//   answer       argmin over j of sum over k of w_k p_k cost(k, j); without costs and weights the most probable class
#pragma once

#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gcnh/base/matrix.h"
#include "gcnh/train/metrics.h"

namespace gcnh {

struct Decision {
  double temperature = 1;
  double level = 0.9;           // of sets, unless another one is asked for
  std::vector<Real> scores;     // 1 - p(true class) of the n nodes, ascending; empty: no sets
  Matrix costs;                 // (classes, classes), rows are true classes; empty: an error costs 1
  std::vector<double> weights;  // of the classes; empty: all 1

  bool has_sets() const { return !scores.empty(); }
};

// What decisions are to be good for.
struct Aims {
  double level = 0.9;
  Matrix costs;                  // as above
  std::optional<Metric> metric;  // of answers: the weights are those that are best by it; without, by the costs if any

  bool has_aim() const { return metric || !costs.empty(); }
};
// Metrics that depend on answers alone, so that weights can change them.
bool is_of_answers(Metric metric);

// log softmax(logp / temperature); the same bits for a temperature of 1.
Matrix calibrated(Matrix logp, double temperature);

// The log-probabilities of the mean of logits, of which log-probabilities are as good as the logits themselves: a row
// of them is less by one number, which the softmax takes away again. A single member's are its own.
Matrix joint_answers(std::vector<Matrix> members);
// The same where nodes have members of their own: sums (nodes, classes) of so many rows each.
Matrix mean_answers(std::span<const double> sums, std::span<const int> counts);

// q above: the largest 1 - p_k of a class that is in the sets. Above 1 where so few nodes cannot promise the level.
double set_bound(const Decision& decision, double level);
// The classes of the set of a row of calibrated log-probabilities, the most probable first; it may be empty.
std::vector<int> set_of(double bound, const Matrix& logp, Index row);
// The answer for a row of calibrated log-probabilities.
int decide(const Decision& decision, const Matrix& logp, Index row);

// From log-probabilities of nodes that the model was not trained on.
Decision fit_decision(const Matrix& logp, std::span<const int> labels, const Aims& aims);

// What a decision is worth on nodes that had no part in it either. NaN where it was not measured.
struct DecisionScores {
  static constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  double temperature = kNone;
  double ece_before = kNone, ece_after = kNone;  // without and with the temperature
  double level = kNone;
  double coverage = kNone, set_size = kNone;  // share of nodes whose set holds their class; classes per set
  std::string aim = {};                       // "cost" or the name of a metric; empty: none
  double before = kNone, after = kNone;       // its value for the most probable class, and for the decision
};
DecisionScores score_decision(const Decision& decision, const Matrix& logp, std::span<const int> labels,
                              const Aims& aims);
// Means of those, temperatures geometric.
DecisionScores mean_scores(std::span<const DecisionScores> scores);

// Throws a data error, behind `where`, for a decision that nothing here would have fitted.
void check_decision(const Decision& decision, std::size_t num_classes, const std::string& where);

}  // namespace gcnh
