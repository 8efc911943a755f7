// One graph for all: the models of the main table with their published options, and nothing changed but whom a node
// receives from; and what direction, loops and repeats each do to three of them.
#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "gcnh/models/model.h"
#include "gcnh/paper/main_table.h"

namespace gcnh::paper {
namespace {

std::vector<std::string> directions_of(const std::string& model) {
  const ModelType& type = find_model_type(model);
  if (!type.reads_direction || !type.sees_graph) return {"both"};
  std::vector<std::string> out = {"both", "out", "in"};
  if (type.keeps_apart) out.push_back("separate");
  return out;
}

// A row of the table by direction; its outcomes by graph, none where they were not measured.
struct DirectionRow {
  std::string model, direction;
  std::map<std::string, std::vector<SplitOutcome>> outcomes;
};

std::vector<DirectionRow> measure_rows(Workbench& bench) {
  std::vector<DirectionRow> out;
  for (const std::string& model : bench.models)
    for (const std::string& direction : directions_of(model)) out.push_back({model, direction, {}});
  for (const std::string& data : bench.datasets)
    for (DirectionRow& row : out)
      row.outcomes[data] =
          bench
              .if_possible([&] {
                return bench.measure({.model = row.model, .direction = row.direction, .recipe = "paper"}, data);
              })
              .value_or(std::vector<SplitOutcome>{});
  return out;
}

double test_mean(const DirectionRow& row, const std::string& data) {
  return mean_percent(test_accuracies(row.outcomes.at(data)));
}

// The measured row with the largest value on a graph, the first of equals; null where none was measured.
template <class Value>
const DirectionRow* largest(const std::vector<DirectionRow>& rows, const std::string& data, const Value& value) {
  const DirectionRow* out = nullptr;
  for (const DirectionRow& row : rows)
    if (!row.outcomes.at(data).empty() && (!out || value(row) > value(*out))) out = &row;
  return out;
}

Table directions_table(const Workbench& bench, const std::vector<DirectionRow>& rows) {
  Table out{"views",
            "Test accuracy with the published options, by whom a node receives from",
            {"model", "direction"},
            {},
            ""};
  out.columns.insert(out.columns.end(), bench.datasets.begin(), bench.datasets.end());
  for (const DirectionRow& row : rows) {
    const bool has_one = directions_of(row.model).size() == 1;
    out.rows.push_back({row.model, has_one ? "both (takes no other)" : row.direction});
    for (const std::string& data : bench.datasets) {
      const std::vector<SplitOutcome>& splits = row.outcomes.at(data);
      out.rows.back().push_back(splits.empty() ? kNotMeasured : percent_cell(test_accuracies(splits)));
    }
  }
  for (std::size_t g = 0; g < bench.datasets.size(); ++g) {
    const std::string& data = bench.datasets[g];
    if (const DirectionRow* best = largest(rows, data, [&](const DirectionRow& row) { return test_mean(row, data); }))
      out.bold.insert({static_cast<std::size_t>(best - rows.data()), g + 2});
  }
  out.note = bench.cells_text() +
             ", the best of a graph in bold. Both: every edge either way; out: a node receives from those it points "
             "to; in: from those that point to it; separate: either way, with an encoder for each. Repeats are merged "
             "and loops dropped for all; nothing was tuned.";
  return out;
}

// Of the rows of a model the one with the best mean validation accuracy.
const DirectionRow* chosen_row(const std::vector<DirectionRow>& rows, const std::string& model,
                               const std::string& data) {
  return largest(rows, data, [&](const DirectionRow& row) {
    return row.model == model ? mean_std(val_accuracies(row.outcomes.at(data))).mean : -1;
  });
}

// Every model in the direction that its validation nodes prefer.
Table chosen_table(const Workbench& bench, const std::vector<DirectionRow>& rows) {
  const auto text = [&](const std::string& model, const std::string& data) {
    const DirectionRow* row = chosen_row(rows, model, data);
    if (!row || row->model != model) return std::string(kNotMeasured);
    return percent_cell(test_accuracies(row->outcomes.at(data))) + " " + row->direction;
  };
  return model_table(bench.models, bench.datasets, "views-chosen",
                     "The same, each model in the direction with its best mean validation accuracy", text,
                     bench.cells_text() + ", and the direction.");
}

// How a graph is taken that is a model's own view but for one thing.
struct Change {
  std::string title;
  std::string view = "paper", direction = "";
  bool drops_loops = false, merges_repeats = false;
};

const std::vector<Change>& changes() {
  static const std::vector<Change> all = {
      {"own view"},           {"edges both ways", "paper", "both"}, {"out", "paper", "out"},
      {"in", "paper", "in"},  {"no loops", "paper", "", true},      {"repeats merged", "paper", "", false, true},
      {"clean view", "clean"}};
  return all;
}

Tables changed(Tables tables, const Change& change) {
  if (change.drops_loops) std::erase_if(tables.edges, [](const Edge& e) { return e.source == e.target; });
  if (change.merges_repeats) {
    const auto ends = [](const Edge& e) { return std::tuple(e.source, e.target); };
    std::sort(tables.edges.begin(), tables.edges.end(),
              [&](const Edge& a, const Edge& b) { return ends(a) < ends(b); });
    const auto last = std::unique(tables.edges.begin(), tables.edges.end(),
                                  [&](const Edge& a, const Edge& b) { return ends(a) == ends(b); });
    tables.edges.erase(last, tables.edges.end());
  }
  return tables;
}

std::optional<std::vector<double>> accuracies(Workbench& bench, const std::string& model, const Change& change,
                                              const std::string& data) {
  bench.announce(model + " on " + data + ", " + change.title);
  const Setup setup{.model = model, .view = change.view, .direction = change.direction, .recipe = "paper"};
  return bench.if_possible([&] {
    const Experiment e = bench.prepare(setup, changed(bench.tables(data), change));
    return test_accuracies(run_trials(bench.study(), {{e}}).front());
  });
}

// The models whose cells change most between their own view and the clean one.
Table parts_table(Workbench& bench) {
  Table out{"views-parts", "The view of each model's own code with one thing changed", {"model", "change"}, {}, ""};
  const std::vector<std::string> graphs = bench.datasets;
  out.columns.insert(out.columns.end(), graphs.begin(), graphs.end());
  for (const std::string model : {"gcnh", "ggcn", "gprgnn"}) {
    if (std::find(bench.models.begin(), bench.models.end(), model) == bench.models.end()) continue;
    std::map<std::string, double> own;
    for (const Change& change : changes()) {
      out.rows.push_back({model, change.title});
      for (const std::string& data : graphs) {
        const auto found = accuracies(bench, model, change, data);
        const auto before = own.find(data);
        const bool has_both = found && before != own.end();
        const std::string points = has_both ? " (" + signed_cell(mean_percent(*found) - before->second) + ")" : "";
        if (found && &change == &changes().front()) own[data] = mean_percent(*found);
        out.rows.back().push_back(found ? percent_cell(*found) + points : kNotMeasured);
      }
    }
  }
  out.note = bench.cells_text() +
             "; in parentheses the points gained over the model's own view. The clean view also gives film's nodes the "
             "features of their own ids.";
  return out;
}

// What GCNH gains where a node receives from those it points to alone, and who is ahead of it there.
void add_gains(const std::vector<DirectionRow>& rows, const std::string& data, Chapter& out) {
  const auto find = [&](const std::string& model, const std::string& direction) {
    return std::find_if(rows.begin(), rows.end(), [&](const DirectionRow& r) {
      return r.model == model && r.direction == direction && !r.outcomes.at(data).empty();
    });
  };
  const auto both = find("gcnh", "both"), ours = find("gcnh", "out"), ggcn = find("ggcn", "out");
  if (both == rows.end() || ours == rows.end()) return;
  const double gain = test_mean(*ours, data) - test_mean(*both, data);
  out.checks.push_back(
      {fmt::format("{}: GCNH as published gains from receiving along out-edges alone ({} points, to {:.1f})", data,
                   signed_cell(gain), test_mean(*ours, data)),
       gain > 0});
  if (ggcn == rows.end()) return;
  out.checks.push_back({fmt::format("{}: where both models take the graph that way, GCNH is ahead of GGCN ({:.1f} and "
                                    "{:.1f})",
                                    data, test_mean(*ours, data), test_mean(*ggcn, data)),
                        test_mean(*ours, data) > test_mean(*ggcn, data)});
}

}  // namespace

Chapter views_chapter(Workbench& bench) {
  Chapter out{"views", "One graph for all"};
  out.text.push_back(
      "The paper's table compares models on different graphs: each model's own code decided whether Chameleon and "
      "Squirrel are directed. Here every model takes every graph in each direction that it can tell apart, with its "
      "published options. H2GCN, O(d)-SD and Geom-GCN are defined on undirected graphs alone: the second ring, the "
      "sheaf and the relations join nodes in both directions.");
  const std::vector<DirectionRow> rows = measure_rows(bench);
  out.tables = {directions_table(bench, rows), chosen_table(bench, rows), parts_table(bench)};
  for (const std::string& data : bench.among({"chameleon", "squirrel"})) add_gains(rows, data, out);
  return out;
}

}  // namespace gcnh::paper
