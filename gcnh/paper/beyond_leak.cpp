// How much of a graph is looked up: test nodes that point to the same nodes as a training node have, as a rule, its
// label. The model is the one that was found; only which test nodes are scored differs.
#include <fmt/core.h>

#include <algorithm>
#include <set>
#include <span>

#include "gcnh/paper/beyond.h"

namespace gcnh::paper {
namespace {

using Neighbours = std::vector<Index>;

// Over all splits: the test nodes, those with a twin among the training nodes, and how many of these the label that
// most of the twins have is right for.
struct LookUp {
  double tests = 0, twins = 0, right = 0;
};

// The labels of the training nodes by what they point to.
using Known = std::map<Neighbours, std::map<int, int>>;

Known known_labels(const Dataset& d, const Split& split) {
  Known out;
  for (Index u : split.train)
    if (const auto row = d.adjacency.row(u); !row.empty()) ++out[{row.begin(), row.end()}][d.labels[u]];
  return out;
}

const std::map<int, int>* twins_of(const Dataset& d, const Known& known, Index u) {
  const auto row = d.adjacency.row(u);
  const auto found = known.find({row.begin(), row.end()});
  return found == known.end() ? nullptr : &found->second;
}

LookUp look_up(const Dataset& d) {
  LookUp out;
  for (const Split& split : d.splits) {
    const Known known = known_labels(d, split);
    for (Index u : split.test) {
      ++out.tests;
      const std::map<int, int>* labels = twins_of(d, known, u);
      if (!labels) continue;
      const auto most = std::max_element(labels->begin(), labels->end(),
                                         [](const auto& a, const auto& b) { return a.second < b.second; });
      ++out.twins;
      out.right += most->first == d.labels[u];
    }
  }
  return out;
}

// The graph with the test nodes that have twins in training, or with the others; training and validation stay.
Tables with_tests(Tables tables, const Dataset& d, bool twins) {
  for (Split& split : tables.splits) {
    const Known known = known_labels(d, split);
    std::erase_if(split.test, [&](Index u) { return (twins_of(d, known, u) != nullptr) != twins; });
  }
  return tables;
}

std::string accuracy_on(Workbench& bench, const Chosen& found, const Tables& tables) {
  bench.announce("who is looked up on " + tables.name);
  const auto splits =
      bench.if_possible([&] { return run_trials(bench.study(), {{bench.prepare(found.setup, tables)}}).front(); });
  return splits ? percent_cell(test_accuracies(*splits)) : kNotMeasured;
}

}  // namespace

Table leak_table(Workbench& bench, const ChosenCells& finds) {
  Table out{"beyond-leak",
            "What is looked up on chameleon and squirrel",
            {"graph", "model", "all test nodes", "nodes with a twin", "the others", "filtered graph"},
            {},
            bench.cells_text() +
                ". A twin is a training node that points to exactly the same nodes. The filtered graph "
                "has one node of each kind; there the model was searched anew."};
  for (const std::string& data : bench.among({"chameleon", "squirrel"})) {
    const Experiment directed = bench.prepare({.model = "mlp", .direction = "out"}, data);
    const LookUp look = look_up(*directed.dataset);
    out.rows.push_back({data, "the twins' label", "",
                        fmt::format("{:.1f} ({:.1f} % of the test nodes)", 100 * look.right / look.twins,
                                    100 * look.twins / look.tests),
                        "", ""});
    for (const auto& [name, by_data] : finds) {
      if (!by_data.contains(data)) continue;
      const Chosen& found = by_data.at(data);
      const auto filtered = by_data.find(data + "-filtered");
      out.rows.push_back(
          {data, name, percent_cell(test_accuracies(found.by_mean)),
           accuracy_on(bench, found, with_tests(bench.tables(data), *directed.dataset, true)),
           accuracy_on(bench, found, with_tests(bench.tables(data), *directed.dataset, false)),
           filtered == by_data.end() ? "not searched" : percent_cell(test_accuracies(filtered->second.by_mean))});
    }
  }
  return out;
}

}  // namespace gcnh::paper
