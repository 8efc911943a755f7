// How the runs of a group trained: losses, accuracies and readings by epoch, and where they stopped.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "gcnh/report/sections.h"

namespace gcnh {
namespace {

using Values = std::vector<double>;
using Pick = std::function<const Values*(const Curves&)>;  // nullptr where a split has no such curve

constexpr std::size_t kMostPoints = 100;  // of a curve, so that the page stays small

double median(Values values) {
  std::sort(values.begin(), values.end());
  const std::size_t n = values.size();
  return (values[(n - 1) / 2] + values[n / 2]) / 2;
}

// Of the splits that still train; the curve ends when fewer than half of them do.
Values median_curve(const std::vector<Curves>& curves, const Pick& pick) {
  Values out;
  for (std::size_t epoch = 0;; ++epoch) {
    Values here;
    for (const Curves& c : curves)
      if (const Values* values = pick(c); values && epoch < values->size()) here.push_back((*values)[epoch]);
    if (here.empty() || 2 * here.size() < curves.size()) return out;
    out.push_back(median(std::move(here)));
  }
}

std::vector<ChartPoint> points_of(const Values& values) {
  const std::size_t step = (values.size() + kMostPoints - 1) / kMostPoints;
  std::vector<ChartPoint> out;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (i % step == 0 || i + 1 == values.size()) out.push_back({static_cast<double>(i + 1), rounded(values[i])});
  return out;
}

// The median of all splits, and each split behind it.
void add_curve(Chart& chart, const Run& run, const std::string& name, const Pick& pick) {
  const int colour = static_cast<int>(
      std::count_if(chart.series.begin(), chart.series.end(), [](const Series& s) { return s.look != Look::faint; }));
  chart.series.push_back({run.curves.size() > 1 ? name + ", median" : name, points_of(median_curve(run.curves, pick)),
                          Look::normal, colour});
  if (run.curves.size() < 2) return;
  for (const Curves& c : run.curves)
    if (const Values* values = pick(c))
      chart.series.push_back({fmt::format("{}, split {}", name, c.split), points_of(*values), Look::faint, colour});
}

Chart loss_chart(const Run& run) {
  Chart out{
      ChartKind::lines, "loss-" + run.file, "Loss of " + run.name, {"epoch"}, {"mean negative log-likelihood"}, {}};
  add_curve(out, run, "training", [](const Curves& c) { return &c.train_loss; });
  add_curve(out, run, "validation", [](const Curves& c) { return &c.val_loss; });
  return out;
}

Chart accuracy_chart(const Run& run) {
  Chart out{ChartKind::lines,
            "accuracy-" + run.file,
            "Validation accuracy of " + run.name,
            {"epoch"},
            {"validation accuracy, %", {}, false, true},
            {}};
  add_curve(out, run, "validation", [](const Curves& c) { return &c.val_accuracy; });
  Series kept{"epoch that was kept", {}, Look::dots, 1};
  for (const SplitScores& s : run.splits)
    kept.points.push_back(
        labelled(static_cast<double>(s.best_epoch), s.val_accuracy, fmt::format("split {}", s.split)));
  out.series.push_back(std::move(kept));
  return out;
}

Chart beta_chart(const Run& run) {
  Chart out{ChartKind::lines,
            "beta-" + run.file,
            "Weight that " + run.name + " gives to the node itself",
            {"epoch"},
            {"β: 1 the node alone, 0 its neighbours alone"},
            {}};
  for (std::size_t layer = 0; layer < run.curves[0].beta.size(); ++layer)
    add_curve(out, run, fmt::format("layer {}", layer + 1),
              [layer](const Curves& c) { return layer < c.beta.size() ? &c.beta[layer] : nullptr; });
  out.y.low = 0;
  out.y.high = 1;
  return out;
}

Table stop_table(const Group& group) {
  Table out{"epochs",
            "Epochs of every split",
            {"model", "split", "epochs", "epoch kept", "validation accuracy, %", "seconds"},
            {},
            ""};
  for (const Run& run : group.runs)
    for (const SplitScores& s : run.splits)
      out.rows.push_back({run.name, std::to_string(s.split), std::to_string(s.epochs), std::to_string(s.best_epoch),
                          percent(s.val_accuracy), fmt::format("{:.2f}", s.seconds)});
  return out;
}

}  // namespace

Section training_section(const Group& group) {
  Section out{"training", "Training"};
  out.paragraphs = {
      "Thick lines are medians over the splits, thin lines single splits. Test nodes take no part in training "
      "or in the choice of the epoch."};
  for (const Run& run : group.runs) {
    if (run.curves.empty()) continue;
    out.charts.push_back(loss_chart(run));
    out.charts.push_back(accuracy_chart(run));
    if (!run.curves[0].beta.empty()) out.charts.push_back(beta_chart(run));
  }
  if (!out.charts.empty()) out.folded = {stop_table(group)};
  return out;
}

}  // namespace gcnh
