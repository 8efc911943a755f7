// The final model of a run: whether one is wanted, made with progress, and told; and what decisions are worth.
#pragma once

#include <optional>
#include <string>

#include "cli/experiment.h"

namespace gcnh::cli {

// --final, or `otherwise` where it was not given. Throws where there is no --out to keep the model in.
FinalChoice final_choice(const RunFlags& flags, FinalChoice otherwise);

// A run that is continued without a final model must not leave that of its earlier splits beside it, nor remove it
// without a word.
void check_final_kept(const RunFlags& flags, const std::vector<std::filesystem::path>& folders, FinalChoice choice);

// Makes it with a progress bar; none where none is wanted. The result holds the weights.
std::optional<FinalModel> make_final(const RunFlags& flags, const Experiment& experiment, const RunResult& result,
                                     FinalChoice choice);

// What it is and how it was chosen, in lines.
std::string describe_final(const FinalModel& final, const std::string& file);

// How far probabilities, sets and decisions of the splits' models held on the test nodes, in lines; empty where nothing
// was measured.
std::string describe_decision(std::span<const SplitOutcome> splits);

// Why sets are empty where answers are right more often than the level says, with one to ask for; else nothing.
std::string level_note(const Decision& decision);
// By what a model answers that has costs or weights of classes: of two classes from which probability on.
std::string rule_text(const Decision& decision, const std::vector<std::string>& classes);

// In a sentence each, which sets the splits lack and what that means.
std::string describe_missing_sets(const Experiment& experiment);

}  // namespace gcnh::cli
