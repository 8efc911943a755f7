// gcnh report: one HTML file from run folders.
#include <fmt/core.h>

#include <memory>

#include "cli/commands.h"
#include "cli/data_flags.h"

namespace gcnh::cli {
namespace {

constexpr std::size_t kBegin = 1000;  // bytes that tell a page from other files

struct ReportFlags {
  std::vector<std::string> runs;
  std::string out;
  std::string figures;
  std::string tables;
  bool force = false;
};

// An earlier page is replaced, another file only when asked.
void check_report_file(const std::filesystem::path& path, bool force) {
  check_output({}, path.string());
  if (force || !is_file(path)) return;
  std::string begin;
  FileReader(path).read(kBegin, begin);
  if (!is_html_page(begin))
    fail(Status::usage, "'", path.string(), "' is there already and no report of gcnh; --force replaces it");
}

void check_part_files(const std::vector<std::filesystem::path>& files, bool force) {
  for (const std::filesystem::path& file : files) {
    check_output({}, file.string());
    check_new(file, force);
  }
}

void write_report(const ReportFlags& flags) {
  const Report report = report_runs({flags.runs.begin(), flags.runs.end()});
  const std::filesystem::path out =
      flags.out.empty() ? std::filesystem::path(flags.runs[0]) / "report.html" : std::filesystem::path(flags.out);
  check_report_file(out, flags.force);
  if (!flags.figures.empty()) check_part_files(figure_files(report, flags.figures), flags.force);
  if (!flags.tables.empty()) check_part_files(table_files(report, flags.tables), flags.force);
  write_atomically(out, to_html(report));
  fmt::print("report   {}\n", out.string());
  if (!flags.figures.empty()) {
    write_figures(report, flags.figures);
    fmt::print("figures  {}/*.{{svg,pdf}}\n", flags.figures);
  }
  if (!flags.tables.empty()) {
    write_tables(report, flags.tables);
    fmt::print("tables   {}/*.{{csv,md,tex}}\n", flags.tables);
  }
}

}  // namespace

void add_report(CLI::App& app) {
  auto flags = std::make_shared<ReportFlags>();
  CLI::App* command = app.add_subcommand("report", "one self-contained HTML file from runs that were kept");
  command->add_option("RUN", flags->runs, "folders of train --out or compare --out")->required();
  command->add_option("--out", flags->out, "the HTML file; default: report.html in the first folder");
  command->add_option("--figures", flags->figures, "folder: also write every chart as SVG and PDF");
  command->add_option("--tables", flags->tables,
                      "folder: also write every table as CSV, Markdown and LaTeX, and the numbers of charts as CSV");
  command->add_flag("--force", flags->force, "replace figures and tables that are there, and a FILE that is no report");
  command->footer(
      "An earlier report is replaced, files of runs never.\n"
      "Examples:\n"
      "  gcnh report runs/first                                    all models of a comparison\n"
      "  gcnh report runs/a runs/b --out ab.html --figures fig     two runs side by side, and their figures\n"
      "  gcnh report runs/texas runs/film --out all.html --tables tab   models by data, for a paper");
  command->callback([flags] { write_report(*flags); });
}

}  // namespace gcnh::cli
