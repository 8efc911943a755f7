#include <fmt/core.h>

#include <algorithm>

#include "gcnh/report/sections.h"

namespace gcnh {
namespace {

// The model that never sees the graph.
constexpr const char* kBlind = "mlp";

// Test accuracies of two runs on the splits that both have.
struct Pairs {
  std::vector<int> splits;
  std::vector<double> differences;
  int better = 0, worse = 0;
  double mean = 0;
};

Pairs pair_up(const Run& a, const Run& b) {
  Pairs out;
  for (const SplitScores& s : a.splits) {
    const auto other =
        std::find_if(b.splits.begin(), b.splits.end(), [&](const SplitScores& t) { return t.split == s.split; });
    if (other == b.splits.end()) continue;
    const double difference = s.test_accuracy - other->test_accuracy;
    out.splits.push_back(s.split);
    out.differences.push_back(difference);
    out.better += difference > 0;
    out.worse += difference < 0;
    out.mean += difference;
  }
  if (!out.splits.empty()) out.mean /= static_cast<double>(out.splits.size());
  return out;
}

Chart score_chart(const Group& group) {
  Chart out{ChartKind::dots,
            "scores",
            "Test accuracy of every model",
            {"model"},
            {"test accuracy, %", {}, false, true},
            {{"mean ± population std", {}}, {"each split", {}}}};
  for (const Run& run : group.runs) {
    const double place = static_cast<double>(out.x.categories.size());
    out.x.categories.push_back(run.name);
    out.series[0].points.push_back({place, run.test_mean, run.test_mean - run.test_std, run.test_mean + run.test_std});
    for (const SplitScores& s : run.splits)
      out.series[1].points.push_back(labelled(place, s.test_accuracy, fmt::format("split {}", s.split)));
  }
  out.note = fmt::format("Bars: mean ± population standard deviation over {} split{}.", group.best().splits.size(),
                         group.best().splits.size() == 1 ? "" : "s");
  return out;
}

Chart difference_chart(const Group& group) {
  const Run& best = group.best();
  Chart out{ChartKind::dots,
            "differences",
            best.name + " against the others, split by split",
            {"model"},
            {"percentage points by which " + best.name + " is better", {}, false, true},
            {{"each split", {}}}};
  for (const Run& run : group.runs) {
    if (&run == &best) continue;
    const Pairs pairs = pair_up(best, run);
    for (std::size_t i = 0; i < pairs.splits.size(); ++i)
      out.series[0].points.push_back(labelled(static_cast<double>(out.x.categories.size()), pairs.differences[i],
                                              fmt::format("split {}", pairs.splits[i])));
    out.x.categories.push_back(run.name);
  }
  out.y.low = 0;  // always in the picture
  for (const ChartPoint& p : out.series[0].points) out.y.low = std::min(*out.y.low, p.y);
  out.note = "Differences on the same test nodes. Right of 0: " + best.name + " is better.";
  return out;
}

Chart time_chart(const Group& group) {
  Chart out{ChartKind::scatter,
            "time",
            "Accuracy and time",
            {"seconds for all splits", {}, true},
            {"test accuracy, %", {}, false, true},
            {}};
  for (const Run& run : group.runs) out.series.push_back({run.name, {{run.seconds, run.test_mean}}});
  return out;
}

Table score_table(const Group& group) {
  Table out{
      "comparison",
      "Models on the same splits",
      {"model", "test accuracy, %", "validation accuracy, %", "lowest test, %", "highest test, %", "parameters",
       "seconds", "beta"},
      {},
      "Mean ± population standard deviation over the splits. Beta: learned weight of the node itself, per layer, mean "
      "over the splits."};
  for (const Run& run : group.runs) {
    double low = 1, high = 0;
    std::vector<double> beta(run.splits[0].beta.size());
    for (const SplitScores& s : run.splits) {
      low = std::min(low, s.test_accuracy);
      high = std::max(high, s.test_accuracy);
      for (std::size_t l = 0; l < std::min(beta.size(), s.beta.size()); ++l)
        beta[l] += s.beta[l] / static_cast<double>(run.splits.size());
    }
    std::string betas;
    for (double b : beta) betas += (betas.empty() ? "" : ", ") + fmt::format("{:.2f}", b);
    out.rows.push_back({run.name, percent(run.test_mean, run.test_std), percent(run.val_mean, run.val_std),
                        percent(low), percent(high), whole(run.parameters), fmt::format("{:.1f}", run.seconds), betas});
  }
  return out;
}

// Everything that is said about the differences of models, paired by split, is said here and in verdict(): tests of
// gcnh/study belong into further columns.
Table paired_table(const Group& group) {
  const Run& best = group.best();
  Table out{"paired",
            best.name + " against the others",
            {"model", "mean difference, points", "splits better", "equal", "worse"},
            {},
            best.name + " has the best validation accuracy; the differences are on test nodes."};
  for (const Run& run : group.runs) {
    if (&run == &best) continue;
    const Pairs pairs = pair_up(best, run);
    const int count = static_cast<int>(pairs.splits.size());
    out.rows.push_back({run.name, count == 0 ? "–" : fmt::format("{:+.2f}", 100 * pairs.mean),
                        std::to_string(pairs.better), std::to_string(count - pairs.better - pairs.worse),
                        std::to_string(pairs.worse)});
  }
  return out;
}

}  // namespace

std::string verdict(const Group& group) {
  const Run* blind = group.find(kBlind);
  const Run* seeing = nullptr;
  for (const Run& run : group.runs)
    if (run.model != kBlind && (!seeing || run.val_mean > seeing->val_mean)) seeing = &run;
  if (!blind || !seeing) return "";
  const Pairs pairs = pair_up(*seeing, *blind);
  const int count = static_cast<int>(pairs.splits.size());
  if (count == 0) return "";
  // Clear is what shows in three quarters of the splits that differ.
  const int differ = pairs.better + pairs.worse;
  const bool helps = pairs.mean > 0 && 4 * pairs.better >= 3 * differ;
  const bool harms = pairs.mean < 0 && 4 * pairs.worse >= 3 * differ;
  return fmt::format(
      "{} {} is {:.2f} percentage points {} {}, which never sees the graph, and better on {} of {} splits.",
      helps   ? "The graph helps:"
      : harms ? "The graph does not help:"
              : "Whether the graph helps is not clear:",
      seeing->name, 100 * std::abs(pairs.mean), pairs.mean < 0 ? "below" : "above", blind->name, pairs.better, count);
}

Section comparison_section(const Group& group) {
  Section out{"comparison", "Comparison"};
  out.charts = {score_chart(group)};
  out.tables = {score_table(group)};
  if (group.runs.size() > 1) {
    out.charts.push_back(difference_chart(group));
    out.tables.push_back(paired_table(group));
  }
  if (group.runs.size() > 2) out.charts.push_back(time_chart(group));
  return out;
}

}  // namespace gcnh
