// How good answers are: nine metrics of log-probabilities (nodes, classes) against labels, and what a single class
// gets. All are computed in double from p = exp(log-probability); where scikit-learn has a metric of that name, the two
// are equal, ties included. Equations and when to use which: docs/metrics.md.
#pragma once

#include <array>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "gcnh/base/matrix.h"
#include "gcnh/base/options.h"

namespace gcnh {

enum class Metric { accuracy, balanced_accuracy, macro_f1, mcc, roc_auc, pr_auc, log_loss, brier, ece };
inline constexpr std::size_t kNumMetrics = 9;
Words words_of(Metric metric);
const std::array<Metric, kNumMetrics>& all_metrics();

std::string title_of(Metric metric);        // for people: ROC-AUC
bool higher_is_better(Metric metric);       // else lower
bool is_share(Metric metric);               // shown in percent and points; else as it is
bool needs_two_classes(Metric metric);      // not defined for nodes of a single class: NaN, which JSON writes as null
double worst_value(Metric metric);          // of answers that are wrong on every node and sure of it
double merit(Metric metric, double value);  // the higher the better, whatever the metric; of NaN the least

// As tables show them: 74.51 and +5.14 of shares, 0.514 and +0.012 of others; a dash where the value is not defined.
std::string value_text(Metric metric, double value);
std::string difference_text(Metric metric, double difference);
std::string percent_sign(Metric metric);  // " %" of shares, else nothing

// The value of every metric; NaN where it is not defined.
class Measures {
 public:
  Measures() { values_.fill(std::numeric_limits<double>::quiet_NaN()); }
  double operator[](Metric metric) const { return values_[static_cast<std::size_t>(metric)]; }
  double& operator[](Metric metric) { return values_[static_cast<std::size_t>(metric)]; }

 private:
  std::array<double, kNumMetrics> values_;
};

double measure(Metric metric, const Matrix& logp, std::span<const int> labels);
Measures measure(const Matrix& logp, std::span<const int> labels);

// What the areas rank nodes by: of two classes the log-odds of k, which tell apart what rounds to a probability of 1,
// else the probability of k.
double rank_score(const Matrix& logp, Index node, Index k);
// Of two classes the areas are those of the rarer one among the labels, of equals the second.
Index rarer_class(std::span<const int> labels);

// One class against the rest. Precision, recall and F1 that would divide by 0 are 0, as in scikit-learn.
struct ClassMeasures {
  Index support = 0;    // nodes of the class
  Index predicted = 0;  // nodes that were said to be
  double precision = 0;
  double recall = 0;
  double f1 = 0;
  double roc_auc = 0;  // NaN where all nodes are of the class, or none
};

// The values of all metrics, and what every class gets.
struct AllMeasures {
  Measures overall = {};
  std::vector<ClassMeasures> classes = {};
};
AllMeasures measure_all(const Matrix& logp, std::span<const int> labels);

// Nodes by the probability of their answer, in bins of equal width, upper ends included.
struct CalibrationBin {
  double nodes = 0;
  double confidence = 0;  // sum of the probabilities
  double right = 0;
};
std::vector<CalibrationBin> calibration(const Matrix& logp, std::span<const int> labels);

// confusion(...)[k][j]: nodes of class k that were said to be of class j.
std::vector<std::vector<Index>> confusion(const Matrix& logp, std::span<const int> labels);

}  // namespace gcnh
