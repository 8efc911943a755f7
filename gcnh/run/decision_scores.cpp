#include "gcnh/run/decision_scores.h"

#include <cmath>
#include <numeric>

#include "gcnh/run/calibration.h"

namespace gcnh {
namespace {

std::vector<int> answers_of(const Decision& decision, const Matrix& logp) {
  std::vector<int> out;
  for (Index i = 0; i < logp.rows(); ++i) out.push_back(decide(decision, logp, i));
  return out;
}

}  // namespace

DecisionScores score_decision(const Decision& decision, const Matrix& logp, std::span<const int> labels,
                              const Aims& aims) {
  const Matrix own = calibrated(logp, decision.temperature);
  DecisionScores out;
  out.temperature = decision.temperature;
  out.ece_before = measure(Metric::ece, logp, labels);
  out.ece_after = decision.temperature == 1 ? out.ece_before : measure(Metric::ece, own, labels);
  out.level = decision.level;
  const double bound = set_bound(decision, decision.level), nodes = static_cast<double>(labels.size());
  out.coverage = out.set_size = 0;
  for (Index i = 0; i < own.rows(); ++i) {
    double size = 0, holds_label = 0;
    for (Index k = 0; k < own.cols(); ++k) {
      const bool is_in = is_in_set(bound, own, i, k);
      size += is_in;
      holds_label += is_in && k == labels[i];
    }
    out.coverage += holds_label / nodes;
    out.set_size += size / nodes;
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

}  // namespace gcnh
