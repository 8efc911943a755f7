// Metrics of the order that the answers put the nodes in: areas below curves.
#include <algorithm>
#include <functional>

#include "gcnh/train/metric_functions.h"

namespace gcnh {
namespace {

// How many of the scores, in descending order, are above this one. Which half to take is not guessed by branches, which
// would be wrong every other time.
std::size_t count_above(std::span<const double> scores, double score) {
  const double* first = scores.data();
  std::size_t size = scores.size();
  for (; size > 1; size -= size / 2) first += size / 2 * static_cast<std::size_t>(first[size / 2 - 1] > score);
  return static_cast<std::size_t>(first - scores.data()) + (*first > score);
}

// Scores of the nodes of a class and of the others to areas:
//   roc  share of the pairs of a node of the class and another one in which the first is the more probable; ties count
//        half
//   pr   average precision: sum of precision x gain in recall over the thresholds
// Only the nodes of the class are sorted; of the others it is enough to know how many of these are above them.
ClassAreas areas_below(std::vector<double> of_class, std::span<const double> of_others) {
  if (of_class.empty() || of_others.empty()) return {kNotDefined, kNotDefined};
  std::sort(of_class.begin(), of_class.end(), std::greater());
  std::vector<double> others(of_class.size() + 1), ties(of_class.size() + 1);  // below so many; and equal to the next
  for (double score : of_others) {
    const std::size_t above = count_above(of_class, score);
    ++others[above];
    ties[above] += above < of_class.size() && of_class[above] == score;
  }
  const auto positives = static_cast<double>(of_class.size()), negatives = static_cast<double>(of_others.size());
  double pairs = others.back() * positives, precisions = 0, negatives_before = 0;
  for (std::size_t i = 0, end = 0; i < of_class.size(); i = end) {
    while (end < of_class.size() && !(of_class[end] < of_class[i])) ++end;
    const auto before = static_cast<double>(i), taken = static_cast<double>(end);
    pairs += others[i] * before + ties[i] * (taken - before) / 2;
    negatives_before += others[i];
    precisions += (taken - before) * taken / (taken + negatives_before);
  }
  return {pairs / (positives * negatives), precisions / positives};
}

// Of two classes the rarer one's area; else the mean of each against the rest, over those that are defined.
double one_against_rest(const LabelledAnswers& a, double ClassAreas::*area) {
  if (a.num_classes() == 2) return a.areas(rarer_class(a.labels)).*area;
  double sum = 0, classes = 0;
  for (Index k = 0; k < a.num_classes(); ++k) {
    const double value = a.areas(k).*area;
    if (std::isnan(value)) continue;
    sum += value;
    ++classes;
  }
  return classes > 0 ? sum / classes : kNotDefined;
}

}  // namespace

const ClassAreas& LabelledAnswers::areas(Index k) const {
  if (areas_[k]) return *areas_[k];
  std::vector<double> of_class, of_others;
  for (Index i = 0; i < logp.rows(); ++i)
    (labels[i] == k ? of_class : of_others)
        .push_back(num_classes() == 2 ? rank_score(logp, i, k) : probabilities(i)[k]);
  return areas_[k].emplace(areas_below(std::move(of_class), of_others));
}

double roc_auc(const LabelledAnswers& a) { return one_against_rest(a, &ClassAreas::roc); }
double pr_auc(const LabelledAnswers& a) { return one_against_rest(a, &ClassAreas::pr); }

double rank_score(const Matrix& logp, Index node, Index k) {
  if (logp.cols() != 2) return probability(logp, node, k);
  return static_cast<double>(logp(node, k)) - static_cast<double>(logp(node, 1 - k));
}

Index rarer_class(std::span<const int> labels) {
  return 2 * std::count(labels.begin(), labels.end(), 1) > std::ssize(labels) ? 0 : 1;
}

}  // namespace gcnh
