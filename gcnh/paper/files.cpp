// Chapters as files.
#include "gcnh/io/file.h"
#include "gcnh/paper/paper.h"
#include "gcnh/report/run_report.h"

namespace gcnh::paper {
namespace {

constexpr const char* kTitle = "GCNH: the paper, measured";

std::string check_line(const Check& check) { return (check.holds ? "holds: " : "DOES NOT HOLD: ") + check.claim; }

std::string command(const Chapter& chapter) { return "gcnh paper " + chapter.name; }

std::string to_markdown(const Chapter& chapter) {
  std::string out = "## " + chapter.title + "\n\n`" + command(chapter) + "`\n\n";
  for (const std::string& paragraph : chapter.text) out += paragraph + "\n\n";
  for (const Table& table : chapter.tables) out += to_markdown(table) + "\n";
  for (const Chart& chart : chapter.charts) {
    out += "![" + chart.title + "](figures/" + chart.name + ".svg)\n\n";
    out += to_markdown(to_table(chart)) + "\n";
  }
  for (const Check& check : chapter.checks) out += "- " + check_line(check) + "\n";
  return out + "\n";
}

Section to_section(const Chapter& chapter) {
  Section out{chapter.name, chapter.title, chapter.text};
  out.checks = chapter.checks;
  out.charts = chapter.charts;
  out.tables = chapter.tables;
  out.code = command(chapter);
  return out;
}

}  // namespace

void write_chapters(const std::filesystem::path& folder, const std::vector<Chapter>& chapters,
                    const std::string& remark) {
  std::string markdown = std::string("# ") + kTitle + "\n\n" + remark + "\n\n";
  Report report{kTitle, remark, {}};
  for (const Chapter& chapter : chapters) {
    markdown += to_markdown(chapter);
    report.sections.push_back(to_section(chapter));
    for (const auto& [name, text] : chapter.files) write_atomically(folder / name, text);
  }
  write_tables(report, folder / "tables");
  write_figures(report, folder / "figures");
  write_atomically(folder / "paper.md", markdown);
  write_atomically(folder / "paper.html", to_html(report));
}

}  // namespace gcnh::paper
