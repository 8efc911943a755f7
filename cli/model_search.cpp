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
  study_.emplace(flags, out.empty() ? out : journal_in(out), how_to_resume(flags));
}

std::string ModelSearch::text() const {
  if (models_.empty()) return "";
  if (plan_.cells == 1) return "no search: all options are settled, or the graph is too large for the --budget";
  return fmt::format("search {} cells of each model, about {:.0f} s on {}", plan_.cells,
                     std::max(1.0, plan_.core_seconds / threads_), counted(threads_, "idle core"));
}

const Candidates& ModelSearch::candidates_of(const std::string& model) const {
  return *std::find_if(models_.begin(), models_.end(), [&](const Candidates& c) { return c.model == model; });
}

SearchResult ModelSearch::find(Study& study, const Experiment& e) const {
  return search(study, e, planned_grid(candidates_of(e.model), plan_), search_options(plan_, seed_));
}

std::vector<std::string> ModelSearch::open_options(const std::string& model) const {
  std::vector<std::string> out;
  if (!study_) return out;
  const Candidates& own = candidates_of(model);
  for (const GridAxis& axis : own.grid)
    if (!own.fixed.contains(axis.option)) out.push_back(axis.option);
  return out;
}

Experiment ModelSearch::choose(const Experiment& e) {
  chosen_.clear();
  json_.clear();
  if (!study_) return e;
  study_->expect(rounds_of(search_options(plan_, seed_), static_cast<std::size_t>(plan_.cells), e.splits.size()));
  const SearchResult found = study_->run("search " + e.model, [&](Study& study) { return find(study, e); });
  for (const GridAxis& axis : planned_grid(candidates_of(e.model), plan_))
    if (axis.values.size() > 1) chosen_[axis.option] = found.cells.front().options.at(axis.option);
  json_ = search_json(found, budget_);
  return found.winner;
}

Experiment ModelSearch::recall(const Experiment& e) {
  if (!study_) return e;
  try {
    return study_->run("", [&](Study& study) {
      Study known{study.journal, study.threads, {}, false};
      return find(known, e).winner;
    });
  } catch (const Error& error) {
    fail(Status::usage, "--resume: what is kept of ", e.model, " was not chosen by this search (", error.what(),
         "); give the --models, --budget and options of the first time, or --no-tune where there was no search, or "
         "take --force instead of --resume to begin anew");
  }
}

}  // namespace gcnh::cli
