// The sections of a run report. Runs on the same data under the same view that were chosen by the same metric form a
// group, which is compared within itself.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gcnh/report/run_report.h"
#include "gcnh/run/stored_run.h"
#include "gcnh/study/comparison.h"

namespace gcnh::report {

// A run of the report.
struct Run : StoredRun {
  std::string name;   // the model's, with more where that is not unique among the runs of a group
  std::string file;   // the name, safe in paths and anchors
  MeanStd val, test;  // of the group's metric over the splits
};

// All runs of the folders under the names of their models, floors last.
std::vector<Run> read_runs(const std::vector<std::filesystem::path>& folders);

struct Group {
  std::string graph;   // name of the data, with more where several graphs have it
  std::string data;    // the same with the view, and the metric where that differs among the runs on it
  std::string suffix;  // of anchors and file names; empty when there is one group
  std::vector<Run> runs;
  Metric metric = Metric::accuracy;  // that all runs chose by; accuracy where a split does not tell it

  // Chosen by validation, so that test scores of the winner stay honest.
  const Run& best() const;
};

std::vector<Group> group_runs(std::vector<Run> runs);

Section summary_section(const std::vector<Group>& groups);
Section overview_section(const std::vector<Group>& groups);  // models by data
Section data_section(const Group& group);
Section comparison_section(const Group& group);
Section search_section(const Group& group);
Section training_section(const Group& group);
Section quality_section(const Group& group);
Section probabilities_section(const Group& group);
Section surroundings_section(const Group& group);
Section map_section(const Group& group, std::size_t most);  // at most so many nodes
Section appendix_section(const std::vector<Group>& groups);

// Test values of two runs on the splits that both have, with the same test nodes.
struct Pairs {
  std::vector<int> splits;
  std::vector<double> differences;
  int better = 0, equal = 0, worse = 0;
};
Pairs pair_up(const Run& a, const Run& b, Metric metric);

// The tests of a group's runs, when all have the same splits with the same test nodes.
std::optional<Comparison> compare_runs(const Group& group);
// What they show, as a sentence; empty for a single run and for runs that cannot be paired.
std::string verdict(const Group& group);
// What else must be known, a sentence each.
std::vector<std::string> caveats(const Group& group);

// Every metric by run on the test or the validation nodes, the group's own first.
Table metrics_table(const Group& group, bool test);

// How many cells of a search diverged, behind a note; nothing where none did.
std::string diverged_note(std::ptrdiff_t cells);

std::string column_of(Metric metric);                              // ROC-AUC, %
double rounded(double value);                                      // six digits, more than a picture shows
std::string percent(double share);                                 // 86.31
std::string whole(double number);                                  // 54 614
std::string counted_whole(double number, const std::string& one);  // 54 614 nodes
std::string file_name(const std::string& text);  // safe in paths and anchors: letters, digits and dashes

}  // namespace gcnh::report
