#include "gcnh/report/run_report.h"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <set>

#include "gcnh/base/error.h"
#include "gcnh/io/file.h"
#include "gcnh/report/scale.h"
#include "gcnh/report/sections.h"
#include "gcnh/study/floors.h"

namespace gcnh::report {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kNodesOnMaps = 5000;  // of all maps together: each takes some 200 bytes of the page

void add(Section section, std::vector<Section>& to) {
  if (!section.charts.empty() || !section.tables.empty() || !section.figures.empty()) to.push_back(std::move(section));
}

// Calls f with every table that stands on its own.
template <class F>
void for_each_table(const Report& report, const F& f) {
  for (const Section& section : report.sections) {
    for (const Table& table : section.tables) f(table);
    for (const Table& table : section.folded) f(table);
  }
}

template <class F>
void for_each_chart(const Report& report, const F& f) {
  for (const Section& section : report.sections)
    for (const Chart& chart : section.charts) f(chart);
}

// Tables and charts become files and anchors of their names.
void check_names(const Report& report) {
  std::set<std::string> seen;
  const auto check = [&](const auto& part) {
    require(seen.insert(part.name).second, "report '", report.title, "': two tables are named '", part.name, "'");
  };
  for_each_table(report, check);
  for_each_chart(report, check);
}

std::string leaf(const fs::path& path) { return fs::absolute(path).lexically_normal().filename().string(); }

}  // namespace

double rounded(double value) {
  if (value == 0 || !std::isfinite(value)) return value;
  return std::stod(fmt::format("{:.6g}", value));
}

std::string percent(double share) { return number_cell(share, true); }
std::string whole(double number) { return tick_texts({number, number + 1})[0]; }

std::string counted_whole(double number, const std::string& one) {
  return whole(number) + " " + plural(static_cast<std::int64_t>(number), one);
}

std::string file_name(const std::string& text) {
  std::string out;
  for (char c : text) {
    const bool plain = std::isalnum(static_cast<unsigned char>(c)) != 0 && static_cast<unsigned char>(c) < 128;
    if (plain) out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    if (!plain && !out.empty() && out.back() != '-') out += '-';
  }
  while (out.ends_with('-')) out.pop_back();
  return out.empty() ? "x" : out;
}

std::vector<Run> read_runs(const std::vector<fs::path>& folders) {
  std::vector<Run> runs;
  std::set<fs::path> seen;
  for (const fs::path& folder : folders) {
    for (const fs::path& path : find_runs(folder)) {
      if (!seen.insert(fs::canonical(path)).second) continue;
      runs.push_back({read_run(path), "", "", {}, {}});
      Run& run = runs.back();
      run.name = run.model;
      run.val = mean_std(val_accuracies(run.result.splits));
      run.test = mean_std(test_accuracies(run.result.splits));
    }
  }
  std::map<std::string, int> count;
  const auto key = [](const Run& run) { return run.data.name + "\n" + run.data.view + "\n" + run.model; };
  for (const Run& run : runs) ++count[key(run)];
  std::stable_partition(runs.begin(), runs.end(), [](const Run& run) { return !is_floor(run.model); });  // below all
  std::map<std::string, int> used;
  for (Run& run : runs) {
    if (count[key(run)] > 1 && leaf(run.path) != run.model) run.name += " (" + leaf(run.path) + ")";
    if (const int again = ++used[key(run) + run.name]; again > 1) run.name += " #" + std::to_string(again);
  }
  return runs;
}

const Run& Group::best() const {
  const auto rank = [](const Run& run) { return std::pair(!is_floor(run.model), run.val.mean); };
  return *std::max_element(runs.begin(), runs.end(), [&](const Run& a, const Run& b) { return rank(a) < rank(b); });
}

std::vector<Group> group_runs(std::vector<Run> runs) {
  std::vector<Group> out;
  for (Run& run : runs) {
    const std::string data = run.data.name + " (" + run.data.view + " view)";
    auto found = std::find_if(out.begin(), out.end(), [&](const Group& g) { return g.data == data; });
    if (found == out.end()) found = out.insert(out.end(), {data, "", {}});
    run.file = file_name(run.name);
    const auto same = [&](const Run& other) { return other.file == run.file; };
    if (std::any_of(found->runs.begin(), found->runs.end(), same)) run.file += "-" + std::to_string(found->runs.size());
    found->runs.push_back(std::move(run));
  }
  if (out.size() > 1)
    for (std::size_t i = 0; i < out.size(); ++i) out[i].suffix = "-" + std::to_string(i + 1);
  return out;
}

Report report_runs(const std::vector<std::filesystem::path>& folders) {
  const std::vector<Group> groups = group_runs(read_runs(folders));
  std::size_t runs = 0;
  std::string names;
  for (const Group& group : groups) {
    runs += group.runs.size();
    names += (names.empty() ? "" : ", ") + group.data;
  }
  Report out{groups.size() == 1 ? "Report on " + groups[0].runs[0].data.name : "Report on several graphs",
             fmt::format("{} on {}", counted(static_cast<std::int64_t>(runs), "run"), names),
             {}};
  out.sections.push_back(summary_section(groups));
  for (const Group& group : groups) {
    std::vector<Section> parts;
    add(data_section(group), parts);
    add(comparison_section(group), parts);
    add(training_section(group), parts);
    add(quality_section(group), parts);
    add(map_section(group, kNodesOnMaps / groups.size()), parts);
    for (Section& part : parts) {
      part.anchor += group.suffix;
      if (groups.size() > 1) part.title += ": " + group.data;
      for (Chart& chart : part.charts) chart.name += group.suffix;
      for (Table& table : part.tables) table.name += group.suffix;
      for (Table& table : part.folded) table.name += group.suffix;
      out.sections.push_back(std::move(part));
    }
  }
  out.sections.push_back(appendix_section(groups));
  return out;
}

std::string to_html(const Report& report) {
  check_names(report);
  return html_page(report.title, report.subtitle, report.sections);
}

void write_figures(const Report& report, const std::filesystem::path& folder) {
  make_folders(folder);
  for_each_chart(report, [&](const Chart& chart) {
    write_atomically(folder / (chart.name + ".svg"), to_svg(chart));
    write_atomically(folder / (chart.name + ".pdf"), to_pdf(chart));
  });
}

void write_tables(const Report& report, const std::filesystem::path& folder) {
  make_folders(folder);
  check_names(report);
  for_each_table(report, [&](const Table& table) {
    write_atomically(folder / (table.name + ".csv"), to_csv(table));
    write_atomically(folder / (table.name + ".md"), to_markdown(table));
    write_atomically(folder / (table.name + ".tex"), to_latex(table));
  });
  for_each_chart(
      report, [&](const Chart& chart) { write_atomically(folder / (chart.name + ".csv"), to_csv(to_table(chart))); });
}

}  // namespace gcnh::report
