// What a search over options found: the winner, the cells by every option that was varied, the best cells.
#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <set>
#include <tuple>

#include "gcnh/report/sections.h"

namespace gcnh::report {
namespace {

constexpr std::size_t kShownTrials = 30;

// Values of an option in the order of the numbers they are, words after numbers.
std::vector<std::string> values_of(const std::vector<Cell>& cells, const std::string& option) {
  std::set<std::string> found;
  for (const Cell& cell : cells) found.insert(cell.options.at(option));
  std::vector<std::string> out(found.begin(), found.end());
  const auto key = [](const std::string& text) {
    char* end = nullptr;
    const double number = std::strtod(text.c_str(), &end);
    return std::tuple(*end != '\0', *end != '\0' ? 0.0 : number, text);
  };
  std::sort(out.begin(), out.end(), [&](const std::string& a, const std::string& b) { return key(a) < key(b); });
  return out;
}

std::string validation_column(Metric metric) {
  return "validation " + title_of(metric) + (is_share(metric) ? ", %" : "");
}

// Every cell by its value of one option; the best cell of each value stands out. Cells are in the order of their rank.
Chart slice(const Experiment& e, const std::vector<Cell>& cells, const std::string& option) {
  Chart out{ChartKind::dots,
            "slice-" + e.model + "-" + option,
            "Validation " + title_of(e.train.metric) + " by " + option,
            {option, values_of(cells, option)},
            {validation_column(e.train.metric), {}, false, is_share(e.train.metric)},
            {{"best cell, ± population std over splits", {}}, {"every cell", {}}}};
  for (std::size_t v = 0; v < out.x.categories.size(); ++v) {
    bool first = true;
    for (const Cell& cell : cells) {
      if (cell.diverged > 0 || cell.options.at(option) != out.x.categories[v]) continue;
      const MeanStd m = mean_std(cell.val_values);
      const double place = static_cast<double>(v);
      if (first) out.series[0].points.push_back(mean_point(place, m, e.train.metric));
      out.series[1].points.push_back(labelled(place, m.mean, cell_text(cell.options)));
      first = false;
    }
  }
  return out;
}

Table best_cells(const Experiment& e, const std::vector<Cell>& cells) {
  Table out{"cells-" + e.model, "The best cells", {"rank"}, {}, ""};
  for (const auto& [name, value] : cells.front().options) out.columns.push_back(name);
  out.columns.insert(out.columns.end(), {validation_column(e.train.metric), "splits"});
  for (std::size_t i = 0; i < std::min(kShownTrials, cells.size()); ++i) {
    out.rows.push_back({std::to_string(i + 1)});
    for (const auto& [name, value] : cells[i].options) out.rows.back().push_back(value);
    out.rows.back().push_back(cell_value_text(e.train.metric, cells[i]));
    out.rows.back().push_back(std::to_string(cells[i].val_values.size()));
  }
  out.note = fmt::format("{} of {}. Mean ± population standard deviation over the splits.",
                         std::min(kShownTrials, cells.size()), counted(std::ssize(cells), "cell")) +
             diverged_note(std::count_if(cells.begin(), cells.end(), [](const Cell& c) { return c.diverged > 0; }));
  return out;
}

}  // namespace

Section tune_section(const Experiment& experiment, const TuneResult& result) {
  const std::string& model = experiment.model;
  const Metric metric = experiment.train.metric;
  Section out{"tuning-" + model, "Choosing the options of " + model};
  const std::size_t most = result.cells.front().val_values.size();
  const bool dropped = std::any_of(result.cells.begin(), result.cells.end(),
                                   [&](const Cell& cell) { return cell.val_values.size() < most; });
  out.paragraphs.push_back(
      "The cell with the " + std::string(higher_is_better(metric) ? "highest" : "lowest") + " mean validation " +
      title_of(metric) + " over the splits wins" +
      (dropped ? ", of those that were trained on most splits; the others were dropped on the way and rank below"
               : "") +
      ". Test nodes were read for the winner alone.");
  out.figures = {{"Best cell by validation", mean_std_text(metric, val_values(result.winner, metric)),
                  "validation " + title_of(metric) + (is_share(metric) ? ", percent" : "")},
                 {"Its test " + title_of(metric), mean_std_text(metric, test_values(result.winner, metric)),
                  std::string(is_share(metric) ? "percent; " : "") + "mean ± population std, " +
                      counted(std::ssize(result.winner), "split")},
                 {"Cells", std::to_string(result.cells.size()), cell_text(result.cells.front().options)}};
  for (const auto& [option, value] : result.cells.front().options)
    if (values_of(result.cells, option).size() > 1) out.charts.push_back(slice(experiment, result.cells, option));
  out.tables = {best_cells(experiment, result.cells)};
  return out;
}

}  // namespace gcnh::report
