// The report of one or more run folders, and the section of a search.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "gcnh/report/page.h"
#include "gcnh/study/tune.h"

namespace gcnh::report {

using namespace study;

struct Report {
  std::string title;
  std::string subtitle;
  std::vector<Section> sections;
};

// From folders that `gcnh train --out` or `gcnh compare --out` made; a folder of runs stands for all of them.
Report report_runs(const std::vector<std::filesystem::path>& folders);

std::string to_html(const Report& report);

// What a search over options found, as a section (tune_section.cpp).
// The winner, for every option that was varied the cells by its value, and the best cells. Only the winner has a test
// score.
Section tune_section(const Experiment& experiment, const TuneResult& result);

// Every chart as NAME.svg and NAME.pdf.
void write_figures(const Report& report, const std::filesystem::path& folder);
// Every table as NAME.csv, NAME.md and NAME.tex, and the numbers of every chart, which may be many, as NAME.csv.
void write_tables(const Report& report, const std::filesystem::path& folder);
// What the two write there.
std::vector<std::filesystem::path> figure_files(const Report& report, const std::filesystem::path& folder);
std::vector<std::filesystem::path> table_files(const Report& report, const std::filesystem::path& folder);

}  // namespace gcnh::report
