// What the search for options tried before the models were compared: budget, time, what it chose, and how the cells of
// its grid scored on the validation nodes.
#include <fmt/core.h>

#include <algorithm>

#include "gcnh/report/sections.h"

namespace gcnh::report {
namespace {

constexpr std::size_t kShownCells = 30;

std::string options_text(const StoredSearch::Cell& cell) {
  std::string out;
  for (const auto& [name, value] : cell.options) out += (out.empty() ? "" : ", ") + name + " " + value;
  return out;
}

std::string value_cell(const StoredSearch& search, const StoredSearch::Cell& cell) {
  if (cell.diverged) return "diverged";
  return value_text(search.metric, cell.val.mean) + " ± " + value_text(search.metric, cell.val.std);
}

Table tried_table(const Group& group) {
  Table out{
      "search",
      "What was tried, and what was chosen",
      {"model", "cells", "trainings", "seconds", "budget, seconds", "validation " + column_of(group.metric),
       "test reads while searching", "chosen options"},
      {},
      "A cell is a choice of options, a training one cell on one split. Seconds are the sum over the trainings on the "
      "machine that searched, the budget is meant for two cores. Cells are compared on validation nodes."};
  for (const Run& run : group.runs) {
    if (!run.search) continue;
    const StoredSearch& s = *run.search;
    out.rows.push_back({run.name, whole(static_cast<double>(s.cells.size())), whole(s.trainings),
                        fmt::format("{:.1f}", s.seconds), fmt::format("{:.0f}", s.budget_seconds),
                        value_cell(s, s.cells[0]), s.test_reads == 0 ? "never" : whole(s.test_reads) + " times",
                        options_text(s.cells[0])});
  }
  return out;
}

// Every cell; the chosen one stands out.
Chart cell_chart(const Group& group) {
  Chart out{ChartKind::dots,
            "search-cells",
            "Validation " + title_of(group.metric) + " of everything that was tried",
            {"model"},
            {"validation " + column_of(group.metric), {}, false, is_share(group.metric)},
            {{"chosen, ± population std", {}}, {"every cell", {}}}};
  for (const Run& run : group.runs) {
    if (!run.search) continue;
    const double place = static_cast<double>(out.x.categories.size());
    out.x.categories.push_back(run.name);
    out.series[0].points.push_back(mean_point(place, run.search->cells[0].val, run.search->metric));
    for (const StoredSearch::Cell& cell : run.search->cells)
      if (!cell.diverged) out.series[1].points.push_back(labelled(place, cell.val.mean, options_text(cell)));
  }
  out.note = "A wide row: the model needs its options chosen. Cells that were given up early stand on fewer splits.";
  return out;
}

Table cells_table(const Run& run) {
  const StoredSearch& s = *run.search;
  Table out{"search-" + run.file, "Best cells of " + run.name, {"rank"}, {}, ""};
  for (const auto& [name, value] : s.cells[0].options) out.columns.push_back(name);
  out.columns.insert(out.columns.end(), {"validation " + column_of(s.metric), "splits"});
  for (std::size_t i = 0; i < std::min(kShownCells, s.cells.size()); ++i) {
    const StoredSearch::Cell& cell = s.cells[i];
    out.rows.push_back({std::to_string(i + 1)});
    for (std::size_t o = 0; o < s.cells[0].options.size(); ++o)
      out.rows.back().push_back(o < cell.options.size() ? cell.options[o].second : "");
    out.rows.back().push_back(value_cell(s, cell));
    out.rows.back().push_back(std::to_string(cell.splits));
  }
  out.note = fmt::format("{} of {}.", out.rows.size(), counted(std::ssize(s.cells), "cell")) +
             diverged_note(std::count_if(s.cells.begin(), s.cells.end(), [](const auto& c) { return c.diverged; }));
  return out;
}

}  // namespace

std::string diverged_note(std::ptrdiff_t cells) {
  if (cells == 0) return "";
  return fmt::format(" {} diverged: a loss was no longer finite. They rank last and are not drawn.",
                     counted(cells, "cell"));
}

Section search_section(const Group& group) {
  Section out{"search", "How the options were chosen"};
  if (std::none_of(group.runs.begin(), group.runs.end(), [](const Run& run) { return run.search.has_value(); }))
    return out;
  out.paragraphs = {
      "Every model got the same search with the same budget, by validation nodes alone. Test nodes were read once, for "
      "the cell that each model's search chose."};
  out.tables = {tried_table(group)};
  out.charts = {cell_chart(group)};
  for (const Run& run : group.runs)
    if (run.search) out.folded.push_back(cells_table(run));
  return out;
}

}  // namespace gcnh::report
