// The complexity section as a measurement: seconds per epoch = a + b n + c |E| for GCNH on generated graphs.
#include <fmt/core.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "gcnh/graph/large_graphs.h"
#include "gcnh/paper/paper.h"

namespace gcnh::paper {
namespace {

struct Measured {
  double nodes, edges, seconds;
};

Measured measure_shape(Workbench& bench, int nodes, int edges) {
  const Setup setup{
      .scale = "none", .options = {{"hidden", "16"}, {"epochs", bench.quick() ? "3" : "20"}}, .num_splits = 1};
  Tables tables = make_shape({.nodes = nodes, .edges = edges, .classes = 5, .features = 64});
  tables.name = fmt::format("shape-{}-{}", nodes, edges);
  bench.announce(tables.name);
  const Experiment experiment = bench.prepare(setup, std::move(tables));
  Study one_core = bench.study();
  one_core.threads = 1;
  const SplitOutcome record = run_trials(one_core, {{experiment}}).front().front();
  return {static_cast<double>(nodes), static_cast<double>(experiment.dataset->num_edges),
          record.seconds / record.epochs};
}

// Least squares of relative errors, so that small graphs count as much as large ones.
Eigen::Vector3d fit(const std::vector<Measured>& runs) {
  Eigen::MatrixXd a(runs.size(), 3);
  const Eigen::VectorXd ones = Eigen::VectorXd::Ones(static_cast<Eigen::Index>(runs.size()));
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const auto row = static_cast<Eigen::Index>(i);
    a.row(row) << 1 / runs[i].seconds, runs[i].nodes / runs[i].seconds, runs[i].edges / runs[i].seconds;
  }
  return a.colPivHouseholderQr().solve(ones);
}

}  // namespace

Chapter complexity_chapter(Workbench& bench) {
  Chapter out{"complexity", "Time per epoch against nodes and edges"};
  const std::vector<int> sizes =
      bench.quick() ? std::vector<int>{1000, 4000} : std::vector<int>{2000, 8000, 32000, 128000};
  const std::vector<int> degrees = bench.quick() ? std::vector<int>{2, 8} : std::vector<int>{2, 8, 32};
  std::vector<Measured> runs;
  Chart chart{ChartKind::lines,
              "complexity",
              "Milliseconds per epoch of GCNH",
              {"edges", {}, true},
              {"milliseconds per epoch", {}, true},
              {}};
  for (int degree : degrees) {
    Series series{fmt::format("{} edges per node", degree), {}};
    for (int nodes : sizes) {
      runs.push_back(measure_shape(bench, nodes, nodes * degree));
      series.points.push_back({runs.back().edges, 1e3 * runs.back().seconds});
    }
    chart.series.push_back(series);
  }
  const Eigen::Vector3d model = fit(runs);
  Table table{
      "complexity-fit", "Measured and fitted milliseconds per epoch", {"nodes", "edges", "measured", "fitted"}, {}, ""};
  double worst = 1;
  for (const Measured& m : runs) {
    const double fitted = model[0] + model[1] * m.nodes + model[2] * m.edges;
    worst = fitted > 0 ? std::max({worst, fitted / m.seconds, m.seconds / fitted}) : INFINITY;
    table.rows.push_back({fmt::format("{:.0f}", m.nodes), fmt::format("{:.0f}", m.edges),
                          fmt::format("{:.3f}", 1e3 * m.seconds), fmt::format("{:.3f}", 1e3 * fitted)});
  }
  out.text.push_back(
      fmt::format("One layer of 16 units, 64 dense features. Fitted: {:.3f} ms + {:.1f} ns per node + {:.1f} ns per "
                  "edge; measured and fitted differ by a factor of {:.2f} at most.",
                  1e3 * model[0], 1e9 * model[1], 1e9 * model[2], worst));
  out.charts.push_back(chart);
  out.tables.push_back(table);
  if (!bench.quick()) out.checks.push_back({"the linear model explains every size within a factor of two", worst < 2});
  return out;
}

}  // namespace gcnh::paper
