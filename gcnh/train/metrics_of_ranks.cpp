// Metrics of the order that the answers put the nodes in: areas below curves.
#include <algorithm>
#include <functional>

#include "gcnh/train/metric_functions.h"

namespace gcnh {
namespace {

// Nodes of equal score for a class: how many are of the class, and how many are not.
struct Tie {
  double positives = 0;
  double negatives = 0;
};

// The most probable first.
std::vector<Tie> ranked(const LabelledAnswers& a, Index k) {
  std::vector<std::pair<double, bool>> nodes;
  for (Index i = 0; i < a.logp.rows(); ++i) nodes.emplace_back(rank_score(a.logp, i, k), a.labels[i] == k);
  std::sort(nodes.begin(), nodes.end(), std::greater());
  std::vector<Tie> out;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (i == 0 || nodes[i].first != nodes[i - 1].first) out.emplace_back();
    ++(nodes[i].second ? out.back().positives : out.back().negatives);
  }
  return out;
}

// Share of the pairs of a node of the class and another one in which the first is the more probable; ties count half.
double roc_auc_of(const std::vector<Tie>& ties) {
  double positives = 0, negatives = 0, pairs = 0;
  for (const Tie& tie : ties) {
    pairs += tie.negatives * (positives + tie.positives / 2);
    positives += tie.positives;
    negatives += tie.negatives;
  }
  return positives > 0 && negatives > 0 ? pairs / (positives * negatives) : kNotDefined;
}

// Average precision: sum of precision x gain in recall over the thresholds.
double pr_auc_of(const std::vector<Tie>& ties) {
  double positives = 0, nodes = 0, sum = 0;
  for (const Tie& tie : ties) {
    positives += tie.positives;
    nodes += tie.positives + tie.negatives;
    sum += tie.positives * positives / nodes;
  }
  return positives > 0 && positives < nodes ? sum / positives : kNotDefined;
}

// Of two classes the rarer one's area; else the mean of each against the rest, over those that are defined.
double one_against_rest(const LabelledAnswers& a, double (*area)(const std::vector<Tie>&)) {
  if (a.num_classes() == 2) return area(ranked(a, rarer_class(a.labels)));
  double sum = 0, classes = 0;
  for (Index k = 0; k < a.num_classes(); ++k) {
    const double value = area(ranked(a, k));
    if (std::isnan(value)) continue;
    sum += value;
    ++classes;
  }
  return classes > 0 ? sum / classes : kNotDefined;
}

}  // namespace

double class_roc_auc(const LabelledAnswers& a, Index k) { return roc_auc_of(ranked(a, k)); }
double roc_auc(const LabelledAnswers& a) { return one_against_rest(a, roc_auc_of); }
double pr_auc(const LabelledAnswers& a) { return one_against_rest(a, pr_auc_of); }

double rank_score(const Matrix& logp, Index node, Index k) {
  if (logp.cols() != 2) return probability(logp, node, k);
  return static_cast<double>(logp(node, k)) - static_cast<double>(logp(node, 1 - k));
}

Index rarer_class(std::span<const int> labels) {
  return 2 * std::count(labels.begin(), labels.end(), 1) > std::ssize(labels) ? 0 : 1;
}

}  // namespace gcnh
