// The parts of the chapter on decisions, which is not in the paper: what final models, sets, scaled probabilities,
// class weights and decisions are worth. GCNH with the options of its recipes, clean views, random splits of 48/32/20.
#pragma once

#include <string>
#include <vector>

#include "gcnh/paper/paper.h"
#include "gcnh/run/decision_scores.h"
#include "gcnh/run/run_folder.h"

namespace gcnh::paper {

constexpr const char* kRare = "rare";  // stands among the graphs for the generated one
constexpr double kLevel = 0.9;         // of sets

// GCNH with its recipe for these data, where it has one, on random splits.
Experiment decisions_experiment(Workbench& bench, Tables tables, OptionValues options = {});

// Decisions need the networks, which no journal has: every training of the chapter is kept in a run folder of its own,
// OUT/decisions/NAME, from which the study goes on.
RunFolder kept_in(const Workbench& bench, const std::string& name);
RunResult trained(Workbench& bench, const Experiment& e, RunFolder& folder);

// Of every split: decisions for these aims, fitted on its validation nodes and measured on its test nodes.
std::vector<DecisionScores> score_splits(const Experiment& e, const RunResult& result, const Aims& aims);

// Answers for nodes that the networks answering were not trained on, as they are and scaled. The nodes of one small
// split are too few for the fifteen bins of ECE; those of several are put one under the other.
class PooledAnswers {
 public:
  void add(const Matrix& logp, double temperature, const std::vector<Index>& nodes, const std::vector<int>& labels);
  bool is_better_scaled() const { return measured(Metric::ece, after_) < measured(Metric::ece, before_); }

  // ECE and Brier score, behind what a table has.
  static void add_columns(Table& table);
  void add_cells(std::vector<std::string>& row) const;

 private:
  Matrix pooled(const std::vector<Real>& logp) const;
  double measured(Metric metric, const std::vector<Real>& logp) const { return measure(metric, pooled(logp), labels_); }
  double ece_by_chance() const;

  std::vector<Real> before_, after_;
  std::vector<Index> nodes_;
  std::vector<int> labels_;
};

// Each adds its table and its claims, for those of its graphs that are wanted.
void add_finals(Workbench& bench, Chapter& out);    // final models on labels that were blanked: the paper's graphs
void add_coverage(Workbench& bench, Chapter& out);  // sets and temperatures: all graphs
void add_rare(Workbench& bench, Chapter& out);      // class weights and decisions for a class of 4 %

}  // namespace gcnh::paper
