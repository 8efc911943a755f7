// GCNH with the options that our own search over the stated grids chooses by validation.
#include <fmt/core.h>

#include <algorithm>

#include "gcnh/paper/chapters.h"
#include "gcnh/paper/published.h"

namespace gcnh {
namespace {

const std::vector<std::string> kHalved = {"film", "chameleon", "squirrel"};

}  // namespace

Chapter grid_chapter(Workbench& bench) {
  Chapter out{"grid", "GCNH chosen by our own search", {}, {}, {}, {}};
  out.text.push_back(
      "The stated grid; the highest mean validation accuracy chooses, and the test nodes are read for that cell alone. "
      "Every cell is trained on all ten splits, but for film, chameleon and squirrel, where that takes one to nine "
      "hours "
      "of a core: there all cells are trained on one split, the better half on two, and so on up to ten.");
  Table table{"grid",
              "Options chosen by validation, and the published ones",
              {"dataset", "cells", "chosen", "validation", "test", "paper", "published options, measured here"},
              {},
              "In parentheses the difference to the printed mean in its standard errors."};
  for (const std::string& data : bench.datasets) {
    Setup setup;
    setup.recipe = "paper";
    setup.view = "paper";
    const Experiment experiment = bench.prepare(setup, data);
    const bool halved = std::find(kHalved.begin(), kHalved.end(), data) != kHalved.end();
    const std::string method = halved ? "halving" : "grid";
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
    const std::vector<double> printed = published("accuracy", "gcnh", data);
    table.rows.push_back({data, std::to_string(chosen.cells.size()), cell_text(chosen.cells.front().options),
                          percent_cell(val_accuracies(chosen.winner)),
                          percent_cell(test) + " (" + signed_cell(se) + ")",
                          fmt::format("{:.2f} ± {:.2f}", printed[0], printed[1]),
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

}  // namespace gcnh
