// How large a search may be. It follows from the graph, the models and their grids alone, by a nominal speed, so that
// the same command tries the same cells on every machine.
#pragma once

#include <string>
#include <vector>

#include "gcnh/graph/dataset.h"
#include "gcnh/study/tune.h"

namespace gcnh::study {

// A model with the values that a search of it may try, and those that are settled.
struct Candidates {
  std::string model = {};
  Grid grid = {};
  OptionValues fixed = {};
};
// The grid `search` of the model's recipe; axes that are settled have one value.
Candidates find_candidates(const std::string& model, const std::string& dataset, const OptionValues& fixed);

struct SearchPlan {
  int cells = 1;            // of every model; 1: no search
  int epochs = 0;           // that each is trained to
  int trainings = 0;        // of single splits, of every model
  double core_seconds = 0;  // of all models together, at the nominal speed
};

// As many cells as the slowest model can try in so many seconds on two cores, at most so many and at most as many as
// the smallest grid has. Epochs are the most of the axis `epochs` with which kFewestCells fit, else the fewest.
inline constexpr int kMostCells = 32, kFewestCells = 8;
SearchPlan plan_search(const Dataset& dataset, std::size_t splits, const std::vector<Candidates>& models,
                       double budget_seconds, int most_cells = kMostCells);

// How the cells of a plan are tried, with a grid that is trained to the plan's epochs.
TuneOptions search_options(const SearchPlan& plan, std::uint64_t seed);
Grid planned_grid(const Candidates& model, const SearchPlan& plan);

// One epoch of the model on one core, nominally.
double nominal_seconds(const Dataset& dataset, const std::string& model, const OptionValues& options);

}  // namespace gcnh::study
