// How the runs of a group compare: scores, differences with their tests, and time.
#include <fmt/core.h>

#include <algorithm>

#include "gcnh/models/readings.h"
#include "gcnh/report/sections.h"

namespace gcnh::report {
namespace {

Chart score_chart(const Group& group) {
  Chart out{ChartKind::dots,
            "scores",
            "Test " + title_of(group.metric) + " of every model",
            {"model"},
            {"test " + column_of(group.metric), {}, false, is_share(group.metric)},
            {{"mean ± population std", {}}, {"each split", {}}}};
  for (const Run& run : group.runs) {
    const double place = static_cast<double>(out.x.categories.size());
    out.x.categories.push_back(run.name);
    out.series[0].points.push_back(mean_point(place, run.test, group.metric));
    for (const SplitOutcome& s : run.result.splits)
      out.series[1].points.push_back(labelled(place, test_value(s, group.metric), fmt::format("split {}", s.split)));
  }
  out.note = std::string("Bars: mean ± population standard deviation over the splits") +
             (is_share(group.metric) ? ", cut at 0 and 100 %." : ".");
  return out;
}

Chart difference_chart(const Group& group) {
  const Run& best = group.best();
  Chart out{ChartKind::dots,
            "differences",
            best.name + " against the others, split by split",
            {"model"},
            {fmt::format("{} of {} minus the other's{}", title_of(group.metric), best.name,
                         is_share(group.metric) ? ", percentage points" : ""),
             {},
             false,
             is_share(group.metric)},
            {{"each split", {}}}};
  for (const Run& run : group.runs) {
    if (&run == &best) continue;
    const Pairs pairs = pair_up(best, run, group.metric);
    if (pairs.splits.empty()) continue;
    for (std::size_t i = 0; i < pairs.splits.size(); ++i)
      out.series[0].points.push_back(labelled(static_cast<double>(out.x.categories.size()), pairs.differences[i],
                                              fmt::format("split {}", pairs.splits[i])));
    out.x.categories.push_back(run.name);
  }
  out.y.low = out.y.high = 0;  // always in the picture
  for (const ChartPoint& p : out.series[0].points) {
    out.y.low = std::min(*out.y.low, p.y);
    out.y.high = std::max(*out.y.high, p.y);
  }
  out.note = fmt::format("Differences on the same test nodes. {} of 0: {} is better.",
                         higher_is_better(group.metric) ? "Right" : "Left", best.name);
  return out;
}

Chart time_chart(const Group& group) {
  Chart out{ChartKind::scatter,
            "time",
            "Score and time",
            {"seconds for all splits", {}, true},
            {"test " + column_of(group.metric), {}, false, is_share(group.metric)},
            {}};
  for (const Run& run : group.runs) out.series.push_back({run.name, {{run.result.seconds, run.test.mean}}});
  return out;
}

std::string list_values(const Readings& readings, const std::string& name) {
  std::string out;
  if (const auto found = readings.find(name); found != readings.end())
    for (double value : found->second) out += (out.empty() ? "" : ", ") + fmt::format("{:.2f}", value);
  return out;
}

Table score_table(const Group& group) {
  Table out{"comparison",
            "Models",
            {"model", "test " + column_of(group.metric), "validation " + column_of(group.metric), "lowest test",
             "highest test", "parameters", "seconds"},
            {},
            "Mean ± population standard deviation over the splits."};
  for (const ReadingInfo& info : known_readings()) {
    out.columns.push_back(info.name);
    out.note += fmt::format(" {}: {}, mean over the splits.", info.name, info.help);
  }
  out.columns.push_back("splits");
  for (const Run& run : group.runs) {
    const std::vector<double> tests = test_values(run.result.splits, group.metric);
    const auto [low, high] = std::minmax_element(tests.begin(), tests.end());
    out.rows.push_back({run.name, mean_std_text(group.metric, tests),
                        mean_std_text(group.metric, val_values(run.result.splits, group.metric)),
                        value_text(group.metric, *low), value_text(group.metric, *high),
                        whole(static_cast<double>(run.result.splits[0].parameters)),
                        fmt::format("{:.1f}", run.result.seconds)});
    const Readings means = mean_readings(run.result.splits);
    for (const ReadingInfo& info : known_readings()) out.rows.back().push_back(list_values(means, info.name));
    out.rows.back().push_back(std::to_string(run.result.splits.size()));
  }
  return out;
}

Table paired_table(const Group& group, const Comparison& comparison) {
  const Run& best = group.runs[comparison.reference];
  Table out{"paired",
            best.name + " against the others",
            {"model", is_share(group.metric) ? "mean difference, points" : "mean difference", "95 % interval",
             "p, corrected t", "p, Holm", "p, Wilcoxon", "splits better", "equal", "worse"},
            {},
            best.name + " has the best validation " + title_of(group.metric) +
                " of the models, floors aside; the differences are on test nodes, paired by split. The t-test is "
                "corrected for splits that share nodes (Nadeau and Bengio 2003); Holm's p allows for the number of "
                "models; each floor is a question of its own and "
                "keeps its p. Where the t-test and Wilcoxon's signed ranks disagree, the verdict goes by the t-test, "
                "which alone "
                "allows for shared nodes."};
  for (const PairedDifference& d : comparison.others) {
    const Pairs pairs = pair_up(best, group.runs[d.second], group.metric);
    const auto if_tested = [&](const std::string& text) { return comparison.can_test() ? text : "–"; };
    out.rows.push_back({group.runs[d.second].name, difference_text(comparison.metric, d.test.mean),
                        if_tested(interval_text(comparison.metric, d.test.interval)), if_tested(p_text(d.test.p)),
                        if_tested(p_text(d.p_holm)), if_tested(p_text(d.p_wilcoxon)), std::to_string(pairs.better),
                        std::to_string(pairs.equal), std::to_string(pairs.worse)});
  }
  return out;
}

}  // namespace

Section comparison_section(const Group& group) {
  Section out{"comparison", "Comparison"};
  out.tables = {score_table(group)};
  if (!has_test(group)) {
    out.paragraphs = {"The splits have no test nodes, so nothing is tested."};
    out.folded.push_back(metrics_table(group, false));
    return out;
  }
  out.charts = {score_chart(group)};
  const auto has_measures = [](const Run& run) { return run.result.splits[0].test.has_value(); };
  if (std::any_of(group.runs.begin(), group.runs.end(), has_measures)) {
    out.tables.push_back(metrics_table(group, true));
    out.folded.push_back(metrics_table(group, false));
  }
  if (group.runs.size() > 1) {
    const Chart differences = difference_chart(group);
    if (!differences.x.categories.empty()) out.charts.push_back(differences);
    if (const auto comparison = compare_runs(group)) {
      out.tables.push_back(paired_table(group, *comparison));
    } else {
      out.paragraphs = {
          "These runs do not all have the same splits with the same test nodes, so their differences are not tested."};
    }
  }
  if (group.runs.size() > 2) out.charts.push_back(time_chart(group));
  return out;
}

}  // namespace gcnh::report
