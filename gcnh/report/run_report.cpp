#include "gcnh/report/run_report.h"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <set>

#include "gcnh/base/error.h"
#include "gcnh/io/file.h"
#include "gcnh/report/scale.h"
#include "gcnh/report/sections.h"

namespace gcnh::report {
namespace {

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

}  // namespace

double rounded(double value) {
  if (value == 0 || !std::isfinite(value)) return value;
  return std::stod(fmt::format("{:.6g}", value));
}

std::string column_of(Metric metric) { return title_of(metric) + (is_share(metric) ? ", %" : ""); }
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

Report report_runs(const std::vector<std::filesystem::path>& folders) {
  if (folders.empty()) fail(Status::usage, "no runs to report on");
  const std::vector<Group> groups = group_runs(read_runs(folders));
  std::size_t runs = 0;
  std::string names;
  for (const Group& group : groups) {
    runs += group.runs.size();
    names += (names.empty() ? "" : ", ") + group.data;
  }
  const bool one_graph =
      std::all_of(groups.begin(), groups.end(), [&](const Group& g) { return g.graph == groups[0].graph; });
  Report out{one_graph ? "Report on " + groups[0].graph : "Report on several graphs",
             fmt::format("{} on {}", counted(static_cast<std::int64_t>(runs), "run"), names),
             {}};
  out.sections.push_back(summary_section(groups));
  if (groups.size() > 1) out.sections.push_back(overview_section(groups));
  for (const Group& group : groups) {
    std::vector<Section> parts;
    add(data_section(group), parts);
    add(comparison_section(group), parts);
    add(search_section(group), parts);
    add(quality_section(group), parts);
    add(probabilities_section(group), parts);
    add(decisions_section(group), parts);
    add(surroundings_section(group), parts);
    add(errors_section(group), parts);
    add(map_section(group, kNodesOnMaps / groups.size()), parts);
    add(training_section(group), parts);
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

std::vector<std::filesystem::path> figure_files(const Report& report, const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> out;
  for_each_chart(report, [&](const Chart& chart) {
    for (const char* ending : {".svg", ".pdf"}) out.push_back(folder / (chart.name + ending));
  });
  return out;
}

std::vector<std::filesystem::path> table_files(const Report& report, const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> out;
  for_each_table(report, [&](const Table& table) {
    for (const char* ending : {".csv", ".md", ".tex"}) out.push_back(folder / (table.name + ending));
  });
  for_each_chart(report, [&](const Chart& chart) { out.push_back(folder / (chart.name + ".csv")); });
  return out;
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
