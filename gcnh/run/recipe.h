// Recipes are data: TOML files in recipes/, built into the library, that hold published values per model and dataset.
#pragma once

#include <string>
#include <vector>

#include "gcnh/base/embedded.h"
#include "gcnh/base/options.h"
#include "gcnh/graph/dataset.h"

namespace gcnh {

// The files of recipes/: MODEL.toml, default.toml, which holds for all, and published.toml, what the paper prints.
const EmbeddedFiles& recipe_files();

// Options of `recipe` (for example "paper", or FILE.toml with a table [options]) for a model on a dataset; `scale` and
// `direction`, which are the experiment's, may be among them. Throws a usage error naming what exists.
OptionValues recipe_options(const std::string& recipe, const std::string& model, const std::string& dataset);

// Values to try, by option; every combination is a cell.
struct GridAxis {
  std::string option = {};
  std::vector<std::string> values = {};
};
using Grid = std::vector<GridAxis>;

// The grid of this name in the model's recipe file or else in the one for all, [grid.NAME], with what
// [grid.NAME.data.DATASET] changes; or, when the name ends in .toml, a file of the user's with the same two tables on
// top.
Grid find_grid(const std::string& name, const std::string& model, const std::string& dataset);

// What the recipe's own code did to the graph. Datasets the recipe does not name take its general view.
View recipe_view(const std::string& recipe, const std::string& model, const std::string& dataset);

}  // namespace gcnh
