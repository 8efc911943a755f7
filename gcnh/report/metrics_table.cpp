#include <cmath>
#include <limits>

#include "gcnh/report/sections.h"

namespace gcnh::report {

Table metrics_table(const Group& group, bool test) {
  std::vector<Metric> metrics = {group.metric};
  for (Metric metric : all_metrics())
    if (metric != group.metric) metrics.push_back(metric);
  Table out{
      test ? "metrics" : "metrics-validation",
      test ? "Metrics on the test nodes" : "Metrics on the validation nodes",
      {"model"},
      {},
      "Mean ± population standard deviation over the splits; the best of a column is bold. Of log-loss, Brier score "
      "and ECE the lowest is the best."};
  for (const Run& run : group.runs) out.rows.push_back({run.name});
  for (Metric metric : metrics) {
    std::size_t best = 0;
    double most = -std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < group.runs.size(); ++i) {
      const std::vector<SplitOutcome>& splits = group.runs[i].result.splits;
      const std::vector<double> values = test ? test_values(splits, metric) : val_values(splits, metric);
      out.rows[i].push_back(mean_std_text(metric, values));
      if (const double here = merit(metric, mean_std(values).mean); here > most) most = here, best = i;
    }
    if (group.runs.size() > 1 && std::isfinite(most)) out.bold.insert({best, out.columns.size()});
    out.columns.push_back(column_of(metric));
  }
  return out;
}

}  // namespace gcnh::report
