#include "gcnh/report/chart.h"

#include <cmath>
#include <map>
#include <set>

#include "gcnh/report/assets.h"
#include "gcnh/report/escape.h"
#include "gcnh/report/pdf.h"
#include "gcnh/report/svg.h"

namespace gcnh::report {
namespace {

const char* kind_name(ChartKind kind) {
  const char* names[] = {"lines", "dots", "bars", "heat", "scatter"};
  return names[static_cast<int>(kind)];
}

// What a reader who does not see the picture is told.
std::string description(const Chart& chart) {
  std::string out = chart.y.label + (chart.x.label.empty() ? "" : " by " + chart.x.label);
  if (!chart.z.label.empty()) out = chart.z.label + " by " + out;
  if (chart.series.size() > 1) {
    std::vector<std::string> names;
    for (const Series& s : chart.series)
      if (s.look != Look::faint) names.push_back(s.name);
    out += ": ";
    for (std::size_t i = 0; i < names.size(); ++i) out += (i > 0 ? ", " : "") + names[i];
  }
  return out + ". All numbers are in the table of this figure.";
}

std::string x_cell(const Chart& chart, double x) {
  if (chart.x.categories.empty()) return number_cell(x, chart.x.percent);
  const auto number = static_cast<std::size_t>(x);
  return number < chart.x.categories.size() ? chart.x.categories[number] : number_cell(x);
}

bool any_interval(const Series& s) {
  for (const ChartPoint& p : s.points)
    if (p.has_interval()) return true;
  return false;
}

// A row per x; a series that comes back to an x, as marks may, has another row for it.
Table wide_table(const Chart& chart) {
  Table out{chart.name, chart.title, {chart.x.label}, {}, chart.note};
  using Key = std::pair<double, int>;  // x, and how often the series had it before
  std::map<Key, std::vector<std::string>> rows;
  std::map<Key, std::string> remarks;
  const auto for_each_point = [](const Series& s, const auto& f) {
    std::map<double, int> seen;
    for (const ChartPoint& p : s.points) f(Key{p.x, seen[p.x]++}, p);
  };
  for (const Series& s : chart.series)
    if (s.look != Look::faint)
      for_each_point(s, [&](const Key& key, const ChartPoint& p) {
        rows[key] = {x_cell(chart, p.x)};
        if (!p.label.empty()) remarks[key] = p.label;
      });
  for (const Series& s : chart.series) {
    if (s.look == Look::faint) continue;
    const bool interval = any_interval(s);
    out.columns.push_back(s.name);
    if (interval) out.columns.insert(out.columns.end(), {s.name + ", low", s.name + ", high"});
    for_each_point(s, [&](const Key& key, const ChartPoint& p) {
      rows[key].push_back(number_cell(p.y, chart.y.percent));
      if (!interval) return;
      rows[key].push_back(number_cell(p.low, chart.y.percent));
      rows[key].push_back(number_cell(p.high, chart.y.percent));
    });
    for (auto& [key, row] : rows) row.resize(out.columns.size());
  }
  if (!remarks.empty()) out.columns.push_back("remark");
  for (auto& [key, row] : rows) {
    if (!remarks.empty()) row.push_back(remarks[key]);
    out.rows.push_back(std::move(row));
  }
  return out;
}

// A row per point.
Table long_table(const Chart& chart) {
  bool intervals = false, labels = false;
  for (const Series& s : chart.series) {
    intervals = intervals || any_interval(s);
    for (const ChartPoint& p : s.points) labels = labels || !p.label.empty();
  }
  Table out{chart.name, chart.title, {chart.x.label, "series", chart.y.label}, {}, chart.note};
  if (intervals) out.columns.insert(out.columns.end(), {"low", "high"});
  if (labels) out.columns.push_back("remark");
  for (const Series& s : chart.series) {
    for (const ChartPoint& p : s.points) {
      std::vector<std::string> row = {x_cell(chart, p.x), s.name, number_cell(p.y, chart.y.percent)};
      if (intervals) {
        row.push_back(p.has_interval() ? number_cell(p.low, chart.y.percent) : "");
        row.push_back(p.has_interval() ? number_cell(p.high, chart.y.percent) : "");
      }
      if (labels) row.push_back(p.label);
      out.rows.push_back(std::move(row));
    }
  }
  return out;
}

// The categories of y down, those of x across.
Table matrix_table(const Chart& chart) {
  Table out{chart.name, chart.title, {chart.y.label + " \\ " + chart.x.label}, {}, chart.note};
  out.columns.insert(out.columns.end(), chart.x.categories.begin(), chart.x.categories.end());
  for (const std::string& name : chart.y.categories) {
    out.rows.emplace_back(out.columns.size());
    out.rows.back()[0] = name;
  }
  for (const Series& s : chart.series)
    for (const ChartPoint& p : s.points)
      out.rows.at(static_cast<std::size_t>(p.y)).at(static_cast<std::size_t>(p.x) + 1) =
          number_cell(p.z, chart.z.percent);
  return out;
}

}  // namespace

std::string to_svg(const Chart& chart, bool with_style) {
  const std::string id = escape_html(chart.name);
  SvgCanvas canvas(id);
  const Box size = draw_chart(chart, canvas);
  const std::string width = svg_place(size.width), height = svg_place(size.height);
  std::string out = "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"chart " + std::string(kind_name(chart.kind)) +
                    "\" id=\"chart-" + id + "\" viewBox=\"0 0 " + width + " " + height + "\" width=\"" + width +
                    "\" height=\"" + height + "\" role=\"img\" aria-labelledby=\"title-" + id + " desc-" + id + "\"";
  out += svg_attribute("data-x-label", chart.x.label) + svg_attribute("data-y-label", chart.y.label);
  if (!chart.z.label.empty()) out += svg_attribute("data-z-label", chart.z.label);
  if (chart.y.percent || chart.z.percent) out += " data-percent=\"true\"";
  out += ">\n<title id=\"title-" + id + "\">" + escape_html(chart.title) + "</title>\n<desc id=\"desc-" + id + "\">" +
         escape_html(description(chart)) + "</desc>\n";
  if (with_style) out += "<style>" + chart_style() + "</style>\n";
  return out + canvas.drawing() + "</svg>\n";
}

std::string to_pdf(const Chart& chart) {
  PdfCanvas canvas;
  const Box size = draw_chart(chart, canvas);
  return canvas.document(chart.title, size);
}

Table to_table(const Chart& chart) {
  if (chart.kind == ChartKind::heat) return matrix_table(chart);
  return chart.kind == ChartKind::lines || chart.kind == ChartKind::bars ? wide_table(chart) : long_table(chart);
}

const std::string& chart_style() {
  static const std::string style(find_text(assets(), "chart.css"));
  return style;
}

}  // namespace gcnh::report
