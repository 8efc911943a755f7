// How good the answers of the kept models are: confusion, quality by class, and a map of the nodes.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "gcnh/report/pca.h"
#include "gcnh/report/sections.h"

namespace gcnh::report {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

// One in a million. Smaller probabilities say no more, but one of them can stretch a map until nothing else is seen.
const double kUnlikely = std::log(1e-6);

double ratio(double part, double of) { return of > 0 ? part / of : kNone; }

double row_sum(const Run& run, std::size_t k) {
  return std::accumulate(run.confusion[k].begin(), run.confusion[k].end(), 0.0);
}

double column_sum(const Run& run, std::size_t k) {
  double sum = 0;
  for (const std::vector<double>& row : run.confusion) sum += row[k];
  return sum;
}

Chart confusion_chart(const Run& run) {
  Chart out{
      ChartKind::heat, "confusion-" + run.file, "What " + run.name + " takes for what",         {"predicted class"},
      {"true class"},  {{run.name, {}}},        {"share of the true class, %", {}, false, true}};
  for (const auto& [label, nodes] : run.data.classes) {
    out.x.categories.push_back(label);
    out.y.categories.push_back(label);
  }
  for (std::size_t i = 0; i < run.confusion.size(); ++i) {
    for (std::size_t j = 0; j < run.confusion.size(); ++j)
      out.series[0].points.push_back({static_cast<double>(j), static_cast<double>(i), kNone, kNone,
                                      fmt::format("{} taken for {}: {} of {}", run.data.classes[i].first,
                                                  run.data.classes[j].first, run.confusion[i][j], row_sum(run, i)),
                                      ratio(run.confusion[i][j], row_sum(run, i))});
  }
  out.note = "Percent of the true class, over the test nodes of all splits.";
  return out;
}

Table count_table(const Run& run) {
  Table out{"counts-" + run.file,
            "Answers of " + run.name + ", counted",
            {"true class \\ predicted"},
            {},
            "Sum over the test nodes of all splits; a node counts once per split that tests it."};
  for (const auto& [label, nodes] : run.data.classes) out.columns.push_back(label);
  for (std::size_t i = 0; i < run.confusion.size(); ++i) {
    out.rows.push_back({run.data.classes[i].first});
    for (double count : run.confusion[i]) out.rows.back().push_back(whole(count));
  }
  return out;
}

Table class_table(const Run& run) {
  Table out{"classes-" + run.file,
            "Classes under " + run.name,
            {"class", "precision, %", "recall, %", "F1, %", "test nodes"},
            {},
            ""};
  double f1_sum = 0;
  for (std::size_t k = 0; k < run.confusion.size(); ++k) {
    const double right = run.confusion[k][k];
    const double f1 = ratio(2 * right, row_sum(run, k) + column_sum(run, k));
    f1_sum += f1 == f1 ? f1 : 0;
    out.rows.push_back({run.data.classes[k].first, percent(ratio(right, column_sum(run, k))),
                        percent(ratio(right, row_sum(run, k))), percent(f1), whole(row_sum(run, k))});
  }
  out.note = fmt::format("Macro F1, the mean over the classes: {} %. A dash: nothing was tested or answered.",
                         percent(ratio(f1_sum, static_cast<double>(run.confusion.size()))));
  return out;
}

}  // namespace

Section quality_section(const Group& group) {
  Section out{"quality", "Quality by class"};
  for (const Run& run : group.runs) {
    if (run.confusion.empty()) continue;
    out.charts.push_back(confusion_chart(run));
    out.tables.push_back(class_table(run));
    out.folded.push_back(count_table(run));
  }
  return out;
}

Section map_section(const Group& group, std::size_t most) {
  Run run = group.best();
  if (run.map.size() > most) {
    std::vector<MapPoint> kept;
    for (std::size_t i = 0; i < most; ++i) kept.push_back(run.map[i * run.map.size() / most]);
    run.map = std::move(kept);
  }
  Section out{"map", "Map of the nodes"};
  if (run.map.empty()) return out;
  std::vector<std::vector<double>> scores;
  for (const MapPoint& p : run.map) {
    scores.push_back(p.scores);
    for (double& score : scores.back()) score = std::max(score, kUnlikely);
  }
  const Plane plane = principal_plane(scores);
  Chart chart{ChartKind::scatter,
              "map",
              "Nodes as " + run.name + " sees them, by true class",
              {fmt::format("first component, {:.0f} % of the variance", 100 * plane.share[0])},
              {fmt::format("second component, {:.0f} % of the variance", 100 * plane.share[1])},
              {}};
  for (const auto& [label, nodes] : run.data.classes) chart.series.push_back({label, {}});
  chart.series.push_back({"without label", {}});
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < run.map.size(); ++i) {
    const MapPoint& p = run.map[i];
    std::size_t k = 0;
    while (k < run.data.classes.size() && run.data.classes[k].first != p.label) ++k;
    const bool error = k < run.data.classes.size() && p.label != p.predicted;
    wrong += error;
    chart.series[k].points.push_back(labelled(rounded(plane.points[i][0]), rounded(plane.points[i][1]),
                                              error ? "node " + p.id + ", taken for " + p.predicted : ""));
  }
  chart.wide = true;
  std::erase_if(chart.series, [](const Series& s) { return s.points.empty(); });
  chart.note =
      fmt::format("Hollow marks are wrong: {} of {}, training nodes included.", whole(static_cast<double>(wrong)),
                  counted_whole(static_cast<double>(run.map.size()), "node"));
  out.paragraphs = {
      "Every mark is a node, placed by the two principal components of its log-probabilities (none below one in a "
      "million) under the model of the split with the best validation score. Nodes that lie close are alike to the "
      "model."};
  if (run.map.size() < static_cast<std::size_t>(run.data.nodes))
    out.paragraphs.push_back(fmt::format("Shown are {} of {} nodes, drawn evenly from all classes.",
                                         whole(static_cast<double>(run.map.size())), whole(run.data.nodes)));
  out.charts = {std::move(chart)};
  return out;
}

}  // namespace gcnh::report
