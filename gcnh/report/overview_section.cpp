// Several graphs at a glance: models down, data across.
#include <fmt/core.h>

#include <algorithm>
#include <optional>

#include "gcnh/report/sections.h"

namespace gcnh::report {
namespace {

constexpr double kLevel = 0.05;

// Whether the tests leave it open that a run is as good as the best: the corrected resampled t-test on the same splits
// gives p of at least 5 %. Not known where fewer than five can be paired.
std::optional<bool> is_level(const Run& best, const Run& run, Metric metric) {
  const std::vector<double> differences = pair_up(best, run, metric).differences;
  if (differences.size() < Comparison::kFewestPairs) return std::nullopt;
  return corrected_t_test(differences, best.data.test_per_train).p >= kLevel;
}

const Run& best_on_test(const Group& group) {
  return *std::max_element(group.runs.begin(), group.runs.end(), [&](const Run& a, const Run& b) {
    return merit(group.metric, a.test.mean) < merit(group.metric, b.test.mean);
  });
}

std::vector<std::string> names_of_runs(const std::vector<Group>& groups) {
  std::vector<std::string> out;
  for (const Group& group : groups)
    for (const Run& run : group.runs)
      if (std::find(out.begin(), out.end(), run.name) == out.end()) out.push_back(run.name);
  return out;
}

bool have_one_metric(const std::vector<Group>& groups) {
  return std::all_of(groups.begin(), groups.end(), [&](const Group& g) { return g.metric == groups[0].metric; });
}

// The view and the metric, where they tell columns apart.
std::string column_name(const std::vector<Group>& groups, const Group& group) {
  const std::string& view = group.runs[0].data.view;
  long groups_on_it = 0, other_views = 0;
  for (const Group& other : groups) {
    if (other.graph != group.graph) continue;
    ++groups_on_it;
    other_views += other.runs[0].data.view != view;
  }
  if (have_one_metric(groups)) return groups_on_it > 1 ? group.data : group.graph;
  return group.graph + (other_views > 0 ? " (" + view + " view)" : "") + ": " + column_of(group.metric);
}

}  // namespace

Section overview_section(const std::vector<Group>& groups) {
  Table table{"models-by-data",
              have_one_metric(groups) ? "Test " + column_of(groups[0].metric) + ": models by data"
                                      : "Test scores: models by data",
              {"model"},
              {},
              ""};
  const std::vector<std::string> names = names_of_runs(groups);
  for (const std::string& name : names) table.rows.push_back({name});
  bool any_level = false, any_unknown = false;
  for (const Group& group : groups) {
    const std::size_t column = table.columns.size();
    table.columns.push_back(column_name(groups, group));
    const Run& best = best_on_test(group);
    for (std::size_t i = 0; i < names.size(); ++i) {
      const auto run =
          std::find_if(group.runs.begin(), group.runs.end(), [&](const Run& r) { return r.name == names[i]; });
      table.rows[i].emplace_back();
      if (run == group.runs.end()) continue;
      table.rows[i].back() = mean_std_text(group.metric, test_values(run->result.splits, group.metric));
      if (&*run == &best) {
        table.bold.insert({i, column});
        continue;
      }
      const std::optional<bool> level = is_level(best, *run, group.metric);
      if (level.value_or(false)) table.rows[i].back() += " ≈";
      any_level = any_level || level.value_or(false);
      any_unknown = any_unknown || !level;
    }
  }
  table.note = "Mean ± population standard deviation over the splits; the best of a column is bold.";
  if (any_level)
    table.note +=
        " ≈: not significantly worse than the best (corrected resampled t-test on the same splits, 5 %, not adjusted "
        "for the number of models).";
  if (any_unknown)
    table.note +=
        fmt::format(" Nothing is tested where two runs share fewer than {} splits.", Comparison::kFewestPairs);
  Section out{"overview", "Models and data"};
  out.tables = {std::move(table)};
  return out;
}

}  // namespace gcnh::report
