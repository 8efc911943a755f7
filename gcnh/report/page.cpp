#include "gcnh/report/page.h"

#include <algorithm>

#include "gcnh/report/assets.h"
#include "gcnh/report/escape.h"

namespace gcnh::report {
namespace {

constexpr std::size_t kRowsInPage = 120;  // of a chart's table; the files that `--tables` writes hold all

// Nothing is loaded and nothing sent, whatever a label says.
constexpr const char* kPolicy =
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

// All pages begin with it, and hardly any other file does.
std::string head() {
  return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
         "<meta http-equiv=\"Content-Security-Policy\" content=\"" +
         std::string(kPolicy) + "\">\n";
}

std::string element(const std::string& tag, const std::string& text) {
  return "<" + tag + ">" + escape_html(text) + "</" + tag.substr(0, tag.find(' ')) + ">\n";
}

std::string figure_html(const Chart& chart) {
  std::string out = "<figure class=\"" + std::string(chart.wide ? "wide" : "one") + "\">\n";
  out += "<figcaption>" + escape_html(chart.title) + "</figcaption>\n" + to_svg(chart, false);
  if (!chart.note.empty()) out += element("p class=\"note\"", chart.note);
  Table table = thin(to_table(chart), kRowsInPage);
  if (table.note.starts_with(chart.note)) table.note.erase(0, chart.note.size());
  return out + "<details><summary>Numbers</summary>\n" + to_html(table) + "</details>\n</figure>\n";
}

std::string section_html(const Section& s) {
  const std::string anchor = escape_html(s.anchor);
  std::string out = "<section id=\"" + anchor + "\" aria-labelledby=\"" + anchor + "-title\">\n<h2 id=\"" + anchor +
                    "-title\">" + escape_html(s.title) + "</h2>\n";
  for (const std::string& text : s.paragraphs) out += element("p", text);
  if (!s.checks.empty()) {
    out += "<ul class=\"checks\">\n";
    for (const Check& check : s.checks)
      out += "<li><b class=\"" + std::string(check.holds ? "holds\">holds" : "fails\">does not hold") + "</b> " +
             escape_html(check.claim) + "</li>\n";
    out += "</ul>\n";
  }
  if (!s.figures.empty()) {
    out += "<dl class=\"figures\">\n";
    for (const Figure& f : s.figures)
      out += "<div><dt>" + escape_html(f.name) + "</dt><dd>" + escape_html(f.value) + "<small>" +
             escape_html(f.remark) + "</small></dd></div>\n";
    out += "</dl>\n";
  }
  if (!s.code.empty())
    out +=
        "<pre tabindex=\"0\" role=\"region\" aria-label=\"Command\"><code>" + escape_html(s.code) + "</code></pre>\n";
  if (!s.charts.empty()) {
    out += "<div class=\"charts\">\n";
    for (const Chart& chart : s.charts) out += figure_html(chart);
    out += "</div>\n";
  }
  out += "<div class=\"tables\">\n";
  for (const Table& table : s.tables) out += to_html(table);
  out += "</div>\n";
  for (const Table& table : s.folded)
    out += "<details><summary>" + escape_html(table.title) + "</summary>\n" + to_html(table) + "</details>\n";
  return out + "</section>\n";
}

}  // namespace

bool is_html_page(std::string_view begin) { return begin.starts_with(head()); }

std::string html_page(const std::string& title, const std::string& subtitle, const std::vector<Section>& sections) {
  std::string out = head();
  out += "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n";
  out += "<meta name=\"color-scheme\" content=\"light dark\">\n" + element("title", title);
  out += "<style>\n" + chart_style() + std::string(find_text(assets(), "report.css")) + "</style>\n</head>\n<body>\n";
  out += "<header>\n" + element("h1", title) + element("p", subtitle) + "<nav aria-label=\"Sections\">";
  for (const Section& s : sections)
    out += "<a href=\"#" + escape_html(s.anchor) + "\">" + escape_html(s.title) + "</a> ";
  out += "</nav>\n</header>\n<main>\n";
  for (const Section& s : sections) out += section_html(s);
  out += "</main>\n<footer>\n<details><summary>Licence of d3, which is part of this page</summary>\n<pre>";
  for (std::string_view rest = find_text(assets(), "copyright"); !rest.empty();) {  // escaping joins lines
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    out += escape_html(rest.substr(0, end)) + "\n";
    rest.remove_prefix(std::min(rest.size(), end + 1));
  }
  out += "</pre></details>\n</footer>\n";
  out += "<script>" + std::string(find_text(assets(), "d3.min.js")) + "</script>\n";
  out += "<script>\n" + std::string(find_text(assets(), "report.js")) + "</script>\n";
  return out + "</body>\n</html>\n";
}

}  // namespace gcnh::report
