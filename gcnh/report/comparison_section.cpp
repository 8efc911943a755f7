// How the runs of a group compare: scores, differences with their tests, and time.
#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <optional>

#include "gcnh/report/sections.h"
#include "gcnh/study/verdict.h"

namespace gcnh {
namespace {

// Test accuracies of two runs on the splits that both have, with the same test nodes.
struct Pairs {
  std::vector<int> splits;
  std::vector<double> differences;
  int better = 0, worse = 0;
};

bool is_same_split(const SplitScores& a, const SplitScores& b) {
  return a.split == b.split && a.test_nodes == b.test_nodes;
}

Pairs pair_up(const Run& a, const Run& b) {
  Pairs out;
  for (const SplitScores& s : a.splits) {
    const auto other =
        std::find_if(b.splits.begin(), b.splits.end(), [&](const SplitScores& t) { return is_same_split(s, t); });
    if (other == b.splits.end()) continue;
    const double difference = s.test_accuracy - other->test_accuracy;
    out.splits.push_back(s.split);
    out.differences.push_back(difference);
    out.better += difference > 0;
    out.worse += difference < 0;
  }
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
  out.note = "Bars: mean ± population standard deviation over the splits.";
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
      "Models",
      {"model", "test accuracy, %", "validation accuracy, %", "lowest test, %", "highest test, %", "parameters",
       "seconds", "beta", "splits"},
      {},
      "Mean ± population standard deviation over the splits. Beta: learned weight of the node itself, per layer, mean "
      "over the splits."};
  for (const Run& run : group.runs) {
    double low = 1, high = 0;
    std::vector<std::vector<double>> beta;
    for (const SplitScores& s : run.splits) {
      low = std::min(low, s.test_accuracy);
      high = std::max(high, s.test_accuracy);
      beta.push_back(s.beta);
    }
    std::string betas;
    for (double b : column_means(beta)) betas += (betas.empty() ? "" : ", ") + fmt::format("{:.2f}", b);
    out.rows.push_back({run.name, percent_cell(run.test_mean, run.test_std), percent_cell(run.val_mean, run.val_std),
                        percent(low), percent(high), whole(run.parameters), fmt::format("{:.1f}", run.seconds), betas,
                        std::to_string(run.splits.size())});
  }
  return out;
}

// The tests of the runs, when all have the same splits with the same test nodes.
std::optional<Comparison> compare_runs(const Group& group) {
  std::vector<Scores> models;
  for (const Run& run : group.runs) {
    Scores scores{run.name, {}, {}, run.data.test_per_train, sees_graph(run.model)};
    for (std::size_t i = 0; i < run.splits.size(); ++i) {
      if (run.splits.size() != group.runs[0].splits.size() || !is_same_split(run.splits[i], group.runs[0].splits[i]))
        return std::nullopt;
      scores.val.push_back(run.splits[i].val_accuracy);
      scores.test.push_back(run.splits[i].test_accuracy);
    }
    models.push_back(std::move(scores));
  }
  if (models[0].test.empty()) return std::nullopt;
  return compare_models(models);
}

Table paired_table(const Group& group, const Comparison& comparison) {
  const Run& best = group.runs[comparison.reference];
  Table out{
      "paired",
      best.name + " against the others",
      {"model", "mean difference, points", "95 % interval", "p, corrected t", "p, Holm", "p, Wilcoxon", "splits better",
       "equal", "worse"},
      {},
      best.name +
          " has the best validation accuracy; the differences are on test nodes, paired by split. The t-test is "
          "corrected for splits that share nodes (Nadeau and Bengio 2003); Holm's p allows for the number of models."};
  for (const PairedDifference& d : comparison.others) {
    const Pairs pairs = pair_up(best, group.runs[d.second]);
    const int count = static_cast<int>(pairs.splits.size());
    const auto if_tested = [&](const std::string& text) { return comparison.can_test() ? text : "–"; };
    out.rows.push_back({group.runs[d.second].name, points_text(d.test.mean), if_tested(points_text(d.test.interval)),
                        if_tested(p_text(d.test.p)), if_tested(p_text(d.p_holm)), if_tested(p_text(d.p_wilcoxon)),
                        std::to_string(pairs.better), std::to_string(count - pairs.better - pairs.worse),
                        std::to_string(pairs.worse)});
  }
  return out;
}

}  // namespace

std::string verdict(const Group& group) {
  const auto comparison = compare_runs(group);
  std::string out = comparison ? verdict(*comparison) : "";
  if (out.empty()) return out;
  const auto leads = [&](const std::string& model) { return out.starts_with(model + " is "); };
  if (std::none_of(comparison->models.begin(), comparison->models.end(), leads))  // names are written as they are
    out[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(out[0])));
  return out + ".";
}

Section comparison_section(const Group& group) {
  Section out{"comparison", "Comparison"};
  out.charts = {score_chart(group)};
  out.tables = {score_table(group)};
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

}  // namespace gcnh
