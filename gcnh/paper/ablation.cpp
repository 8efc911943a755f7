// Two tables of variants of GCNH: the weight of the centre node, and the aggregation.
#include <fmt/core.h>

#include "gcnh/paper/chapters.h"
#include "gcnh/paper/published.h"

namespace gcnh {
namespace {

struct Variant {
  std::string title;
  std::string model;
  OptionValues changes;
  std::string table, row;  // where the paper's numbers are
};

// A row per variant; cells hold the measured accuracy and its distance to the paper.
Table variant_table(Workbench& bench, const std::string& name, const std::string& title,
                    const std::vector<Variant>& variants, std::map<std::string, std::vector<double>>& means) {
  Table out{name, title, {"variant"}, {}, ""};
  for (const std::string& data : bench.datasets) out.columns.push_back(data);
  for (const Variant& variant : variants) {
    out.rows.push_back({variant.title});
    for (const std::string& data : bench.datasets) {
      Setup setup;
      setup.model = variant.model;
      setup.recipe = "paper";
      setup.view = "paper";
      setup.options = variant.changes;
      const std::vector<double> accuracies = test_accuracies(bench.measure(setup, data));
      const double mean = mean_percent(accuracies);
      means[variant.row].push_back(mean);
      const auto se = distance(variant.table, variant.row, data, mean);
      out.rows.back().push_back(percent_cell(accuracies) + (se ? " (" + signed_cell(*se) + ")" : ""));
    }
  }
  out.note =
      "Percent, mean ± population standard deviation over the ten splits; in parentheses the difference to the printed "
      "mean in its standard errors.";
  return out;
}

// Mean over the datasets of what a variant has more than another.
double gain(const std::vector<double>& a, const std::vector<double>& b) { return mean_std(a).mean - mean_std(b).mean; }

}  // namespace

Chapter ablation_chapter(Workbench& bench) {
  Chapter out{"ablation", "What the parts of GCNH bring", {}, {}, {}, {}};
  std::map<std::string, std::vector<double>> means;
  out.tables.push_back(variant_table(bench, "ablation",
                                     "GCN, and GCNH with its weight of the centre node fixed, per unit, or learned",
                                     {{"GCN", "gcn", {}, "accuracy", "gcn"},
                                      {"GCNH, β = 0.5", "gcnh", {{"beta", "0.5"}}, "ablation", "fixed"},
                                      {"GCNH, β per unit", "gcnh", {{"beta", "pointwise"}}, "ablation", "pointwise"},
                                      {"GCNH", "gcnh", {}, "accuracy", "gcnh"}},
                                     means));
  const double encoders = gain(means["fixed"], means["gcn"]), learned = gain(means["gcnh"], means["fixed"]);
  out.checks.push_back({fmt::format("separate encoders bring the larger part, {:.1f} of {:.1f} points on average",
                                    encoders, encoders + learned),
                        encoders > learned});
  out.checks.push_back({fmt::format("a learned β brings more, {:.1f} points on average", learned), learned > 0});
  return out;
}

Chapter aggregation_chapter(Workbench& bench) {
  Chapter out{"aggregation", "Sum, mean and max", {}, {}, {}, {}};
  std::map<std::string, std::vector<double>> means;
  // As in the paper, max is trained on full batches.
  out.tables.push_back(
      variant_table(bench, "aggregation", "GCNH with three ways to add up the neighbours",
                    {{"sum", "gcnh", {}, "accuracy", "gcnh"},
                     {"mean", "gcnh", {{"aggregation", "mean"}}, "aggregation", "mean"},
                     {"max", "gcnh", {{"aggregation", "max"}, {"batch", "full"}}, "aggregation", "max"}},
                    means));
  for (std::size_t i = 0; i < bench.datasets.size(); ++i) {
    const std::string& data = bench.datasets[i];
    if (data != "chameleon" && data != "squirrel") continue;
    out.checks.push_back({"mean loses on " + data + " what sum finds", means["mean"][i] < means["gcnh"][i] - 5});
  }
  return out;
}

}  // namespace gcnh
