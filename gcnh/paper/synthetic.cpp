// Accuracy against homophily on the syn-cora graphs, and the learned weight of the centre node.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "gcnh/graph/homophily.h"
#include "gcnh/paper/paper.h"
#include "gcnh/paper/published.h"

namespace gcnh::paper {
namespace {

const std::vector<std::string> kShownModels = {"gcnh", "mlp", "gcn", "gat"};

std::vector<double> levels(bool quick) {
  if (quick) return {0.0, 0.5, 1.0};
  return {0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0};
}

int num_graphs(bool quick) { return quick ? 1 : 3; }

std::string graph_name(double h, int number) { return fmt::format("syn-cora/h{:.2f}-r{}", h, number); }

Setup setup_for(const std::string& model) { return {.model = model, .recipe = model == "gcnh" ? "paper" : "gcnh"}; }

Grid grid_for(const std::string& model, const std::string& data) {
  return find_grid(model == "gcnh" ? "paper" : "synthetic", model, data);
}

// Test accuracies over the graphs of one level, each of the cell that validation chose.
std::vector<double> accuracies_at(Workbench& bench, const std::string& model, double h) {
  std::vector<double> out;
  for (int number = 1; number <= num_graphs(bench.quick()); ++number) {
    const std::string data = graph_name(h, number);
    const Experiment experiment = bench.prepare(setup_for(model), data);
    out.push_back(test_accuracies(bench.choose(experiment, grid_for(model, data)).winner).front());
  }
  return out;
}

// The learned β of the best cell of one layer.
double beta_at(Workbench& bench, double h, int number) {
  const std::string data = graph_name(h, number);
  const Experiment experiment = bench.prepare(setup_for("gcnh"), data);
  Grid grid = grid_for("gcnh", data);
  for (GridAxis& axis : grid)
    if (axis.option == "layers") axis.values = {"1"};
  return mean_readings(bench.choose(experiment, grid).winner).at("beta").front();
}

// Pearson's correlation of y with x.
double correlation(const std::vector<ChartPoint>& points) {
  const double n = static_cast<double>(points.size());
  double x = 0, y = 0, xx = 0, yy = 0, xy = 0;
  for (const ChartPoint& p : points) x += p.x / n, y += p.y / n;
  for (const ChartPoint& p : points)
    xx += (p.x - x) * (p.x - x), yy += (p.y - y) * (p.y - y), xy += (p.x - x) * (p.y - y);
  return xy / std::sqrt(xx * yy);
}

}  // namespace

Chapter synthetic_chapter(Workbench& bench) {
  Chapter out{"synthetic", "Accuracy against homophily"};
  out.text.push_back(
      "Graphs of 1490 nodes with Cora's features and a chosen edge homophily h; for each graph the cell of the "
      "paper's grid (grid.synthetic or grid.paper in recipes/) that is best on the validation nodes, scored once on "
      "the test nodes of the one fixed split.");
  Chart chart{ChartKind::lines,           "synthetic", "Test accuracy over edge homophily", {"edge homophily h"},
              {"test accuracy, percent"}, {}};
  chart.note = "Mean over the graphs of a level; the band is one population standard deviation.";
  std::map<std::string, std::vector<ChartPoint>> found;
  for (const std::string& model : kShownModels) {
    for (double h : levels(bench.quick()))
      found[model].push_back(mean_point(h, mean_std(accuracies_at(bench, model, h)), 100));
    chart.series.push_back({model, found[model]});
  }
  out.charts.push_back(chart);
  const auto first = [&](const char* model) { return found[model].front().y; };
  const double gcnh = first("gcnh"), gcn = first("gcn"), gat = first("gat"), mlp = first("mlp");
  const double last = found["gcnh"].back().y;
  out.checks = {
      {fmt::format("GCNH is at least 30 points above GCN at h = 0 ({:.1f} and {:.1f})", gcnh, gcn), gcnh >= gcn + 30},
      {fmt::format("GCNH is at least 30 points above GAT at h = 0 ({:.1f} and {:.1f})", gcnh, gat), gcnh >= gat + 30},
      {fmt::format("GCNH is not below MLP at h = 0 ({:.1f} and {:.1f})", gcnh, mlp), gcnh >= mlp},
      {fmt::format("GCNH reaches 100 % at h = 1 ({:.1f})", last), last >= 99.95}};
  return out;
}

Chapter beta_chapter(Workbench& bench) {
  Chapter out{"beta", "The learned weight of the centre node"};
  out.text.push_back(
      "β = 1 is a node that listens to itself alone. GCNH of one layer: on the synthetic graphs the best cell by "
      "validation, on the real ones the published options.");
  Series synthetic{"synthetic graphs", {}}, real{"real graphs", {}, Look::named};
  for (double h : levels(bench.quick())) {
    std::vector<double> values;
    for (int number = 1; number <= num_graphs(bench.quick()); ++number) values.push_back(beta_at(bench, h, number));
    synthetic.points.push_back(mean_point(h, mean_std(values)));
  }
  Table table{
      "beta-real", "Learned β on the real graphs", {"dataset", "h", "measured", "paper", "β of one layer"}, {}, ""};
  for (const std::string& data : bench.datasets) {
    Setup setup{.view = "paper", .recipe = "paper"};
    const auto text = [](const std::vector<double>& values) {
      std::string joined;
      for (double v : values) joined += fmt::format("{}{:.2f}", joined.empty() ? "" : ", ", v);
      return joined;
    };
    const std::vector<double> learned = mean_readings(bench.measure(setup, data)).at("beta");
    setup.options["layers"] = "1";
    const double one = mean_readings(bench.measure(setup, data)).at("beta").front();
    const double h = measure_homophily(*bench.prepare(setup, data).dataset).edge;
    real.points.push_back(labelled(h, one, data));
    table.rows.push_back(
        {data, fmt::format("{:.2f}", h), text(learned), text(published("beta", "gcnh", data)), text({one})});
  }
  table.note = "One value per layer, mean over " + bench.splits_text() +
               "; the last column is a network of one layer, the points of the figure.";
  out.charts.push_back(
      {ChartKind::lines, "beta", "Learned β over edge homophily", {"edge homophily h"}, {"β"}, {synthetic, real}});
  out.tables.push_back(table);
  const double r = correlation(synthetic.points);
  const auto top = std::max_element(synthetic.points.begin(), synthetic.points.end(),
                                    [](const ChartPoint& a, const ChartPoint& b) { return a.y < b.y; });
  out.checks.push_back(
      {fmt::format(
           "β falls as homophily rises on the synthetic graphs (correlation {:.2f}; {:.2f} at h = 0, the largest "
           "{:.2f} at h = {:.1f}, {:.2f} at h = 1)",
           r, synthetic.points.front().y, top->y, top->x, synthetic.points.back().y),
       r < -0.7 && synthetic.points.back().y < synthetic.points.front().y});
  for (const ChartPoint& p : real.points)
    if (p.label == "chameleon" || p.label == "squirrel")
      out.checks.push_back(
          {fmt::format("{} learns a β below 0.5 ({:.2f}) although its h is low ({:.2f})", p.label, p.y, p.x),
           p.y < 0.5});
  return out;
}

}  // namespace gcnh::paper
