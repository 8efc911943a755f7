// Chooses between configurations by their mean validation value of the metric over the splits. The test nodes are read
// once, for the winner.
#pragma once

#include <string>
#include <vector>

#include "gcnh/run/recipe.h"
#include "gcnh/study/trials.h"

namespace gcnh::study {

enum class Method { grid, random, halving };
inline Words words_of(Method) {
  return {
      {"grid", "every cell"}, {"random", "some cells"}, {"halving", "all cells on one split, the better ones on more"}};
}

struct TuneOptions {
  Method method = Method::grid;
  int trials = 0;
  int keep = 2;
  std::uint64_t seed = 1;
  bool try_own = false;  // the experiment's own values of the axes are one of the cells, drawn or not

  void check() const;  // fails on values outside of their range

  void visit(auto&& f) {
    f("method", method, "");
    f("trials", trials, "at most this many cells, drawn at random where the grid has more",
      at_least(0, "0 tries every cell"));
    f("keep", keep, "halving: one cell in this many goes on to the next round, on as many times the splits",
      at_least(2));
  }
};

// A cell of the grid and what it reached. Halving drops cells until one is left or the splits are used up, so cells may
// have fewer splits than the winner is scored on.
struct Cell {
  OptionValues options = {};
  std::vector<double> val_accuracies = {};
  double val_accuracy = 0;              // mean
  double val_loss = 0;                  // mean, decides between equals; infinite where a training diverged
  std::vector<double> val_values = {};  // of the metric that chooses
  double val_value = 0;                 // mean
  int diverged = 0;                     // trainings, which count as wrong on every node
};

// Whether the first cell is the better one: by its number of splits, the mean value of the metric, the mean loss.
bool is_better(Metric metric, const Cell& a, const Cell& b);

struct SearchResult {
  std::vector<Cell> cells = {};  // best first
  Experiment winner = {};        // with the options of the best cell; it may read the test nodes
  int trainings = 0;             // single splits that were trained
  int test_reads = 0;  // of these, whose test nodes were read: none, unless the journal knew them from elsewhere
  double seconds = 0;  // that they took, side by side or not
};

struct TuneResult {
  std::vector<Cell> cells = {};           // best first
  std::vector<SplitOutcome> winner = {};  // the splits of the best cell, test accuracies included
  OptionValues winner_options = {};       // every option
};

// The number of combinations of the axes. Throws a usage error where it is beyond counting.
std::uint64_t num_cells(const Grid& grid);
// The combinations by number, from 0; the last axis is the fastest.
OptionValues cell_at(const Grid& grid, std::uint64_t number);
// All of them.
std::vector<OptionValues> cells_of(const Grid& grid);

// How many cells a search of a grid with so many tries when it is asked for `trials` (0: all). Throws a usage error for
// more than a search can hold.
int num_trials(std::uint64_t cells, int trials);

// The grid with one value where an option has a settled one.
Grid fix_axes(Grid grid, const OptionValues& fixed);

// So many cells are trained on so many splits, those of the round before included.
struct Round {
  std::size_t cells = 0;
  std::size_t splits = 0;
};
std::vector<Round> rounds_of(const TuneOptions& options, std::size_t cells, std::size_t splits);

// The axis `epochs` costs nothing: a cell is trained to the largest number and looked at after each. The test nodes are
// not read.
SearchResult search(Study& study, const Experiment& experiment, const Grid& grid, const TuneOptions& options);
// The same, and the winner is scored on all splits.
TuneResult tune(Study& study, const Experiment& experiment, const Grid& grid, const TuneOptions& options);

std::string cell_text(const OptionValues& options);  // hidden 16, layers 2
// 84.32 ± 5.74 of the metric, or diverged
std::string cell_value_text(Metric metric, const Cell& cell);

// What a search tried and chose, for tools and reports.
std::string search_json(const SearchResult& result, double budget_seconds);
// All cells and the winner, for tools; the winner as a recipe of its own (--recipe FILE.toml).
std::string tune_json(const Experiment& experiment, const TuneResult& result);
std::string tune_toml(const Experiment& experiment, const TuneResult& result);

}  // namespace gcnh::study
