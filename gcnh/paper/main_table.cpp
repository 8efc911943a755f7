#include "gcnh/paper/main_table.h"

#include <fmt/format.h>

#include <cmath>
#include <optional>

namespace gcnh::paper {
namespace {

// What a cell gains in points where the graph is cleaned; nothing where either view is not measured.
std::optional<double> gain(const Cells& clean, const Cells& own, const std::string& model, const std::string& data) {
  if (own.empty() || own.at(model).at(data).empty() || clean.at(model).at(data).empty()) return {};
  return mean_percent(test_accuracies(clean.at(model).at(data))) -
         mean_percent(test_accuracies(own.at(model).at(data)));
}

}  // namespace

Cells measure_cells(Workbench& bench, const std::string& view) {
  Cells out;
  for (const std::string& model : bench.models)
    for (const std::string& data : bench.datasets)
      out[model][data] =
          bench.if_possible([&] { return bench.measure({.model = model, .view = view, .recipe = "paper"}, data); })
              .value_or(std::vector<SplitOutcome>{});
  return out;
}

Table model_table(const std::vector<std::string>& models, const std::vector<std::string>& datasets,
                  const std::string& name, const std::string& title, const CellText& text, const std::string& note) {
  Table out{name, title, {"model"}, {}, note};
  out.columns.insert(out.columns.end(), datasets.begin(), datasets.end());
  for (const std::string& model : models) {
    out.rows.push_back({model});
    for (const std::string& data : datasets) out.rows.back().push_back(text(model, data));
  }
  return out;
}

Table clean_table(const Workbench& bench, const Cells& clean, const Cells& own) {
  const auto text = [&](const std::string& model, const std::string& data) {
    const std::vector<double> a = test_accuracies(clean.at(model).at(data));
    if (a.empty()) return std::string(kNotMeasured);
    const std::optional<double> points = gain(clean, own, model, data);
    return percent_cell(a) + (points ? fmt::format(" ({})", signed_cell(*points)) : "");
  };
  return model_table(bench.models, bench.datasets, "main-clean",
                     "Test accuracy on one clean graph for all: undirected, no repeats, no loops", text,
                     bench.cells_text() + ", with the options of the other view; nothing was tuned here." +
                         (own.empty() ? "" : " In parentheses the points gained over it."));
}

std::string view_text(const Workbench& bench, const Cells& clean, const Cells& own) {
  constexpr double kMuch = 10;
  std::vector<std::string> much;
  for (const std::string& model : bench.models)
    for (const std::string& data : bench.datasets)
      if (const std::optional<double> points = gain(clean, own, model, data); points && std::abs(*points) >= kMuch)
        much.push_back(fmt::format("{} on {} {}", model, data, signed_cell(*points)));
  return much.empty() ? ""
                      : fmt::format("One clean graph for all changes these cells by {} points or more: {}.", kMuch,
                                    fmt::join(much, ", "));
}

}  // namespace gcnh::paper
