// How the runs of a group trained: losses, accuracies and readings by epoch, and where they stopped.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "gcnh/models/readings.h"
#include "gcnh/report/sections.h"

namespace gcnh::report {
namespace {

using Values = std::vector<double>;
using Pick = std::function<double(const EpochRecord&)>;

constexpr std::size_t kMostPoints = 100;  // of a curve, so that the page stays small

double median(Values values) {
  std::sort(values.begin(), values.end());
  const std::size_t n = values.size();
  return (values[(n - 1) / 2] + values[n / 2]) / 2;
}

Values curve_of(const SplitOutcome& split, const Pick& pick) {
  Values out;
  for (const EpochRecord& epoch : split.history)
    if (const double value = pick(epoch); !std::isnan(value)) out.push_back(value);
  return out;
}

// Of the splits that still train; the curve ends when fewer than half of them do.
Values median_curve(const std::vector<SplitOutcome>& splits, const Pick& pick) {
  Values out;
  for (std::size_t epoch = 0;; ++epoch) {
    Values here;
    for (const SplitOutcome& s : splits)
      if (const double value = epoch < s.history.size() ? pick(s.history[epoch]) : NAN; !std::isnan(value))
        here.push_back(value);
    if (here.empty() || 2 * here.size() < splits.size()) return out;
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
  const std::vector<SplitOutcome>& splits = run.result.splits;
  chart.series.push_back(
      {splits.size() > 1 ? name + ", median" : name, points_of(median_curve(splits, pick)), Look::normal, colour});
  if (splits.size() < 2) return;
  for (const SplitOutcome& s : splits)
    if (!s.history.empty())
      chart.series.push_back(
          {fmt::format("{}, split {}", name, s.split), points_of(curve_of(s, pick)), Look::faint, colour});
}

Chart loss_chart(const Run& run) {
  Chart out{
      ChartKind::lines, "loss-" + run.file, "Loss of " + run.name, {"epoch"}, {"mean negative log-likelihood"}, {}};
  add_curve(out, run, "training", [](const EpochRecord& e) { return e.train_loss; });
  add_curve(out, run, "validation", [](const EpochRecord& e) { return e.val_loss; });
  return out;
}

// The metric that chose the epochs.
Chart score_chart(const Run& run) {
  const Metric metric = run.result.splits[0].metric;
  Chart out{ChartKind::lines,
            file_name(to_word(metric)) + "-" + run.file,
            "Validation " + title_of(metric) + " of " + run.name,
            {"epoch"},
            {"validation " + column_of(metric), {}, false, is_share(metric)},
            {}};
  add_curve(out, run, "validation", [](const EpochRecord& e) { return e.val_metric; });
  Series kept{"epoch that was kept", {}, Look::dots, 1};
  for (const SplitOutcome& s : run.result.splits)
    kept.points.push_back(
        labelled(static_cast<double>(s.best.epoch), s.best.score.metric, fmt::format("split {}", s.split)));
  out.series.push_back(std::move(kept));
  return out;
}

Chart reading_chart(const Run& run, const ReadingInfo& info, std::size_t count) {
  Chart out{ChartKind::lines, info.name + "-" + run.file, info.name + " of " + run.name, {"epoch"}, {info.help}, {}};
  for (std::size_t i = 0; i < count; ++i) {
    add_curve(out, run, fmt::format("{} {}", info.name, i + 1), [&info, i](const EpochRecord& e) {
      const auto values = e.readings.find(info.name);
      return values != e.readings.end() && i < values->second.size() ? values->second[i] : NAN;
    });
  }
  out.y.low = info.low;
  out.y.high = info.high;
  return out;
}

// A chart for each of the model's readings.
void add_reading_charts(const Run& run, std::vector<Chart>& charts) {
  const Readings& first = run.result.splits[0].history.front().readings;
  for (const ReadingInfo& info : known_readings())
    if (const auto values = first.find(info.name); values != first.end() && !values->second.empty())
      charts.push_back(reading_chart(run, info, values->second.size()));
}

Table stop_table(const Group& group) {
  Table out{"epochs",
            "Epochs of every split",
            {"model", "split", "epochs", "epoch kept", "validation accuracy, %", "seconds"},
            {},
            ""};
  for (const Run& run : group.runs)
    for (const SplitOutcome& s : run.result.splits)
      out.rows.push_back({run.name, std::to_string(s.split), std::to_string(s.epochs), std::to_string(s.best.epoch),
                          percent(s.best.score.accuracy), fmt::format("{:.2f}", s.seconds)});
  return out;
}

}  // namespace

Section training_section(const Group& group) {
  Section out{"training", "Training"};
  out.paragraphs = {
      "Thick lines are medians over the splits, thin lines single splits. Test nodes take no part in training "
      "or in the choice of the epoch."};
  for (const Run& run : group.runs) {
    if (run.result.splits[0].history.empty()) continue;
    out.charts.push_back(loss_chart(run));
    out.charts.push_back(score_chart(run));
    add_reading_charts(run, out.charts);
  }
  if (!out.charts.empty()) out.folded = {stop_table(group)};
  return out;
}

}  // namespace gcnh::report
