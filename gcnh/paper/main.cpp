// The main table: mean test accuracy of nine models on eight graphs over the ten published splits.
#include <fmt/format.h>

#include <cmath>

#include "gcnh/paper/main_table.h"
#include "gcnh/paper/published.h"

namespace gcnh::paper {
namespace {

struct Tally {
  int near_paper = 0, cells = 0;
  std::vector<std::string> near_rerun;  // not near the paper, but near the authors' code run again
  std::vector<std::string> outside;
  int within() const { return near_paper + static_cast<int>(near_rerun.size()); }
};

// How many cells lie within two standard errors of the paper, or of the authors' code run again.
Tally count_within(const Cells& cells) {
  Tally out;
  for (const auto& [model, row] : cells) {
    for (const auto& [data, records] : row) {
      if (records.empty()) continue;
      const double mean = mean_percent(test_accuracies(records));
      ++out.cells;
      const double se = distance("accuracy", model, data, mean).value();
      if (std::abs(se) <= 2) {
        ++out.near_paper;
      } else if (is_near("accuracy", model, data, mean)) {
        out.near_rerun.push_back(fmt::format("{} on {}: {:.2f} here, {:.2f} there, {:.2f} printed", model, data, mean,
                                             published("rerun", model, data)[0],
                                             published("accuracy", model, data)[0]));
      } else {
        out.outside.push_back(outside_text(model, data, se, explanation(model, data)));
      }
    }
  }
  return out;
}

std::string to_text(const Tally& tally) {
  std::string out =
      fmt::format("{} of {} cells lie within two standard errors of the paper", tally.near_paper, tally.cells);
  if (!tally.near_rerun.empty())
    out += fmt::format(", {} more within two of the authors' code run again ({})", tally.near_rerun.size(),
                       fmt::join(tally.near_rerun, "; "));
  return out + ".";
}

// The printed mean, how far the measured one is from it, and whether the options are ours.
std::string published_cell(const std::string& model, const std::string& data, double mean) {
  return fmt::format(" ({:.2f}, {}){}", published("accuracy", model, data).at(0),
                     signed_cell(distance("accuracy", model, data, mean).value()),
                     has_own_options(model, data) ? " †" : "");
}

Table own_view_table(const Workbench& bench, const Cells& cells) {
  const auto text = [&](const std::string& model, const std::string& data) {
    const std::vector<double> a = test_accuracies(cells.at(model).at(data));
    if (a.empty()) return std::string(kNotMeasured);
    return percent_cell(a) + published_cell(model, data, mean_percent(a));
  };
  return model_table(
      bench.models, bench.datasets, "main-paper",
      "Test accuracy in the view of each model's own code, and its distance to the paper", text,
      bench.cells_text() +
          "; in parentheses the printed mean and the difference to it in its standard errors, σ/√10. † The options "
          "were not published, or several were and not which of them was used; recipes/ says where ours come from.");
}

Table published_table(const Workbench& bench) {
  return model_table(bench.models, bench.datasets, "main-published", "Test accuracy as printed", printed_accuracy,
                     "Percent, mean ± population standard deviation over ten splits.");
}

// Rank among the measured models on a dataset by a score, 1 is best; equals share the better rank.
int rank_of(const Workbench& bench, const Cells& cells, const std::string& model, const std::string& data,
            const std::function<double(const std::string&)>& score) {
  int rank = 1;
  for (const std::string& other : bench.models)
    rank += !cells.at(other).at(data).empty() && score(other) > score(model);
  return rank;
}

Table rank_table(const Workbench& bench, const Cells& cells) {
  const auto text = [&](const std::string& model, const std::string& data) {
    if (cells.at(model).at(data).empty()) return std::string(kNotMeasured);
    const auto measured = [&](const std::string& m) { return mean_percent(test_accuracies(cells.at(m).at(data))); };
    const auto printed = [&](const std::string& m) { return published("accuracy", m, data)[0]; };
    return fmt::format("{} ({})", rank_of(bench, cells, model, data, measured),
                       rank_of(bench, cells, model, data, printed));
  };
  return model_table(bench.models, bench.datasets, "main-ranks", "Rank on each dataset: measured, and as printed", text,
                     "1 is best. In parentheses the rank by the printed means.");
}

Chart gcnh_chart(const Workbench& bench, const Cells& cells) {
  Series measured{"measured", {}}, printed{"paper", {}};
  for (std::size_t i = 0; i < bench.datasets.size(); ++i) {
    const std::string& data = bench.datasets[i];
    if (cells.at("gcnh").at(data).empty()) continue;
    const double x = static_cast<double>(i);
    measured.points.push_back(mean_point(x, mean_std(test_accuracies(cells.at("gcnh").at(data))), 100));
    const std::vector<double> p = published("accuracy", "gcnh", data);
    printed.points.push_back(mean_point(x, {p[0], p[1]}));
  }
  Chart out{ChartKind::dots,
            "main-gcnh",
            "GCNH on the eight graphs: measured and as printed",
            {"dataset", bench.datasets},
            {"test accuracy, percent"},
            {measured, printed}};
  out.note = "Intervals are one population standard deviation over the splits.";
  return out;
}

}  // namespace

Chapter main_chapter(Workbench& bench) {
  const bool whole = bench.models.size() == 9 && bench.datasets.size() == 8;
  Chapter out{"main", whole ? "Nine models on eight graphs" : "Some of the nine models, or of the eight graphs"};
  Cells own;
  for (const std::string& view : bench.views) {
    const Cells cells = measure_cells(bench, view);
    if (view != "paper") {
      out.tables.push_back(clean_table(bench, cells, own));
      if (const std::string text = view_text(bench, cells, own); !text.empty()) out.text.push_back(text);
      continue;
    }
    own = cells;
    out.tables.push_back(own_view_table(bench, cells));
    const Tally tally = count_within(cells);
    out.text.push_back(to_text(tally));
    if (!bench.quick()) out.text.insert(out.text.end(), tally.outside.begin(), tally.outside.end());
    out.tables.push_back(published_table(bench));
    out.tables.push_back(rank_table(bench, cells));
    if (cells.contains("gcnh")) {
      const PairedTests tests = paired_tests(bench, cells, bench.models, "gcnh", "main");
      if (tests.pairs > 0) {
        out.text.push_back(
            fmt::format("Of {} pairs of GCNH and another model on a dataset, GCNH is better in {} and worse in {} at "
                        "the 5 % level; {} do not tell the others apart.",
                        tests.pairs, tests.better, tests.worse, bench.splits_text()));
        out.tables.push_back(tests.differences);
        out.tables.push_back(tests.wilcoxon);
      }
      out.charts = {gcnh_chart(bench, cells)};
    }
    if (tally.within() >= 62 || tally.cells == 72)
      out.checks.push_back({"at least 62 of 72 cells within two standard errors", tally.within() >= 62});
  }
  return out;
}

}  // namespace gcnh::paper
