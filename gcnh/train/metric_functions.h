// What the metrics are computed from and by; metrics.h is for everybody else.
#pragma once

#include <cmath>
#include <optional>

#include "gcnh/train/metrics.h"

namespace gcnh {

inline constexpr double kNotDefined = std::numeric_limits<double>::quiet_NaN();
inline constexpr double kLeastProbability = std::numeric_limits<double>::epsilon();  // of the log-loss, as scikit-learn

inline double probability(const Matrix& logp, Index i, Index k) { return std::exp(static_cast<double>(logp(i, k))); }

// Nodes of a class, those said to be, and those that are both.
struct ClassCounts {
  double support = 0;
  double predicted = 0;
  double right = 0;
};

// Below the curves of a class against the rest.
struct ClassAreas {
  double roc = 0;
  double pr = 0;
};

// Answers with what several metrics need of them; what only some need is computed when it is first asked for.
class LabelledAnswers {
 public:
  LabelledAnswers(const Matrix& log_probabilities, std::span<const int> its_labels);

  const Matrix& logp;
  std::span<const int> labels;
  std::vector<ClassCounts> classes;
  std::vector<int> answers;  // of the nodes

  Index num_classes() const { return logp.cols(); }
  double num_nodes() const { return static_cast<double>(labels.size()); }
  std::span<const double> probabilities(Index node) const;
  const ClassAreas& areas(Index k) const;

 private:
  mutable std::vector<double> probabilities_;             // (nodes, classes)
  mutable std::vector<std::optional<ClassAreas>> areas_;  // by class
};

// Of what was answered: metrics_of_counts.cpp.
double precision(const ClassCounts& c);
double recall(const ClassCounts& c);
double f1(const ClassCounts& c);
double accuracy(const LabelledAnswers& a);
double balanced_accuracy(const LabelledAnswers& a);
double macro_f1(const LabelledAnswers& a);
double mcc(const LabelledAnswers& a);

// Of the order that the answers put the nodes in: metrics_of_ranks.cpp.
double roc_auc(const LabelledAnswers& a);
double pr_auc(const LabelledAnswers& a);

// Of the probabilities themselves: metrics_of_probabilities.cpp.
double log_loss(const LabelledAnswers& a);
double brier(const LabelledAnswers& a);
double ece(const LabelledAnswers& a);

}  // namespace gcnh
