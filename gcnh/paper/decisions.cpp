#include "gcnh/paper/decisions.h"

#include <utility>

namespace gcnh::paper {

// Some graphs are too young for the paper, and have no recipe.
Setup decisions_setup(const std::string& data) {
  const bool has_recipe = data != "minesweeper" && !data.ends_with("-filtered") && data != kRare;
  return {.model = "gcnh", .recipe = has_recipe ? "paper" : ""};
}

Tables without_splits(Tables tables) {
  tables.splits.clear();
  return tables;
}

Chapter decisions_chapter(Workbench& bench) {
  Chapter out{"decisions", "What final models, sets, probabilities and decisions are worth"};
  out.text = {"GCNH with the options of its recipes, clean views, random splits of 48/32/20. Not in the paper."};
  add_finals(bench, out);
  add_coverage(bench, out);
  add_rare(bench, out);
  return out;
}

}  // namespace gcnh::paper
