// A form of GCNH against every other model of a table, split by split.
#include <fmt/core.h>

#include "gcnh/graph/splits.h"
#include "gcnh/paper/main_table.h"
#include "gcnh/study/comparison.h"

namespace gcnh::paper {
namespace {

// Those that were measured on the dataset; the reference comes first.
std::vector<Contender> contenders_on(const Experiment& experiment, const Cells& cells,
                                     const std::vector<std::string>& names, const std::string& reference) {
  const double ratio = test_per_train(*experiment.dataset, experiment.splits);
  std::vector<Contender> out;
  for (const std::string& model : names) {
    const std::vector<SplitOutcome>& splits = cells.at(model).at(experiment.dataset->name);
    if (splits.empty()) continue;
    out.insert(model == reference ? out.begin() : out.end(), {model, splits, ratio, sees_graph(model)});
  }
  return out;
}

// A row per model but the reference, a column per dataset, and a dash where a text is missing.
Table table_of(const Workbench& bench, const std::vector<std::string>& others, const std::string& name,
               const std::string& title, std::map<std::string, std::map<std::string, std::string>> texts,
               const std::string& note) {
  const auto text = [&](const std::string& model, const std::string& data) {
    return texts[model].contains(data) ? texts[model][data] : kNotMeasured;
  };
  return model_table(others, bench.datasets, name, title, text, note);
}

}  // namespace

PairedTests paired_tests(Workbench& bench, const Cells& cells, const std::vector<std::string>& names,
                         const std::string& reference, const std::string& table) {
  PairedTests out;
  std::map<std::string, std::map<std::string, std::string>> differences, wilcoxon;  // model, dataset
  for (const std::string& data : bench.datasets) {
    if (cells.at(reference).at(data).empty()) continue;
    const Experiment experiment = bench.prepare({}, data);
    const std::vector<Contender> contenders = contenders_on(experiment, cells, names, reference);
    const Comparison comparison = compare_models(contenders, 0, experiment.train.metric);
    if (!comparison.can_test()) continue;
    for (const PairedDifference& d : comparison.others) {
      const std::string& model = comparison.models[d.second];
      const Finding found = finding(comparison, d);
      ++out.pairs;
      out.better += found == Finding::better;
      out.worse += found == Finding::worse;
      differences[model][data] =
          fmt::format("{:+.1f} [{:.1f}, {:.1f}]{}", 100 * d.test.mean, 100 * d.test.interval.low,
                      100 * d.test.interval.high, found == Finding::better || found == Finding::worse ? " *" : "");
      wilcoxon[model][data] = p_text(d.p_wilcoxon);
    }
  }
  std::vector<std::string> others = names;
  std::erase(others, reference);
  std::string title = reference;
  title.replace(0, 4, "GCNH");
  out.differences = table_of(bench, others, table + "-tests",
                             title + " minus each other model, in points, with 95 % intervals", differences,
                             "Paired over the splits: corrected resampled t-test. * where p < 0.05 after Holm's "
                             "adjustment for the models of a dataset.");
  out.wilcoxon = table_of(bench, others, table + "-wilcoxon", "The same pairs by Wilcoxon's signed ranks: p", wilcoxon,
                          "Two-sided and not adjusted; 0.0020 is the smallest that ten splits can give.");
  return out;
}

}  // namespace gcnh::paper
