// The experiments of the GCNH paper as chapters: tables, figures and claims, each from our own runs.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "gcnh/base/error.h"
#include "gcnh/report/chart.h"
#include "gcnh/report/page.h"
#include "gcnh/report/table.h"
#include "gcnh/study/tune.h"

namespace gcnh::paper {

using namespace study;
using namespace report;

struct Chapter {
  std::string name;
  std::string title;
  std::vector<std::string> text = {};  // paragraphs
  std::vector<Table> tables = {};
  std::vector<Chart> charts = {};
  std::vector<Check> checks = {};                 // statements of the paper, looked for in the records
  std::map<std::string, std::string> files = {};  // what else the folder gets: name and text
};

// Where chapters get their numbers: trained now, or found in the study's journal.
class Workbench {
 public:
  // quick: the first two splits and few epochs, to see the machinery work; the numbers mean nothing.
  Workbench(Study& study, std::filesystem::path data_dir, bool quick, std::uint64_t seed);

  const Tables& tables(const std::string& data);
  Experiment prepare(const Setup& setup, const std::string& data);
  Experiment prepare(Setup setup, Tables tables);
  // The outcomes of all splits with the setup as it is.
  std::vector<SplitOutcome> measure(const Setup& setup, const std::string& data);
  TuneResult choose(const Experiment& experiment, Grid grid, Method method = Method::grid);
  // What `make` returns, or nothing where it needs records that the journal lacks and the study may not train.
  template <class Make>
  auto if_possible(const Make& make) const -> std::optional<decltype(make())>;

  Study& study() { return study_; }
  // What the tables are about: the models of the paper's main table and the eight real graphs, unless the user wants
  // fewer.
  std::vector<std::string> models;
  std::vector<std::string> datasets;
  std::vector<std::string> views = {"paper", "clean"};
  std::filesystem::path folder;  // for what a chapter keeps besides the journal
  // Those of a chapter's own graphs that the user wants.
  std::vector<std::string> among(std::vector<std::string> names) const;
  bool quick() const { return quick_; }
  std::string splits_text() const { return quick_ ? "the first two splits" : "the ten splits"; }
  // What the cells of percent_cell are.
  std::string cells_text() const { return "Percent, mean ± population standard deviation over " + splits_text(); }
  // Called with the name of what is being measured.
  std::function<void(const std::string&)> announce = [](const std::string&) {};

 private:
  Study& study_;
  std::filesystem::path data_dir_;
  bool quick_;
  std::uint64_t seed_;
  std::map<std::string, Tables> tables_;
};

template <class Make>
auto Workbench::if_possible(const Make& make) const -> std::optional<decltype(make())> {
  try {
    return make();
  } catch (const Error& error) {
    if (study_.train_missing || error.status() != Status::data) throw;
    return {};
  }
}

struct ChapterType {
  std::string name;
  std::string summary;
  std::function<Chapter(Workbench&)> make;
  std::vector<std::string> more_graphs = {};  // that it is about, besides the eight
  bool of_paper = true;                       // off for studies of our own, which are made when asked for by name
};

// In the order of the paper, then our own.
const std::vector<ChapterType>& paper_chapters();

// Chapters as files (files.cpp): tables/NAME.{md,csv,tex}, those of the figures included, figures/NAME.svg, and
// everything in one: paper.md and paper.html; and the chapters' own files. `remark` says when and where the numbers
// were measured.
void write_chapters(const std::filesystem::path& folder, const std::vector<Chapter>& chapters,
                    const std::string& remark);

// The eight real graphs, in the paper's order.
const std::vector<std::string>& paper_datasets();

constexpr const char* kNotMeasured = "–";

// Numbers as the tables show them.
std::string signed_cell(double value);  // +1.3
// Outside: max on cora, -2.7 s.e.: why
std::string outside_text(const std::string& row, const std::string& data, double standard_errors,
                         const std::string& why);
double mean_percent(const std::vector<double>& accuracies);

}  // namespace gcnh::paper
