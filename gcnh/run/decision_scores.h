// What decisions are worth: calibration error, coverage of sets, and the value of what they aim at.
#pragma once

#include <limits>
#include <span>
#include <string>
#include <vector>

#include "gcnh/run/decision.h"

namespace gcnh {

// What a decision is worth on nodes that had no part in it either. NaN where it was not measured.
struct DecisionScores {
  static constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  double temperature = kNone;
  double ece_before = kNone, ece_after = kNone;  // without and with the temperature
  double level = kNone;
  double coverage = kNone, set_size = kNone;  // share of nodes whose set holds their class; classes per set
  std::string aim = {};                       // "cost" or the name of a metric; empty: none
  double before = kNone, after = kNone;       // its value for the most probable class, and for the decision
  std::vector<double> class_coverage = {};    // of the nodes of each class; NaN where there are none
};
DecisionScores score_decision(const Decision& decision, const Matrix& logp, std::span<const int> labels,
                              const Aims& aims);
// Means of those, all of one level and aim, temperatures geometric; of a class over those that have nodes of it.
DecisionScores mean_scores(std::span<const DecisionScores> scores);

}  // namespace gcnh
