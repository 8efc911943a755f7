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

std::vector<double> mean_class_coverage(std::span<const DecisionScores> scores) {
  const std::size_t classes = scores[0].class_coverage.size();
  std::vector<double> out(classes, 0), count(classes, 0);
  for (const DecisionScores& s : scores) {
    if (s.class_coverage.size() != classes) return {};
    for (std::size_t k = 0; k < classes; ++k) {
      if (std::isnan(s.class_coverage[k])) continue;
      out[k] += s.class_coverage[k];
      ++count[k];
    }
  }
  for (std::size_t k = 0; k < classes; ++k) out[k] = count[k] > 0 ? out[k] / count[k] : DecisionScores::kNone;
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
  std::vector<double> covered(static_cast<std::size_t>(own.cols()), 0), of_class = covered;
  for (Index i = 0; i < own.rows(); ++i) {
    double size = 0, holds_label = 0;
    for (Index k = 0; k < own.cols(); ++k) {
      const bool is_in = is_in_set(bound, own, i, k);
      size += is_in;
      holds_label += is_in && k == labels[i];
    }
    out.coverage += holds_label / nodes;
    out.set_size += size / nodes;
    covered[static_cast<std::size_t>(labels[i])] += holds_label;
    ++of_class[static_cast<std::size_t>(labels[i])];
  }
  for (std::size_t k = 0; k < covered.size(); ++k)
    out.class_coverage.push_back(of_class[k] > 0 ? covered[k] / of_class[k] : DecisionScores::kNone);
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
       {&DecisionScores::ece_before, &DecisionScores::ece_after, &DecisionScores::coverage, &DecisionScores::set_size,
        &DecisionScores::before, &DecisionScores::after})
    out.*field = mean(field);
  out.level = scores[0].level;
  out.aim = scores[0].aim;
  out.class_coverage = mean_class_coverage(scores);
  return out;
}

}  // namespace gcnh
