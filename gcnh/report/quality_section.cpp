// How good the answers are class by class: confusion, precision, recall and F1.
#include <fmt/core.h>

#include <limits>
#include <numeric>

#include "gcnh/report/sections.h"

namespace gcnh::report {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

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
  out.note = "Percent of the true class, over the test nodes of all splits. A dash: a class without test nodes.";
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
            "Classes under " + run.name + ", all splits pooled",
            {"class", "precision, %", "recall, %", "F1, %", "test nodes"},
            {},
            "Pooled over the test nodes of all splits, where other tables have means over the splits. A dash: nothing "
            "was tested or answered."};
  for (std::size_t k = 0; k < run.confusion.size(); ++k) {
    const double right = run.confusion[k][k];
    const double f1 = ratio(2 * right, row_sum(run, k) + column_sum(run, k));
    out.rows.push_back({run.data.classes[k].first, percent(ratio(right, column_sum(run, k))),
                        percent(ratio(right, row_sum(run, k))), percent(f1), whole(row_sum(run, k))});
  }
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

}  // namespace gcnh::report
