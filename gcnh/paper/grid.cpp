// GCNH with the options that our own search over the stated grids chooses by validation.
#include <fmt/core.h>

#include "gcnh/paper/paper.h"
#include "gcnh/paper/published.h"

namespace gcnh::paper {
namespace {

// Above this every cell on every split takes one to nine hours of a core.
constexpr Index kNodesToHalve = 1000;

}  // namespace

Chapter grid_chapter(Workbench& bench) {
  Chapter out{"grid", "GCNH chosen by our own search"};
  out.text.push_back(fmt::format(
      "The paper's grid (grid.paper in recipes/gcnh.toml); the highest mean validation accuracy chooses, and the test "
      "nodes are read for that cell alone. On the three small graphs every cell is trained on {0}. On the others that "
      "takes one to nine core hours: there all cells are trained on one split, the better half on two, and so on until "
      "one is left or {0} are reached.",
      bench.splits_text()));
  Table table{"grid",
              "Options chosen by validation, and the published ones",
              {"dataset", "cells", "chosen", "validation", "test", "paper", "published options, measured here"},
              {},
              bench.cells_text() + "; in parentheses the difference to the printed mean in its standard errors."};
  for (const std::string& data : bench.datasets) {
    const Setup setup{.view = "paper", .recipe = "paper"};
    const Experiment experiment = bench.prepare(setup, data);
    const Method method = experiment.dataset->num_nodes() > kNodesToHalve ? Method::halving : Method::grid;
    const auto found =
        bench.if_possible([&] { return bench.choose(experiment, find_grid("paper", "gcnh", data), method); });
    if (!found) {
      table.rows.emplace_back(table.columns.size(), kNotMeasured);
      table.rows.back().front() = data;
      continue;
    }
    const TuneResult& chosen = *found;
    const std::vector<double> test = test_accuracies(chosen.winner);
    const double se = distance("accuracy", "gcnh", data, mean_percent(test)).value();
    table.rows.push_back({data, std::to_string(chosen.cells.size()), cell_text(chosen.cells.front().options),
                          percent_cell(val_accuracies(chosen.winner)),
                          percent_cell(test) + " (" + signed_cell(se) + ")", printed_accuracy("gcnh", data),
                          percent_cell(test_accuracies(bench.measure(setup, data)))});
    const bool near = is_near("accuracy", "gcnh", data, mean_percent(test));
    if (!near && !bench.quick()) out.text.push_back(outside_text("gcnh", data, se, explanation("grid", data)));
    out.checks.push_back({fmt::format("our search finds options within two standard errors of the paper on {} ({})",
                                      data, signed_cell(se)),
                          near});
  }
  out.tables.push_back(table);
  return out;
}

}  // namespace gcnh::paper
