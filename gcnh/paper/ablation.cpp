// Two tables of variants of GCNH: the weight of the centre node, and the aggregation.
#include <fmt/core.h>

#include "gcnh/paper/paper.h"
#include "gcnh/paper/published.h"

namespace gcnh::paper {
namespace {

struct Variant {
  std::string title;
  std::string model;
  OptionValues changes;
  std::string table, row;  // where the paper's numbers are
};

using Means = std::map<std::string, std::vector<double>>;  // mean accuracies over the datasets, by Variant::row

// A table with a row per variant; its cells hold the measured accuracy and its distance to the paper, and the text says
// why where that is large.
Means add_variants(Workbench& bench, const std::string& title, const std::vector<Variant>& variants, Chapter& chapter) {
  Means means;
  Table out{chapter.name, title, {"variant"}, {}, ""};
  for (const std::string& data : bench.datasets) out.columns.push_back(data);
  for (const Variant& variant : variants) {
    out.rows.push_back({variant.title});
    for (const std::string& data : bench.datasets) {
      const Setup setup{.model = variant.model, .view = "paper", .recipe = "paper", .options = variant.changes};
      const std::vector<double> accuracies = test_accuracies(bench.measure(setup, data));
      const double mean = mean_percent(accuracies);
      means[variant.row].push_back(mean);
      const auto se = distance(variant.table, variant.row, data, mean);
      out.rows.back().push_back(percent_cell(accuracies) + (se ? " (" + signed_cell(*se) + ")" : ""));
      if (se && !is_near(variant.table, variant.row, data, mean) && !bench.quick())
        chapter.text.push_back(outside_text(variant.title, data, *se, explanation(variant.row, data)));
    }
  }
  out.note = bench.cells_text() + "; in parentheses the difference to the printed mean in its standard errors.";
  chapter.tables.push_back(out);
  return means;
}

// Mean over the datasets of what a variant has more than another.
double gain(const std::vector<double>& a, const std::vector<double>& b) { return mean_std(a).mean - mean_std(b).mean; }

}  // namespace

Chapter ablation_chapter(Workbench& bench) {
  Chapter out{"ablation", "What the parts of GCNH bring"};
  const Means means =
      add_variants(bench, "GCN, and GCNH with its weight of the centre node fixed, per unit, or learned",
                   {{"GCN", "gcn", {}, "accuracy", "gcn"},
                    {"GCNH, β = 0.5", "gcnh", {{"beta", "0.5"}}, "ablation", "fixed"},
                    {"GCNH, β per unit", "gcnh", {{"beta", "pointwise"}}, "ablation", "pointwise"},
                    {"GCNH", "gcnh", {}, "accuracy", "gcnh"}},
                   out);
  const double encoders = gain(means.at("fixed"), means.at("gcn"));
  const double learned = gain(means.at("gcnh"), means.at("fixed"));
  out.checks.push_back({fmt::format("separate encoders bring the larger part, {:.1f} of {:.1f} points on average",
                                    encoders, encoders + learned),
                        encoders > learned});
  out.checks.push_back({fmt::format("a learned β brings more, {:.1f} points on average", learned), learned > 0});
  return out;
}

Chapter aggregation_chapter(Workbench& bench) {
  Chapter out{"aggregation", "Sum, mean and max"};
  out.text.push_back(
      "The paper prints the options of sum alone; mean and max are measured with the same ones, max on full batches as "
      "in the paper.");
  const Means means = add_variants(bench, "GCNH with three ways to add up the neighbours",
                                   {{"sum", "gcnh", {}, "accuracy", "gcnh"},
                                    {"mean", "gcnh", {{"aggregation", "mean"}}, "aggregation", "mean"},
                                    {"max", "gcnh", {{"aggregation", "max"}, {"batch", "full"}}, "aggregation", "max"}},
                                   out);
  for (std::size_t i = 0; i < bench.datasets.size(); ++i) {
    const std::string& data = bench.datasets[i];
    if (data != "chameleon" && data != "squirrel") continue;
    const double mean = means.at("mean")[i], sum = means.at("gcnh")[i];
    out.checks.push_back(
        {fmt::format("mean loses on {} what sum finds ({:.1f} and {:.1f})", data, mean, sum), mean < sum - 5});
  }
  return out;
}

}  // namespace gcnh::paper
