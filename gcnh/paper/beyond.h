// The study of GCNH carried on: the lines of its tables, what a search of each finds, and what is made of it.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "gcnh/paper/paper.h"

namespace gcnh::paper {

// A row of the tables: a model and the grid of its recipe in which it is searched.
struct Line {
  std::string name, model, grid;
};

// What the search of a line on a graph found. Every cell is trained on every split, and the test nodes are read twice:
// for the cell with the best mean validation value over the splits, as is usual, and on each split for the cell that
// is best on its own validation nodes, which no other split has a say in (nested).
struct Chosen {
  Setup setup;                         // the cell with the best mean: to be prepared on the graph, or on a part of it
  OptionValues cell;                   // what was searched of it, `direction` and `scale` included
  std::vector<SplitOutcome> by_mean;   // its splits
  std::vector<SplitOutcome> by_split;  // each with a cell of its own
  Metric metric = Metric::accuracy;
  int cells = 0;
  double core_seconds = 0;  // of the search
};
Chosen search_line(Workbench& bench, const Line& line, const std::string& data);

// By line and graph; what was not measured is not there.
using ChosenCells = std::map<std::string, std::map<std::string, Chosen>>;

// From the paper's GCNH with the size and the training of what was found to that, one ingredient after the other.
Table ablation_table(Workbench& bench, const std::map<std::string, Chosen>& by_data);

// How much of the graphs is looked up: accuracy on test nodes that point to the same nodes as some training node, and
// on the others.
Table leak_table(Workbench& bench, const ChosenCells& finds);

// What was found as a recipe of the model's file: [NAME.data.DATA].
std::string recipe_text(const std::string& name, const std::map<std::string, Chosen>& by_data);

}  // namespace gcnh::paper
