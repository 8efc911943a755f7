// The main table as measured, and what is made of it: tables of its shape, another view, tests.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "gcnh/paper/paper.h"

namespace gcnh::paper {

// By model and dataset; empty: not measured.
using Cells = std::map<std::string, std::map<std::string, std::vector<SplitOutcome>>>;

// Every model of the bench on every dataset, with the options of the recipe `paper`.
Cells measure_cells(Workbench& bench, const std::string& view);

// A row per model and a column per dataset; `text` says what stands in a cell.
using CellText = std::function<std::string(const std::string& model, const std::string& data)>;
Table model_table(const std::vector<std::string>& models, const std::vector<std::string>& datasets,
                  const std::string& name, const std::string& title, const CellText& text, const std::string& note);

// The table on one clean graph for all, beside the views of the models' own code. `own` may be empty: then the gains
// are not shown.
Table clean_table(const Workbench& bench, const Cells& clean, const Cells& own);
// Which cells owe most to how the graph is read; empty where none changes much.
std::string view_text(const Workbench& bench, const Cells& clean, const Cells& own);

// A form of GCNH against every other model, split by split.
struct PairedTests {
  Table differences;  // the reference minus each other model, with intervals of the corrected resampled t-test
  Table wilcoxon;     // p values of the signed ranks
  int better = 0, worse = 0, pairs = 0;
};
// The reference, gcnh or a name that begins with it, against the others of the names, all of which the cells hold. With
// Holm's adjustment over the models of a dataset. The tables are called TABLE-tests and TABLE-wilcoxon.
PairedTests paired_tests(Workbench& bench, const Cells& cells, const std::vector<std::string>& names,
                         const std::string& reference, const std::string& table);

}  // namespace gcnh::paper
