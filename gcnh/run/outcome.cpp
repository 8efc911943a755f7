#include "gcnh/run/outcome.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "gcnh/base/error.h"

namespace gcnh {

const SplitOutcome& RunResult::best() const& {
  require(!splits.empty(), "a run without splits has no best one");
  return *std::min_element(splits.begin(), splits.end(), [](const SplitOutcome& a, const SplitOutcome& b) {
    const double x = merit(a.metric, a.best.score.metric), y = merit(b.metric, b.best.score.metric);
    return x != y ? x > y : a.best.score.loss < b.best.score.loss;
  });
}

SplitOutcome RunResult::best() && { return std::as_const(*this).best(); }

MeanStd mean_std(const std::vector<double>& values) {
  const double n = static_cast<double>(values.size());
  double sum = 0, squares = 0;
  for (double v : values) sum += v;
  for (double v : values) squares += (v - sum / n) * (v - sum / n);
  return {sum / n, std::sqrt(squares / n)};
}

std::string mean_std_text(Metric metric, const std::vector<double>& values) {
  const MeanStd m = mean_std(values);
  if (std::isnan(m.mean)) return value_text(metric, m.mean);
  return value_text(metric, m.mean) + " ± " + value_text(metric, m.std);
}

double val_value(const SplitOutcome& s, Metric metric) {
  if (metric == Metric::accuracy) return s.best.score.accuracy;
  if (s.best.epoch == 0) return worst_value(metric);
  return s.val ? (*s.val)[metric] : std::numeric_limits<double>::quiet_NaN();
}

double test_value(const SplitOutcome& s, Metric metric) {
  require(s.test_accuracy.has_value(), "the test nodes of split ", s.split, " were not read");
  if (metric == Metric::accuracy) return *s.test_accuracy;
  return s.test ? (*s.test)[metric] : std::numeric_limits<double>::quiet_NaN();
}

std::vector<double> val_values(std::span<const SplitOutcome> splits, Metric metric) {
  std::vector<double> out;
  for (const SplitOutcome& s : splits) out.push_back(val_value(s, metric));
  return out;
}

std::vector<double> test_values(std::span<const SplitOutcome> splits, Metric metric) {
  std::vector<double> out;
  for (const SplitOutcome& s : splits) out.push_back(test_value(s, metric));
  return out;
}

std::vector<double> val_accuracies(std::span<const SplitOutcome> splits) {
  return val_values(splits, Metric::accuracy);
}

std::vector<double> test_accuracies(std::span<const SplitOutcome> splits) {
  return test_values(splits, Metric::accuracy);
}

std::optional<DecisionScores> mean_decision(std::span<const SplitOutcome> splits) {
  std::vector<DecisionScores> all;
  for (const SplitOutcome& s : splits)
    if (s.decision) all.push_back(*s.decision);
  if (all.empty() || all.size() < splits.size()) return std::nullopt;
  return mean_scores(all);
}

Readings mean_readings(std::span<const SplitOutcome> splits) {
  Readings out;
  std::map<std::string, double> count;
  for (const SplitOutcome& s : splits)
    for (const auto& [name, values] : s.readings) ++count[name];
  for (const SplitOutcome& s : splits) {
    for (const auto& [name, values] : s.readings) {
      std::vector<double>& mean = out.try_emplace(name, values.size()).first->second;
      for (std::size_t i = 0; i < std::min(mean.size(), values.size()); ++i) mean[i] += values[i] / count[name];
    }
  }
  return out;
}

}  // namespace gcnh
