// What each ingredient of the chosen cell brings, added one at a time to GCNH of the paper.
#include <fmt/core.h>

#include <algorithm>

#include "gcnh/models/model.h"
#include "gcnh/paper/beyond.h"

namespace gcnh::paper {
namespace {

const std::vector<std::string> kSize = {"layers", "hidden", "dropout"};

// A step adds to what came before it.
struct Step {
  std::string title;
  Setup setup;
};

// Of the paper's GCNH only size, training and scaling are those of the chosen cell. Then its direction, then the
// model's other options in the order in which it declares them, as far as the cell changes them.
std::vector<Step> steps_to(const Setup& chosen) {
  const std::vector<OptionInfo>& options = find_model_type(chosen.model).options;
  const auto is_ingredient = [&](const std::string& name) {
    return std::find(kSize.begin(), kSize.end(), name) == kSize.end() &&
           std::any_of(options.begin(), options.end(), [&](const OptionInfo& o) { return o.name == name; });
  };
  Setup at = chosen;
  at.direction = "both";
  std::erase_if(at.options, [&](const auto& option) { return is_ingredient(option.first); });
  std::vector<Step> out = {{"GCNH of the paper, same size and training", at}};
  if (chosen.direction != at.direction) {
    at.direction = chosen.direction;
    out.push_back({"+ direction " + at.direction, at});
  }
  for (const OptionInfo& info : options) {
    const auto value = chosen.options.find(info.name);
    if (value == chosen.options.end() || !is_ingredient(info.name) || value->second == info.value) continue;
    at.options[info.name] = value->second;
    out.push_back({fmt::format("+ {} {}", info.name, value->second), at});
  }
  return out;
}

}  // namespace

Table ablation_table(Workbench& bench, const std::map<std::string, Chosen>& by_data) {
  Table out{"beyond-ablation",
            "From the paper's GCNH to the chosen cell, one ingredient after the other",
            {"graph", "ingredient", "validation", "test", "points"},
            {},
            bench.cells_text() +
                ", and the points of the test mean that the ingredient adds to those above it. "
                "Nothing was chosen by this table."};
  for (const std::string& data : bench.datasets) {
    if (!by_data.contains(data)) continue;
    const Metric metric = by_data.at(data).metric;
    double before = 0;
    for (const Step& step : steps_to(by_data.at(data).setup)) {
      const auto found = bench.if_possible([&] { return bench.measure(step.setup, data); });
      out.rows.push_back({data, step.title, kNotMeasured, kNotMeasured, kNotMeasured});
      if (!found) continue;
      std::vector<std::string>& row = out.rows.back();
      const double now = mean_percent(test_values(*found, metric));
      row[2] = mean_std_text(metric, val_values(*found, metric));
      row[3] = mean_std_text(metric, test_values(*found, metric));
      row[4] = before == 0 ? "" : signed_cell(now - before);
      before = now;
    }
  }
  return out;
}

}  // namespace gcnh::paper
