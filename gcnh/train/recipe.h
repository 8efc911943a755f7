// Recipes are data: TOML files in recipes/, built into the library, that hold published values per model and dataset.
#pragma once

#include <string>
#include <vector>

#include "gcnh/base/options.h"
#include "gcnh/graph/dataset.h"

namespace gcnh {

struct RecipeFile {
  std::string model;
  std::string text;
};

// The files of recipes/, one per model (generated at build time).
const std::vector<RecipeFile>& recipe_files();

// Options of `recipe` (for example "paper") for a model on a dataset. Throws a usage error naming what exists.
OptionValues recipe_options(const std::string& recipe, const std::string& model, const std::string& dataset);

// What the recipe's own code did to the graph. Datasets the recipe does not name take its general view.
View recipe_view(const std::string& recipe, const std::string& model, const std::string& dataset);

}  // namespace gcnh
