// Accuracy against depth on the citation graphs.
#include <fmt/core.h>

#include "gcnh/paper/chapters.h"

namespace gcnh {
namespace {

std::vector<int> depths(bool quick) { return quick ? std::vector<int>{1, 2, 4} : std::vector<int>{1, 2, 4, 8, 16, 32}; }

Series over_depth(Workbench& bench, const std::string& model, const std::string& data) {
  Series out{model, {}};
  for (int depth : depths(bench.quick())) {
    Setup setup;
    setup.model = model;
    setup.recipe = model == "gcnh" ? "paper" : "gcnh";
    setup.options["layers"] = std::to_string(depth);
    Experiment experiment = bench.prepare(setup, data);
    // Halving over the splits: deep networks are dear, and most cells lose early.
    const TuneResult result = bench.choose(experiment, find_grid("oversmoothing", model, data), "halving");
    const MeanStd m = mean_std(test_accuracies(result.winner));
    out.points.push_back({static_cast<double>(depth), 100 * m.mean, 100 * (m.mean - m.std), 100 * (m.mean + m.std)});
  }
  return out;
}

double drop(const Series& series, double from, double to) {
  double out = 0;
  for (const ChartPoint& p : series.points) {
    if (p.x == from) out += p.y;
    if (p.x == to) out -= p.y;
  }
  return out;
}

}  // namespace

Chapter oversmoothing_chapter(Workbench& bench) {
  Chapter out{"oversmoothing", "Accuracy against depth", {}, {}, {}, {}};
  out.text.push_back(
      "GCNH and GCN with 1 to 32 layers. For every depth the best cell of the stated grid by validation accuracy, "
      "found by halving: all cells on one split, the better half on two, and so on until one is left.");
  for (const std::string& data : bench.among({"cora", "citeseer"})) {
    Chart chart;
    chart.kind = ChartKind::lines;
    chart.name = "oversmoothing-" + data;
    chart.title = "Test accuracy over depth on " + data;
    chart.x.label = "layers";
    chart.x.log = true;
    chart.y.label = "test accuracy, percent";
    chart.note = "Mean over the ten splits; the band is one population standard deviation.";
    const Series gcnh = over_depth(bench, "gcnh", data), gcn = over_depth(bench, "gcn", data);
    chart.series = {gcnh, gcn};
    out.charts.push_back(chart);
    if (bench.quick()) continue;
    const double ours = drop(gcnh, 2, 16), theirs = drop(gcn, 2, 16);
    out.checks.push_back(
        {fmt::format("{}: from 2 to 16 layers GCNH loses less than GCN ({:.1f} and {:.1f} points)", data, ours, theirs),
         ours < theirs});
  }
  return out;
}

}  // namespace gcnh
