// What a search leaves behind: all cells as JSON, the best one as a recipe.
#include <fmt/core.h>

#include "gcnh/models/model.h"
#include "gcnh/run/outcome_json.h"
#include "gcnh/study/tune.h"

namespace gcnh::study {
namespace {

using json = nlohmann::ordered_json;

json cells_json(const std::vector<Cell>& cells) {
  json out = json::array();
  for (const Cell& cell : cells)
    out.push_back({{"options", options_json(cell.options)},
                   {"val_accuracy", mean_std_json(cell.val_accuracies)},
                   {"val_loss", cell.diverged > 0 ? json() : json(cell.val_loss)},
                   {"diverged", cell.diverged},
                   {"val_metric", mean_std_json(cell.val_values)},
                   {"splits", cell.val_accuracies}});
  return out;
}

}  // namespace

std::string cell_text(const OptionValues& options) {
  std::string out;
  for (const auto& [name, value] : options) out += (out.empty() ? "" : ", ") + name + " " + value;
  return out;
}

std::string cell_value_text(Metric metric, const Cell& cell) {
  return cell.diverged > 0 ? "diverged" : mean_std_text(metric, cell.val_values);
}

std::string search_json(const SearchResult& result, double budget_seconds) {
  const json out = {{"model", result.winner.model},
                    {"metric", to_word(result.winner.train.metric)},
                    {"budget_seconds", budget_seconds},
                    {"trainings", result.trainings},
                    {"seconds", result.seconds},
                    {"test_reads", result.test_reads},
                    {"chosen", options_json(result.cells.front().options)},
                    {"cells", cells_json(result.cells)}};
  return out.dump(2) + "\n";
}

std::string tune_json(const Experiment& experiment, const TuneResult& result) {
  json out = {{"model", experiment.model},
              {"data", {{"name", experiment.dataset->name}, {"view", experiment.view_name}}},
              {"seed", experiment.seed},
              {"metric", to_word(experiment.train.metric)},
              {"best",
               {{"options", options_json(result.winner_options)},
                {"val_accuracy", mean_std_json(val_accuracies(result.winner))},
                {"test_accuracy", mean_std_json(test_accuracies(result.winner))},
                {"test_accuracies", test_accuracies(result.winner)}}},
              {"cells", cells_json(result.cells)}};
  add_measures(result.winner, out["best"]);
  return out.dump(2) + "\n";
}

std::string tune_toml(const Experiment& experiment, const TuneResult& result) {
  const Metric metric = experiment.train.metric;
  std::string out = fmt::format(
      "# {} on {} ({} view): the best of {} by mean validation {}, {} over {}, seed {}.\n"
      "model = {}\n\n"
      "[options]\n",
      experiment.model, experiment.dataset->name, experiment.view_name, counted(std::ssize(result.cells), "cell"),
      title_of(metric), value_text(metric, mean_std(val_values(result.winner, metric)).mean) + percent_sign(metric),
      counted(std::ssize(result.winner), "split"), experiment.seed, option_json(experiment.model).dump());
  if (find_model_type(experiment.model).reads_direction && experiment.view.direction != View::Direction::both)
    out += "direction = " + option_json(to_word(experiment.view.direction)).dump() + "\n";
  for (const auto& [name, value] : result.winner_options) out += name + " = " + option_json(value).dump() + "\n";
  return out;
}

}  // namespace gcnh::study
