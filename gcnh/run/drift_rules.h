// What the rules of drift look at, for the source files that have them; drift.h is for everybody else.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "gcnh/run/drift.h"

namespace gcnh {

inline constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();
inline constexpr const char* kNotListed = "the run does not list all of its nodes";
inline constexpr std::size_t kFewestScored = 100;  // nodes that shares and scores are judged by; fewer are noise
inline constexpr std::size_t kFewestPlaced = 20;   // the same for where nodes stand in the graph
inline constexpr std::size_t kFewestOfClass = 10;  // nodes of a class, where a rule is about each of them

// Today's data beside that of training.
struct DriftData {
  const TrainedModel& model;
  const StoredRun& run;
  const Dataset& now;
  const Matrix& logp;             // of all its nodes
  std::vector<Index> fresh = {};  // as in Drift
  std::vector<bool> is_fresh = {};
  bool knows_fresh = false;
  std::vector<Index> unknown = {};   // nodes of classes that the model does not know, ascending
  std::vector<Index> labelled = {};  // fresh ones of classes that it knows; none where nothing tells which are fresh
};

inline double share(double part, double of) { return of > 0 ? part / of : kNoNumber; }
double labels_then(const DriftData& x);                   // labelled nodes of training
std::vector<double> training_shares(const DriftData& x);  // of the classes among them
// "3 new labels; judged from 100 on", or nothing where there are as many.
std::string too_few(std::size_t count, const std::string& what, std::size_t fewest);
// The rule; where a number is missing it cannot be judged.
DriftRule judged(DriftRule rule);

std::vector<DriftRule> table_rules(const DriftData& x);  // new-nodes, new-classes, more-labels, unseen-values
std::vector<DriftRule> graph_rules(const DriftData& x);  // degrees, isolated, homophily
std::vector<DriftRule> class_rules(const DriftData& x);  // class-shares
// accuracy, calibration; of models that were chosen by another metric or decide by costs also metric, cost
std::vector<DriftRule> score_rules(const DriftData& x);

}  // namespace gcnh
