// GCNH carried on, beside GCNH of the paper and the models of its table: every line has the same number of cells,
// chosen by validation alone.
#include "gcnh/paper/beyond.h"

#include <fmt/format.h>

#include <algorithm>

#include "gcnh/graph/splits.h"
#include "gcnh/paper/main_table.h"
#include "gcnh/paper/published.h"
#include "gcnh/paper/records.h"
#include "gcnh/study/comparison.h"

namespace gcnh::paper {
namespace {

const std::string kOurs = "gcnh carried on", kPaper = "gcnh";
constexpr int kSeeds = 3;

std::vector<Line> lines_of(const Workbench& bench) {
  std::vector<Line> out;
  for (const std::string& model : bench.models) {
    if (model == "gcnh") out.push_back({kOurs, model, "beyond"});
    out.push_back({model, model, "search"});
  }
  return out;
}

std::vector<std::string> names_of(const std::vector<Line>& lines) {
  std::vector<std::string> out;
  for (const Line& line : lines) out.push_back(line.name);
  return out;
}

ChosenCells search_all(Workbench& bench, const std::vector<Line>& lines) {
  ChosenCells out;
  for (const Line& line : lines) out[line.name];
  for (const std::string& data : bench.datasets)
    for (const Line& line : lines)
      if (auto found = bench.if_possible([&] { return search_line(bench, line, data); }))
        out[line.name].emplace(data, std::move(*found));
  return out;
}

const Chosen* find(const ChosenCells& finds, const std::string& line, const std::string& data) {
  const auto by_data = finds.find(line);
  if (by_data == finds.end()) return nullptr;
  const auto found = by_data->second.find(data);
  return found == by_data->second.end() ? nullptr : &found->second;
}

std::string test_text(const Chosen& found, const std::vector<SplitOutcome>& splits) {
  return mean_std_text(found.metric, test_values(splits, found.metric));
}

double val_mean(const Chosen& found) { return mean_std(val_values(found.by_mean, found.metric)).mean; }

Table accuracy_table(const Workbench& bench, const std::vector<std::string>& names, const ChosenCells& finds,
                     bool nested) {
  const auto text = [&](const std::string& name, const std::string& data) {
    const Chosen* found = find(finds, name, data);
    return found ? test_text(*found, nested ? found->by_split : found->by_mean) : std::string(kNotMeasured);
  };
  return model_table(names, bench.datasets, nested ? "beyond-nested" : "beyond",
                     nested ? "On the test nodes, each split with the cell that is best on its own validation nodes"
                            : "On the test nodes, the cell with the best mean validation value over the splits",
                     text, bench.cells_text() + "; on minesweeper ROC-AUC, else accuracy.");
}

Table cells_table(const Workbench& bench, const std::vector<std::string>& names, const ChosenCells& finds) {
  Table out{"beyond-cells",
            "What was chosen",
            {"graph", "line", "cells", "chosen", "validation", "test", "core seconds"},
            {},
            bench.cells_text() + ". Core seconds are those of the whole search."};
  for (const std::string& data : bench.datasets)
    for (const std::string& name : names)
      if (const Chosen* f = find(finds, name, data))
        out.rows.push_back({data, name, std::to_string(f->cells), cell_text(f->cell),
                            mean_std_text(f->metric, val_values(f->by_mean, f->metric)), test_text(*f, f->by_mean),
                            fmt::format("{:.0f}", f->core_seconds)});
  return out;
}

// The largest mean of the paper's tables, those of its other aggregations included; none for graphs that it lacks.
std::optional<double> best_printed(const Workbench& bench, const std::string& data) {
  std::optional<double> out;
  const auto add = [&](const std::vector<double>& printed) {
    if (!printed.empty()) out = std::max(out.value_or(0), printed[0]);
  };
  for (const std::string& model : bench.models) add(published("accuracy", model, data));
  for (const char* aggregation : {"mean", "max"}) add(published("aggregation", aggregation, data));
  return out;
}

// The line beside those of GCNH that validation likes best.
const Chosen* best_other(const std::vector<Line>& lines, const ChosenCells& finds, const std::string& data,
                         std::string& name) {
  const Chosen* out = nullptr;
  for (const Line& line : lines) {
    const Chosen* found = line.name == kOurs ? nullptr : find(finds, line.name, data);
    if (!found || (out && merit(found->metric, val_mean(*found)) <= merit(out->metric, val_mean(*out)))) continue;
    out = found;
    name = line.name;
  }
  return out;
}

// The chosen cell with further seeds: the mean over splits of each.
std::vector<double> seed_means(Workbench& bench, const Chosen& found, const std::string& data) {
  std::vector<double> out;
  for (int k = 0; k < kSeeds; ++k) {
    Experiment e = bench.prepare(found.setup, data);
    e.seed += static_cast<std::uint64_t>(k);
    bench.announce(fmt::format("{} on {}, seed {}", kOurs, data, e.seed));
    out.push_back(mean_std(test_values(run_trials(bench.study(), {{e}}).front(), found.metric)).mean);
  }
  return out;
}

std::string seeds_text(const std::vector<double>& means) {
  std::vector<std::string> each;
  for (double mean : means) each.push_back(fmt::format("{:.2f}", 100 * mean));
  return fmt::format("{:.2f} ({})", mean_percent(means), fmt::join(each, ", "));
}

// Ours minus the other, with the corrected t-test over the splits.
std::string difference_text(Workbench& bench, const Chosen& ours, const Chosen& other, const std::string& data) {
  const Experiment e = bench.prepare({}, data);
  const double ratio = test_per_train(*e.dataset, e.splits);
  const std::vector<Contender> two = {{"ours", ours.by_mean, ratio}, {"other", other.by_mean, ratio}};
  const Comparison comparison = compare_models(two, 0, ours.metric);
  const MeanTest test = comparison.others.front().test;
  if (!comparison.can_test()) return fmt::format("{:+.2f}", 100 * test.mean);
  return fmt::format("{:+.2f} [{:.1f}, {:.1f}], p {}", 100 * test.mean, 100 * test.interval.low,
                     100 * test.interval.high, p_text(test.p));
}

// What the targets are about: the mean over splits and seeds, in percent.
using SeedMeans = std::map<std::string, double>;

Table summary_table(Workbench& bench, const std::vector<Line>& lines, const ChosenCells& finds, SeedMeans& means) {
  Table out{"beyond-summary",
            "GCNH carried on beside what was printed, measured and published",
            {"graph", "paper's GCNH", "best of the paper", "GCNH, searched", "GCNH carried on", "chosen per split",
             "three seeds", "best other line", "difference to it", "best published with code"},
            {},
            bench.cells_text() +
                ". Best other line: of all others, that of GCNH included, the one that validation prefers; the "
                "difference is paired over the splits (corrected resampled t-test)."};
  for (const std::string& data : bench.datasets) {
    const std::vector<double> printed = published("accuracy", "gcnh", data);
    const std::optional<double> best = best_printed(bench, data);
    std::vector<std::string> row = {data, printed.empty() ? "" : fmt::format("{:.2f}", printed[0]),
                                    best ? fmt::format("{:.2f}", *best) : ""};
    const Chosen *ours = find(finds, kOurs, data), *paper = find(finds, kPaper, data);
    row.push_back(paper ? test_text(*paper, paper->by_mean) : kNotMeasured);
    row.push_back(ours ? test_text(*ours, ours->by_mean) : kNotMeasured);
    row.push_back(ours ? test_text(*ours, ours->by_split) : kNotMeasured);
    const auto seeds = bench.if_possible([&] { return ours ? seed_means(bench, *ours, data) : std::vector<double>{}; });
    const bool has_seeds = seeds && !seeds->empty();
    if (has_seeds) means[data] = mean_percent(*seeds);
    row.push_back(has_seeds ? seeds_text(*seeds) : kNotMeasured);
    std::string name;
    const Chosen* other = best_other(lines, finds, data, name);
    row.push_back(other ? name + " " + test_text(*other, other->by_mean) : kNotMeasured);
    row.push_back(ours && other ? difference_text(bench, *ours, *other, data) : kNotMeasured);
    row.push_back(best_record(data));
    out.rows.push_back(row);
  }
  return out;
}

Table records_table(const Workbench& bench) {
  Table out{"beyond-records",
            "What others have published",
            {"graph", "model", "value", "splits", "chosen", "code", "not comparable since"},
            {},
            "recipes/records.toml: the largest first, as printed by their authors; not run again here. Minesweeper: "
            "ROC-AUC."};
  for (const std::string& data : bench.datasets)
    for (const PublishedRecord& r : records_on(data))
      out.rows.push_back({data, r.model, fmt::format("{:.2f}", r.value), r.splits, r.chosen, r.code, r.why_not});
  return out;
}

// Targets that were set before anything was measured, in percent.
void add_targets(const Workbench& bench, const SeedMeans& means, Chapter& out) {
  const std::map<std::string, double> targets = {{"chameleon", 80.0},
                                                 {"squirrel", 75.3},
                                                 {"chameleon-filtered", 45},
                                                 {"squirrel-filtered", 43},
                                                 {"minesweeper", 96}};
  for (const auto& [data, target] : targets)
    if (const auto mean = means.find(data); mean != means.end())
      out.checks.push_back({fmt::format("{}: {:.1f} or more ({:.2f} over three seeds)", data, target, mean->second),
                            mean->second >= target});
  int first = 0, measured = 0;
  for (const std::string& data : paper_datasets()) {
    if (!means.contains(data)) continue;
    ++measured;
    first += means.at(data) > best_printed(bench, data).value_or(0);
  }
  if (measured > 0 && bench.models.size() > 1)
    out.checks.push_back(
        {fmt::format("above every mean that the paper prints, on at least six of its eight graphs ({} of "
                     "{} that are measured)",
                     first, measured),
         first >= 6});
}

Chart chart_of(const Workbench& bench, const ChosenCells& finds) {
  Series paper{"GCNH of the paper, searched", {}}, ours{kOurs, {}}, published{"best published with code", {}};
  for (std::size_t i = 0; i < bench.datasets.size(); ++i) {
    const std::string& data = bench.datasets[i];
    const auto x = static_cast<double>(i);
    for (auto& [series, line] : {std::pair(&paper, kPaper), {&ours, kOurs}})
      if (const Chosen* found = find(finds, line, data))
        series->points.push_back(mean_point(x, mean_std(test_values(found->by_mean, found->metric)), 100));
    for (const PublishedRecord& r : records_on(data)) {
      if (!r.why_not.empty()) continue;
      published.points.push_back(mean_point(x, {r.value, 0}));
      break;
    }
  }
  Chart out{ChartKind::dots,
            "beyond-graphs",
            "GCNH of the paper and carried on, chosen by validation",
            {"graph", bench.datasets},
            {"on the test nodes, percent"},
            {paper, ours, published}};
  out.note = "Intervals are one population standard deviation over the splits.";
  return out;
}

// On every graph the line of GCNH that validation prefers.
std::map<std::string, Chosen> winners(const Workbench& bench, const ChosenCells& finds) {
  std::map<std::string, Chosen> out;
  for (const std::string& data : bench.datasets) {
    const Chosen *ours = find(finds, kOurs, data), *paper = find(finds, kPaper, data);
    if (!ours || !paper) continue;
    out.emplace(data, merit(paper->metric, val_mean(*paper)) > merit(ours->metric, val_mean(*ours)) ? *paper : *ours);
  }
  return out;
}

Cells cells_of(const std::vector<std::string>& names, const std::vector<std::string>& graphs,
               const ChosenCells& finds) {
  Cells out;
  for (const std::string& name : names)
    for (const std::string& data : graphs) {
      const Chosen* found = find(finds, name, data);
      out[name][data] = found ? found->by_mean : std::vector<SplitOutcome>{};
    }
  return out;
}

}  // namespace

Chapter beyond_chapter(Workbench& bench) {
  Chapter out{"beyond", "GCNH carried on"};
  out.text.push_back(
      "Every line has 24 cells, drawn at random from its grid (grid.search, for GCNH carried on grid.beyond in "
      "recipes/) "
      "and shared out among the directions in which the graph can be taken, where the model reads one, and features as "
      "they are or divided by their row sums. All cells are trained on all splits, for at most 500 epochs, those of "
      "GCNH "
      "carried on for at most 300; the test nodes are read for what validation chose.");
  const std::vector<Line> lines = lines_of(bench);
  const std::vector<std::string> names = names_of(lines);
  const ChosenCells finds = search_all(bench, lines);
  SeedMeans means;
  out.tables = {summary_table(bench, lines, finds, means), accuracy_table(bench, names, finds, false),
                accuracy_table(bench, names, finds, true), cells_table(bench, names, finds)};
  if (finds.contains(kOurs)) {
    const Cells cells = cells_of(names, bench.datasets, finds);
    const PairedTests tests = paired_tests(bench, cells, names, kOurs, "beyond");
    if (tests.pairs > 0) out.tables.insert(out.tables.end(), {tests.differences, tests.wilcoxon});
    out.tables.push_back(ablation_table(bench, finds.at(kOurs)));
    out.files["recipe.toml"] = recipe_text("beyond", winners(bench, finds));
    out.charts = {chart_of(bench, finds)};
    add_targets(bench, means, out);
  }
  if (!bench.among({"chameleon", "squirrel"}).empty()) out.tables.push_back(leak_table(bench, finds));
  out.tables.push_back(records_table(bench));
  return out;
}

}  // namespace gcnh::paper
