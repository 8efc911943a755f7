#include "cli/model_search.h"

#include <fmt/core.h>

#include <algorithm>

namespace gcnh::cli {

Candidates candidates_for(const RunFlags& flags, const std::string& model, const std::string& data) {
  OptionValues fixed = flags.options.values();
  if (!flags.setup.recipe.empty()) fixed.merge(recipe_options(flags.setup.recipe, model, data));
  return find_candidates(model, data, fixed);
}

ModelSearch::ModelSearch(const RunFlags& flags, std::vector<Candidates> models, const Experiment& any,
                         double budget_seconds)
    : budget_(budget_seconds), models_(std::move(models)), threads_(any.threads), seed_(any.seed) {
  if (models_.empty()) return;
  plan_ = plan_search(*any.dataset, any.splits.size(), models_, budget_);
  if (plan_.cells == 1) return;
  const std::filesystem::path out = flags.out;
  study_.emplace(flags, out.empty() ? out : out / "journal.jsonl", how_to_resume(flags));
}

std::string ModelSearch::text() const {
  if (models_.empty()) return "";
  if (plan_.cells == 1) return "no search: all options are settled, or the graph is too large for the --budget";
  return fmt::format("search {} cells of each model, about {:.0f} s", plan_.cells,
                     std::max(1.0, plan_.core_seconds / threads_));
}

Experiment ModelSearch::choose(const Experiment& e) {
  chosen_.clear();
  json_.clear();
  if (!study_) return e;
  const auto own =
      std::find_if(models_.begin(), models_.end(), [&](const Candidates& c) { return c.model == e.model; });
  const Grid grid = planned_grid(*own, plan_);
  const TuneOptions options = search_options(plan_, seed_);
  study_->expect(rounds_of(options, static_cast<std::size_t>(plan_.cells), e.splits.size()));
  const SearchResult found =
      study_->run("search " + e.model, [&](Study& study) { return search(study, e, grid, options); });
  for (const GridAxis& axis : grid)
    if (axis.values.size() > 1) chosen_[axis.option] = found.cells.front().options.at(axis.option);
  json_ = search_json(found, budget_);
  return found.winner;
}

}  // namespace gcnh::cli
