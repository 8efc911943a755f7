#include "gcnh/run/decision.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "gcnh/base/error.h"
#include "gcnh/run/calibration.h"
#include "gcnh/train/metric_functions.h"
#include "gcnh/train/stepper.h"

namespace gcnh {
namespace {

// Weights are searched among exp(i / 10) for i = -40..40, one class after the other, twice around.
constexpr int kWeightSteps = 40, kWeightRounds = 2;
constexpr double kWeightStep = 0.1;
// Of scores, which the order of additions may change.
constexpr double kRounding = 1e-6;
constexpr double kLevels[] = {0.95, 0.98, 0.99, 0.995, 0.999};  // that are suggested
// Temperatures that files may have: twice as far as they are fitted.
constexpr double kLeastKept = kLeastTemperature / 2, kMostKept = 2 * kMostTemperature;

// What sets are made by, in the precision in which it is kept.
Real set_score(const Matrix& logp, Index i, Index k) { return static_cast<Real>(1 - probability(logp, i, k)); }

double mean_cost(const Matrix& costs, std::span<const int> answers, std::span<const int> labels) {
  double sum = 0;
  for (std::size_t i = 0; i < labels.size(); ++i) sum += static_cast<double>(costs(labels[i], answers[i]));
  return sum / static_cast<double>(labels.size());
}

double unit_cost(const Decision& d, Index truth, Index answer) {
  return d.costs.empty() ? (truth == answer ? 0.0 : 1.0) : static_cast<double>(d.costs(truth, answer));
}

// argmin over j of sum over k of w_k p_k cost(k, j), the first of equals
int cheapest(const Decision& d, std::span<const double> p) {
  int best = 0;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t j = 0; j < p.size(); ++j) {
    double cost = 0;
    for (std::size_t k = 0; k < p.size(); ++k) {
      const double unit = unit_cost(d, static_cast<Index>(k), static_cast<Index>(j));
      cost += (d.weights.empty() ? 1.0 : d.weights[k]) * p[k] * unit;
    }
    if (cost >= least) continue;
    least = cost;
    best = static_cast<int>(j);
  }
  return best;
}

std::vector<double> probabilities(const Matrix& logp, Index row) {
  std::vector<double> out;
  for (Index k = 0; k < logp.cols(); ++k) out.push_back(probability(logp, row, k));
  return out;
}

// Class by class the weight with the best value of the aim; 1 where nothing is better, the nearest to it among equals.
std::vector<double> fit_weights(Decision decision, const Matrix& logp, std::span<const int> labels, const Aims& aims) {
  std::vector<std::vector<double>> nodes;
  for (Index i = 0; i < logp.rows(); ++i) nodes.push_back(probabilities(logp, i));
  std::vector<int> answers(nodes.size());
  const auto goodness = [&] {
    for (std::size_t i = 0; i < nodes.size(); ++i) answers[i] = cheapest(decision, nodes[i]);
    const double value = aim_value(aims, answers, labels, logp.cols());
    return aims.metric ? merit(*aims.metric, value) : -value;
  };
  decision.weights.assign(static_cast<std::size_t>(logp.cols()), 1);
  double best = goodness();
  for (int round = 0; round < kWeightRounds; ++round) {
    for (double& weight : decision.weights) {
      double kept = weight;
      for (int i = 1; i <= 2 * kWeightSteps; ++i) {  // 1, -1, 2, -2, ... steps
        weight = std::exp(kWeightStep * (i % 2 == 1 ? (i + 1) / 2 : -i / 2));
        const double now = goodness();
        if (now <= best) continue;
        best = now;
        kept = weight;
      }
      weight = kept;
    }
  }
  return decision.weights;
}

}  // namespace

bool is_of_answers(Metric metric) {
  return metric == Metric::accuracy || metric == Metric::balanced_accuracy || metric == Metric::macro_f1 ||
         metric == Metric::mcc;
}

double aim_value(const Aims& aims, std::span<const int> answers, std::span<const int> labels, Index num_classes) {
  if (!aims.metric) return mean_cost(aims.costs, answers, labels);
  Matrix sure(static_cast<Index>(answers.size()), num_classes, -1);
  for (Index i = 0; i < sure.rows(); ++i) sure(i, answers[i]) = 0;
  return measure(*aims.metric, sure, labels);
}

