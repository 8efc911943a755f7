// The main table as measured, and the tables of its shape.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "gcnh/paper/paper.h"

namespace gcnh {

using Cells = std::map<std::string, std::map<std::string, std::vector<SplitOutcome>>>;  // model, dataset; none: not measured

// Every model of the bench on every dataset, with the options of the recipe `paper`.
Cells measure_cells(Workbench& bench, const std::string& view);

// A row per model and a column per dataset; `text` says what stands in a cell.
using CellText = std::function<std::string(const std::string& model, const std::string& data)>;
Table model_table(const std::vector<std::string>& models, const std::vector<std::string>& datasets,
                  const std::string& name, const std::string& title, const CellText& text);

}  // namespace gcnh
