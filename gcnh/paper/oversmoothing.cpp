// Accuracy against depth on the citation graphs.
#include <fmt/core.h>

#include <algorithm>

#include "gcnh/paper/paper.h"

namespace gcnh::paper {
namespace {

std::vector<int> depths(bool quick) { return quick ? std::vector<int>{1, 2, 4} : std::vector<int>{1, 2, 4, 8, 16, 32}; }

// Halving over the splits: deep networks are dear, and most cells lose early.
std::optional<TuneResult> search(Workbench& bench, const std::string& model, const std::string& data, int depth) {
  const Setup setup{
      .model = model, .recipe = model == "gcnh" ? "paper" : "gcnh", .options = {{"layers", std::to_string(depth)}}};
  const Experiment experiment = bench.prepare(setup, data);
  const Grid grid = find_grid("oversmoothing", model, data);
  return bench.if_possible([&] { return bench.choose(experiment, grid, Method::halving); });
}

// The points of a model's line; a row of the table for each.
Series over_depth(Workbench& bench, const std::string& model, const std::string& data, Table& table) {
  Series out{model, {}};
  for (int depth : depths(bench.quick())) {
    table.rows.push_back({data, model, std::to_string(depth), kNotMeasured, kNotMeasured, kNotMeasured});
    const std::optional<TuneResult> found = search(bench, model, data, depth);
    if (!found) continue;
    const std::vector<double> test = test_accuracies(found->winner);
    out.points.push_back(mean_point(depth, mean_std(test), 100));
    std::vector<std::string>& row = table.rows.back();
    row[3] = cell_text(found->cells.front().options);
    row[4] = percent_cell(val_accuracies(found->winner));
    row[5] = percent_cell(test);
  }
  return out;
}

// What is lost between two depths, if both were measured.
std::optional<double> drop(const Series& series, double from, double to) {
  const auto at = [&](double depth) {
    return std::find_if(series.points.begin(), series.points.end(), [&](const ChartPoint& p) { return p.x == depth; });
  };
  if (at(from) == series.points.end() || at(to) == series.points.end()) return {};
  return at(from)->y - at(to)->y;
}

// The largest measured depth up to which no more than ten points are lost against two layers.
std::optional<double> steady_until(const Series& series) {
  std::optional<double> out;
  for (const ChartPoint& p : series.points) {
    if (p.x < 2) continue;
    const std::optional<double> lost = drop(series, 2, p.x);
    if (!lost || *lost > 10) break;
    out = p.x;
  }
  return out;
}

}  // namespace

Chapter oversmoothing_chapter(Workbench& bench) {
  Chapter out{"oversmoothing", "Accuracy against depth"};
  out.text.push_back(
      "GCNH and GCN with 1 to 32 layers, both on the clean graph. For every depth the best cell of the paper's grid "
      "(grid.oversmoothing in recipes/) by validation accuracy, found by halving: all cells on one split, the better "
      "half on two, and so on until one is left. The paper says that GCNH's accuracy decreases just slightly "
      "with its layers.");
  Table table{"oversmoothing",
              "The cell chosen at every depth",
              {"dataset", "model", "layers", "chosen", "validation", "test"},
              {},
              bench.cells_text() + "."};
  for (const std::string& data : bench.among({"cora", "citeseer"})) {
    const Series gcnh = over_depth(bench, "gcnh", data, table), gcn = over_depth(bench, "gcn", data, table);
    if (gcnh.points.empty() || gcn.points.empty()) continue;
    Chart chart{ChartKind::lines,     "oversmoothing-" + data,    "Test accuracy over depth on " + data,
                {"layers", {}, true}, {"test accuracy, percent"}, {gcnh, gcn}};
    for (int depth : depths(bench.quick())) chart.x.ticks.push_back(depth);
    chart.note = "Mean over " + bench.splits_text() + "; the band is one population standard deviation.";
    out.charts.push_back(chart);
    if (const std::optional<double> depth = steady_until(gcnh))
      out.text.push_back(
          fmt::format("On {} GCNH stays within ten points of its two layers up to {} layers.", data, *depth));
    for (int depth : {8, 16}) {
      const std::optional<double> ours = drop(gcnh, 2, depth), theirs = drop(gcn, 2, depth);
      if (!ours || !theirs) continue;
      out.checks.push_back({fmt::format("{}: from 2 to {} layers GCNH loses less than GCN ({:.1f} and {:.1f} points)",
                                        data, depth, *ours, *theirs),
                            *ours < *theirs});
    }
  }
  out.tables.push_back(table);
  return out;
}

}  // namespace gcnh::paper
