// Options, outcomes and runs as JSON, for source files that write or read it.
#pragma once

#include <nlohmann/json.hpp>

#include "gcnh/run/experiment.h"
#include "gcnh/run/outcome.h"

namespace gcnh {

// What the same training always gives: the outcome without its seconds and what journals do not keep.
nlohmann::ordered_json outcome_json(const SplitOutcome& outcome);

// Reads it back, with the seconds where they stand beside it. Readings may stand among the other keys, as result.json
// had them first.
SplitOutcome outcome_from(const nlohmann::ordered_json& j);

// A whole run, as run_json prints it (gcnh/run/run_json.h).
nlohmann::ordered_json run_object(const Experiment& experiment, const RunResult& result,
                                  const std::string& command = "");

nlohmann::ordered_json mean_std_json(const std::vector<double>& values);

// NaN as null, which is what a file would hold, so that two of them are equal.
nlohmann::ordered_json number_json(double value);

// Values by the name of the metric; null where one is not defined. Names that this version does not know are passed
// over.
nlohmann::ordered_json measures_json(const Measures& measures);
Measures measures_from(const nlohmann::ordered_json& j);
// Adds `val` and `test`: by name mean and std over the splits. What a split lacks is left out.
void add_measures(std::span<const SplitOutcome> splits, nlohmann::ordered_json& to);

// What decisions are worth; absent or null is not measured.
nlohmann::ordered_json decision_json(const DecisionScores& scores);
DecisionScores decision_from(const nlohmann::ordered_json& j);

// Options: numbers as numbers, words as words.
nlohmann::ordered_json option_json(const std::string& text);
nlohmann::ordered_json options_json(const OptionValues& options);

}  // namespace gcnh
