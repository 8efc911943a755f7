// Several models on the same splits: which one validation prefers, and how sure its lead on the test nodes is.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "gcnh/run/experiment.h"
#include "gcnh/run/outcome.h"
#include "gcnh/study/statistics.h"

namespace gcnh::study {

// A model with its outcomes, split by split, which somebody else owns.
struct Contender {
  std::string name = {};
  std::span<const SplitOutcome> splits = {};  // test nodes read
  double test_per_train = 0;  // test nodes / training nodes over all splits; validation nodes count as neither
  bool sees_graph = true;
  bool is_floor = false;                          // what models must beat (floors.h)
  std::vector<std::string> never_predicted = {};  // classes that test nodes have and no answer names: 'bot'
  std::vector<std::string> rarely_found = {};     // classes of which less than a tenth is found: 'bot' (2 of 220)
  bool weighs_classes = false;                    // in the loss
  bool has_aim = false;                           // of its answers: costs or a metric
};
// A class on the test nodes of all splits: its nodes, those that were said to be, and those that were found.
struct ClassCount {
  std::string name = {};
  double nodes = 0, answers = 0, found = 0;
};
void name_overlooked(std::span<const ClassCount> classes, Contender& out);
bool sees_graph(const std::string& model);  // also true of models that only another version knows
Contender contender(const Experiment& experiment, const RunResult& result);
Contender contender(const Experiment& experiment, const RunResult&& result) = delete;

// The metric on the test nodes, the first model's value minus the second's, paired by split.
struct PairedDifference {
  std::size_t first = 0;  // positions in the list of models
  std::size_t second = 0;
  MeanTest test = {};     // corrected resampled t-test, 95 % interval
  double p_holm = 1;      // its p adjusted for all models compared with the reference
  double p_wilcoxon = 1;  // not adjusted
};

struct Comparison {
  std::vector<std::string> models = {};
  Metric metric = Metric::accuracy;  // what is compared
  std::size_t reference = 0;  // chosen by the caller, or the best mean validation value, the first of equals: test
                              // nodes have no say in it, and floors only where there is nothing else
  std::size_t rival = 0;  // the best of the other models by validation: of those that see the graph where the reference
                          // does not, and the other way round, if there are any; then floors count that do not see it
  std::optional<std::size_t> floor = {};  // the best floor by validation, where there are models beside floors
  std::optional<std::size_t> blind = {};  // which of the two does not see the graph when the other does
  std::size_t pairs = 0;                  // splits
  double test_per_train = 0;
  std::vector<PairedDifference> others = {};  // reference minus each other model, in the order of the models. Holm's
                                              // adjustment is for the models; a floor is a question of its own

  // Fewer than five differences have a spread too uncertain to test.
  static constexpr std::size_t kFewestPairs = 5;
  bool has_test = true;  // off where the splits have no test nodes: then there are no differences either
  bool can_test() const { return has_test && pairs >= kFewestPairs; }
};
Comparison compare_models(std::span<const Contender> models, std::optional<std::size_t> reference = {},
                          Metric metric = Metric::accuracy);

// The difference that matters most: of reference and rival the one that sees the graph minus the one that does not, or
// the reference minus the rival.
PairedDifference main_difference(const Comparison& comparison);

// What a difference shows at the 5 % level; better is lower where the metric says so.
enum class Finding { no_test_nodes, too_few_splits, interval_contains_zero, lost_to_holm, better, worse };
Finding finding(const Comparison& comparison, const PairedDifference& difference);

// In words.
std::string interval_text(Metric metric, const Interval& interval);  // +1.43 to +6.09
std::string unit_text(Metric metric);                                // " points" of shares, else nothing
std::string p_text(double p);                                        // 0.0053, or <0.0001

// What the comparison shows, in one sentence with its evidence. With a model that does not see the
// graph among them: whether the graph helps. Else whether the best model by validation is better than the next one.
// Empty for a single model.
std::string verdict(const Comparison& comparison);
// What else must be known, a sentence each, where it is true: that no model beats a floor, that the graph hurts a model
// while the reference does without, that a best epoch was the last one allowed, that the reference never predicts a
// class, and that a single model has too few splits for a test.
std::vector<std::string> caveats(const Comparison& comparison, std::span<const Contender> models);

// A run of a comparison, with the JSON of the search that chose its options, if there was one (search_json).
struct ComparedRun {
  Experiment experiment = {};
  RunResult result = {};
  std::string search = {};
  std::string final = {};  // JSON of the final model, where one was made of it (final_json)
};

// The array of runs (run_json's objects), each with "floor" (whether it is one), "test_reads" (trainings whose test
// nodes were read) and "search" where there was one. The reference's has "verdict", a list of sentences, every other
// one "comparison":
//   reference                the model it is compared with
//   pairs, test_per_train    splits; test nodes per training node
//   metric                   its name
//   reference_minus_model    its values on the test nodes: mean, and low and high of the 95 % interval
//   p_corrected_t, p_holm, p_wilcoxon
// low, high and the p values are null below five splits.
std::string comparison_json(std::span<const ComparedRun> runs, const Comparison& comparison,
                            const std::vector<std::string>& sentences);

}  // namespace gcnh::study
