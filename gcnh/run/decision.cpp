#include "gcnh/run/decision.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "gcnh/base/error.h"
#include "gcnh/train/stepper.h"

namespace gcnh {
namespace {

constexpr double kLeastTemperature = 0.1, kMostTemperature = 10;
// A few nodes that are all right would ask for endless confidence. As much evidence as this many nodes give says 1.
constexpr double kPriorNodes = 2;
constexpr int kGridSteps = 20;  // to either side of 1
constexpr double kGolden = 0.6180339887498949;
constexpr int kGoldenSteps = 20;

// Weights are searched among exp(i / 10) for i = -40..40, one class after the other, twice around.
constexpr int kWeightSteps = 40, kWeightRounds = 2;
constexpr double kWeightStep = 0.1;

double probability(const Matrix& logp, Index i, Index k) { return std::exp(static_cast<double>(logp(i, k))); }

// What sets are made by, in the precision in which it is kept.
Real set_score(const Matrix& logp, Index i, Index k) { return static_cast<Real>(1 - probability(logp, i, k)); }

// row <- log softmax(row / t)
void log_softmax(double t, std::span<Real> row) {
  const double largest = *std::max_element(row.begin(), row.end());
  double sum = 0;
  for (Real value : row) sum += std::exp((value - largest) / t);
  const double shift = std::log(sum);
  for (Real& value : row) value = static_cast<Real>((value - largest) / t - shift);
}

// Sum over the nodes and classes of (p - [label])^2, p = softmax(logp / t): the Brier score times the nodes.
double squared_error(const Matrix& logp, std::span<const int> labels, double t) {
  double sum = 0;
  std::vector<Real> row(static_cast<std::size_t>(logp.cols()));
  for (Index i = 0; i < logp.rows(); ++i) {
    std::copy_n(logp.row(i), row.size(), row.begin());
    log_softmax(t, row);
    for (std::size_t k = 0; k < row.size(); ++k) {
      const double p = std::exp(static_cast<double>(row[k]));
      sum += std::pow(p - (std::cmp_equal(k, labels[i]) ? 1 : 0), 2);
    }
  }
  return sum;
}

// The best of a coarse grid of logarithms, then by golden section between its neighbours.
double fit_temperature(const Matrix& logp, std::span<const int> labels) {
  const auto loss = [&](double log_t) {
    return squared_error(logp, labels, std::exp(log_t)) + kPriorNodes / 2 * log_t * log_t;
  };
  const double width = std::log(kMostTemperature) / kGridSteps;
  double best = 0, least = loss(0);
  for (int i = -kGridSteps; i <= kGridSteps; ++i) {
    const double now = i == 0 ? least : loss(i * width);
    if (now >= least) continue;
    least = now;
    best = i * width;
  }
  double low = best - width, high = best + width;
  double a = high - kGolden * (high - low), b = low + kGolden * (high - low);
  double at_a = loss(a), at_b = loss(b);
  for (int step = 0; step < kGoldenSteps; ++step) {
    if (at_a <= at_b) {
      high = std::exchange(b, a);
      at_b = at_a;
      a = high - kGolden * (high - low);
      at_a = loss(a);
    } else {
      low = std::exchange(a, b);
      at_a = at_b;
      b = low + kGolden * (high - low);
      at_b = loss(b);
    }
  }
  return std::clamp(std::exp((low + high) / 2), kLeastTemperature, kMostTemperature);
}

double mean_cost(const Matrix& costs, std::span<const int> answers, std::span<const int> labels) {
  double sum = 0;
  for (std::size_t i = 0; i < labels.size(); ++i) sum += static_cast<double>(costs(labels[i], answers[i]));
  return sum / static_cast<double>(labels.size());
}

// argmin over j of sum over k of w_k p_k cost(k, j), the first of equals
int cheapest(const Decision& d, std::span<const double> p) {
  int best = 0;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t j = 0; j < p.size(); ++j) {
    double cost = 0;
    for (std::size_t k = 0; k < p.size(); ++k) {
      const double unit = d.costs.empty() ? (k == j ? 0.0 : 1.0)
                                          : static_cast<double>(d.costs(static_cast<Index>(k), static_cast<Index>(j)));
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

std::vector<int> answers_of(const Decision& decision, const Matrix& logp) {
  std::vector<int> out;
  for (Index i = 0; i < logp.rows(); ++i) out.push_back(decide(decision, logp, i));
  return out;
}

// The value of the aim for these answers: a metric, or the mean cost.
double aim_value(const Aims& aims, std::span<const int> answers, std::span<const int> labels, Index num_classes) {
  if (!aims.metric) return mean_cost(aims.costs, answers, labels);
  Matrix sure(static_cast<Index>(answers.size()), num_classes, -1);
  for (Index i = 0; i < sure.rows(); ++i) sure(i, answers[i]) = 0;
  return measure(*aims.metric, sure, labels);
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

Matrix calibrated(Matrix logp, double temperature) {
  if (temperature != 1)
    for (Index i = 0; i < logp.rows(); ++i)
      log_softmax(temperature, {logp.row(i), static_cast<std::size_t>(logp.cols())});
  return logp;
}

Matrix mean_answers(std::span<const double> sums, std::span<const int> counts) {
  const std::size_t classes = sums.size() / counts.size();
  Matrix out(static_cast<Index>(counts.size()), static_cast<Index>(classes));
  for (std::size_t i = 0; i < counts.size(); ++i) {
    Real* row = out.row(static_cast<Index>(i));
    for (std::size_t k = 0; k < classes; ++k) row[k] = static_cast<Real>(sums[i * classes + k] / counts[i]);
    log_softmax(1, {row, classes});
  }
  return out;
}

Matrix joint_answers(std::vector<Matrix> members) {
  if (members.size() == 1 || members[0].empty()) return std::move(members[0]);
  std::vector<double> sums(members[0].size(), 0);
  for (const Matrix& m : members)
    for (std::size_t at = 0; at < sums.size(); ++at) sums[at] += m.values()[at];
  return mean_answers(sums,
                      std::vector<int>(static_cast<std::size_t>(members[0].rows()), static_cast<int>(members.size())));
}

double set_bound(const Decision& decision, double level) {
  const double n = static_cast<double>(decision.scores.size());
  const double rank = std::ceil((n + 1) * level - 1e-9);  // 0.9 is not exact in binary
  if (rank > n) return 2;
  return decision.scores[static_cast<std::size_t>(std::max(1.0, rank)) - 1];
}

std::vector<int> set_of(double bound, const Matrix& logp, Index row) {
  std::vector<int> out;
  for (Index k = 0; k < logp.cols(); ++k)
    if (set_score(logp, row, k) <= bound) out.push_back(static_cast<int>(k));
  std::stable_sort(out.begin(), out.end(), [&](int a, int b) { return logp(row, a) > logp(row, b); });
  return out;
}

int decide(const Decision& d, const Matrix& logp, Index row) {
  return d.costs.empty() && d.weights.empty() ? argmax(logp, row) : cheapest(d, probabilities(logp, row));
}

Decision fit_decision(const Matrix& logp, std::span<const int> labels, const Aims& aims) {
  Decision out;
  out.level = aims.level;
  out.temperature = fit_temperature(logp, labels);
  const Matrix own = calibrated(logp, out.temperature);
  for (Index i = 0; i < own.rows(); ++i) out.scores.push_back(set_score(own, i, labels[i]));
  std::sort(out.scores.begin(), out.scores.end());
  out.costs = aims.costs;
  if (aims.has_aim()) out.weights = fit_weights(out, own, labels, aims);
  return out;
}

DecisionScores score_decision(const Decision& decision, const Matrix& logp, std::span<const int> labels,
                              const Aims& aims) {
  const Matrix own = calibrated(logp, decision.temperature);
  DecisionScores out;
  out.temperature = decision.temperature;
  out.ece_before = measure(Metric::ece, logp, labels);
  out.ece_after = measure(Metric::ece, own, labels);
  out.level = decision.level;
  const double bound = set_bound(decision, decision.level), nodes = static_cast<double>(labels.size());
  out.coverage = out.set_size = 0;
  for (Index i = 0; i < own.rows(); ++i) {
    const std::vector<int> set = set_of(bound, own, i);
    out.coverage += static_cast<double>(std::count(set.begin(), set.end(), labels[i])) / nodes;
    out.set_size += static_cast<double>(set.size()) / nodes;
  }
  if (!aims.has_aim()) return out;
  out.aim = aims.metric ? to_word(*aims.metric) : "cost";
  out.before = aim_value(aims, answers_of({}, own), labels, own.cols());
  out.after = aim_value(aims, answers_of(decision, own), labels, own.cols());
  return out;
}

DecisionScores mean_scores(std::span<const DecisionScores> scores) {
  DecisionScores out;
  if (scores.empty()) return out;
  const auto mean = [&](double DecisionScores::*field) {
    const auto add = [&](double sum, const DecisionScores& s) { return sum + s.*field; };
    return std::accumulate(scores.begin(), scores.end(), 0.0, add) / static_cast<double>(scores.size());
  };
  double logs = 0;
  for (const DecisionScores& s : scores) logs += std::log(s.temperature) / static_cast<double>(scores.size());
  out.temperature = std::exp(logs);
  for (double DecisionScores::*field :
       {&DecisionScores::ece_before, &DecisionScores::ece_after, &DecisionScores::level, &DecisionScores::coverage,
        &DecisionScores::set_size, &DecisionScores::before, &DecisionScores::after})
    out.*field = mean(field);
  out.aim = scores[0].aim;
  return out;
}

void check_decision(const Decision& d, std::size_t num_classes, const std::string& where) {
  require(d.temperature >= kLeastTemperature / 2 && d.temperature <= 2 * kMostTemperature, where, ": temperature ",
          d.temperature, " is outside ", kLeastTemperature, "..", kMostTemperature);
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