double set_bound(const Decision& decision, double level) {
  const double n = static_cast<double>(decision.scores.size());
  const double rank = std::ceil((n + 1) * level - 1e-9);  // 0.9 is not exact in binary
  if (rank > n) return 2;
  return decision.scores[static_cast<std::size_t>(std::max(1.0, rank)) - 1];
}

bool is_in_set(double bound, const Matrix& logp, Index row, Index k) {
  return set_score(logp, row, k) <= bound + kRounding;
}

std::vector<int> set_of(double bound, const Matrix& logp, Index row) {
  std::vector<int> out;
  for (Index k = 0; k < logp.cols(); ++k)
    if (is_in_set(bound, logp, row, k)) out.push_back(static_cast<int>(k));
  std::stable_sort(out.begin(), out.end(), [&](int a, int b) { return logp(row, a) > logp(row, b); });
  return out;
}

int decide(const Decision& d, const Matrix& logp, Index row) {
  return d.has_rule() ? cheapest(d, probabilities(logp, row)) : argmax(logp, row);
}

std::optional<double> threshold(const Decision& d) {
  const auto weight = [&](std::size_t k) { return d.weights.empty() ? 1.0 : d.weights[k]; };
  const double for_first = weight(0) * (unit_cost(d, 0, 1) - unit_cost(d, 0, 0));
  const double for_second = weight(1) * (unit_cost(d, 1, 0) - unit_cost(d, 1, 1));
  if (for_first <= 0 || for_second <= 0) return std::nullopt;
  return for_first / (for_first + for_second);
}

double share_of_sure(const Decision& d) {
  const auto sure = std::lower_bound(d.scores.begin(), d.scores.end(), Real(0.5)) - d.scores.begin();
  return d.scores.empty() ? 0 : static_cast<double>(sure) / static_cast<double>(d.scores.size());
}

std::optional<double> level_above(double share, std::size_t nodes) {
  const double n = static_cast<double>(nodes);
  for (double level : kLevels)
    if (level > share && (n + 1) * level <= n) return level;
  return std::nullopt;
}

Decision fit_decision(const Matrix& logp, std::span<const int> labels, const Aims& aims, Judges judges) {
  Decision out;
  out.level = aims.level;
  out.temperature = judges == Judges::rehearsed ? temperature_by_error(logp, labels) : fit_temperature(logp, labels);
  const Matrix own = calibrated(logp, out.temperature);
  for (Index i = 0; i < own.rows(); ++i) out.scores.push_back(set_score(own, i, labels[i]));
  std::sort(out.scores.begin(), out.scores.end());
  out.costs = aims.costs;
  if (aims.has_aim()) out.weights = fit_weights(out, own, labels, aims);
  return out;
}

void check_decision(const Decision& d, std::size_t num_classes, const std::string& where) {
  require(d.temperature >= kLeastKept && d.temperature <= kMostKept, where, ": temperature ", d.temperature,
          " is outside ", kLeastKept, "..", kMostKept);
  require(d.level > 0 && d.level < 1, where, ": level ", d.level, " is not between 0 and 1");
  require(std::is_sorted(d.scores.begin(), d.scores.end()) &&
              (d.scores.empty() || (d.scores.front() >= 0 && d.scores.back() <= 1)),
          where, ": scores that are not ascending shares");
  const auto is_size = [&](Index size) { return std::cmp_equal(size, num_classes); };
  require(d.costs.empty() || (is_size(d.costs.rows()) && is_size(d.costs.cols())), where, ": costs of ", d.costs.rows(),
          " x ", d.costs.cols(), " classes, the model has ", num_classes);
  for (Real cost : d.costs.values()) require(std::isfinite(cost), where, ": a cost of ", cost);
  require(d.weights.empty() || d.weights.size() == num_classes, where, ": weights of ", d.weights.size(),
          " classes, the model has ", num_classes);
  for (double w : d.weights) require(std::isfinite(w) && w > 0, where, ": a weight of ", w, "; weights are above 0");
}

}  // namespace gcnh
