#include "gcnh/paper/paired_tests.h"

#include <fmt/core.h>

#include "gcnh/study/comparison.h"

namespace gcnh {
namespace {

constexpr double kLevel = 0.05;

std::vector<double> differences_in_points(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> out;
  for (std::size_t i = 0; i < a.size(); ++i) out.push_back(100 * (a[i] - b[i]));
  return out;
}

double test_per_train(Workbench& bench, const std::string& data) {
  const Split split = bench.prepare({}, data).dataset.splits.front();
  return static_cast<double>(split.test.size()) / static_cast<double>(split.train.size());
}

}  // namespace

PairedTests paired_tests(Workbench& bench, const Cells& cells) {
  PairedTests out;
  std::map<std::string, std::map<std::string, std::string>> texts;  // model, dataset
  for (const std::string& data : bench.datasets) {
    const std::vector<double>& ours = cells.at("gcnh").at(data);
    if (ours.size() < Comparison::kFewestPairs) continue;
    std::vector<std::string> models;
    std::vector<MeanTest> tests;
    std::vector<double> p_values;
    for (const std::string& model : bench.models) {
      const std::vector<double>& theirs = cells.at(model).at(data);
      if (model == "gcnh" || theirs.empty()) continue;
      models.push_back(model);
      tests.push_back(corrected_t_test(differences_in_points(ours, theirs), test_per_train(bench, data)));
      p_values.push_back(tests.back().p);
    }
    const std::vector<double> p_holm = holm_adjusted(p_values);
    for (std::size_t i = 0; i < models.size(); ++i) {
      const bool shown = p_holm[i] < kLevel;
      texts[models[i]][data] = fmt::format("{:+.1f} [{:.1f}, {:.1f}]{}", tests[i].mean, tests[i].interval.low,
                                           tests[i].interval.high, shown ? " *" : "");
      ++out.pairs;
      out.better += shown && tests[i].mean > 0;
      out.worse += shown && tests[i].mean < 0;
    }
  }
  out.table = {"main-tests", "GCNH minus each other model, in points, with 95 % intervals", {"model"}, {}, ""};
  out.table.columns.insert(out.table.columns.end(), bench.datasets.begin(), bench.datasets.end());
  for (const std::string& model : bench.models) {
    if (model == "gcnh") continue;
    out.table.rows.push_back({model});
    for (const std::string& data : bench.datasets)
      out.table.rows.back().push_back(texts[model].contains(data) ? texts[model][data] : kNotMeasured);
  }
  out.table.note =
      "Paired over the splits: corrected resampled t-test. * where p < 0.05 after Holm's adjustment for the models of "
      "a dataset.";
  return out;
}

}  // namespace gcnh
