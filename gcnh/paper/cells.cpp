#include "gcnh/paper/cells.h"

namespace gcnh {

Cells measure_cells(Workbench& bench, const std::string& view) {
  Cells out;
  for (const std::string& model : bench.models) {
    for (const std::string& data : bench.datasets) {
      Setup setup;
      setup.model = model;
      setup.recipe = "paper";
      setup.view = view;
      out[model][data] =
          bench.if_possible([&] { return bench.measure(setup, data); }).value_or(std::vector<SplitOutcome>{});
    }
  }
  return out;
}

Table model_table(const std::vector<std::string>& models, const std::vector<std::string>& datasets,
                  const std::string& name, const std::string& title, const CellText& text) {
  Table out{name, title, {"model"}, {}, ""};
  out.columns.insert(out.columns.end(), datasets.begin(), datasets.end());
  for (const std::string& model : models) {
    out.rows.push_back({model});
    for (const std::string& data : datasets) out.rows.back().push_back(text(model, data));
  }
  return out;
}

}  // namespace gcnh
