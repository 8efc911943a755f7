#include "gcnh/paper/files.h"

#include "gcnh/base/error.h"
#include "gcnh/io/file.h"
#include "gcnh/report/page.h"

namespace gcnh {
namespace {

constexpr const char* kTitle = "GCNH: the paper, measured";

std::string check_line(const Check& check) { return (check.holds ? "holds: " : "DOES NOT HOLD: ") + check.claim; }

std::string to_markdown(const Chapter& chapter) {
  std::string out = "## " + chapter.title + "\n\n";
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
  for (const Check& check : chapter.checks) out.paragraphs.push_back(check_line(check));
  out.charts = chapter.charts;
  out.tables = chapter.tables;
  out.code = "gcnh paper " + chapter.name;
  return out;
}

void make_folder(const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) fail(Status::io, folder.string(), ": cannot make the folder (", error.message(), ")");
}

}  // namespace

void write_chapters(const std::filesystem::path& folder, const std::vector<Chapter>& chapters,
                    const std::string& remark) {
  make_folder(folder / "tables");
  make_folder(folder / "figures");
  std::string markdown = std::string("# ") + kTitle + "\n\n" + remark + "\n\n";
  std::vector<Section> sections;
  for (const Chapter& chapter : chapters) {
    for (const Table& table : chapter.tables) {
      const std::filesystem::path stem = folder / "tables" / table.name;
      write_atomically(stem.string() + ".md", to_markdown(table));
      write_atomically(stem.string() + ".csv", to_csv(table));
      write_atomically(stem.string() + ".tex", to_latex(table));
    }
    for (const Chart& chart : chapter.charts)
      write_atomically(folder / "figures" / (chart.name + ".svg"), to_svg(chart));
    markdown += to_markdown(chapter);
    sections.push_back(to_section(chapter));
  }
  write_atomically(folder / "paper.md", markdown);
  write_atomically(folder / "paper.html", html_page(kTitle, remark, sections));
}

}  // namespace gcnh
