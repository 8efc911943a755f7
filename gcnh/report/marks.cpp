// The marks of each kind of chart inside its frame.
#include <algorithm>
#include <cmath>

#include "gcnh/base/options.h"
#include "gcnh/report/frame.h"
#include "gcnh/report/svg.h"

namespace gcnh::report {
namespace {

bool drawable(const Chart& chart, const ChartPoint& p) {
  return std::isfinite(p.x) && std::isfinite(p.y) && !(chart.x.log && p.x <= 0) && !(chart.y.log && p.y <= 0);
}

std::string open_series(const Chart& chart, std::size_t i) {
  const Look look = chart.series[i].look;
  const char* kind = look == Look::normal ? "series" : look == Look::faint ? "series faint" : "series points";
  return std::string("<g class=\"") + kind + " c" + std::to_string(svg::colour_of(chart, i)) + "\"" +
         svg::attribute("data-series", chart.series[i].name) + ">";
}

std::string mark_of(const Chart& chart, std::size_t i, const ChartPoint& p, double x, double y, double radius,
                    const char* type = "mark") {
  return svg::marker(svg::shape_of(chart, i), x, y, radius,
                     std::string(" class=\"") + type + "\"" + svg::data(chart.series[i].name, p));
}

std::string path_through(const Series& s, const Chart& chart, const Frame& f) {
  std::string out;
  bool joined = false;
  for (const ChartPoint& p : s.points) {
    const bool here = drawable(chart, p);  // a missing value leaves a gap
    if (here) out += (joined ? "L" : "M") + svg::place(f.x(p.x)) + " " + svg::place(f.y(p.y));
    joined = here;
  }
  return out;
}

// There along the upper ends, back along the lower ones.
std::string band_of(const Series& s, const Frame& f) {
  std::string there, back;
  for (const ChartPoint& p : s.points) {
    if (!p.has_interval()) continue;
    there += (there.empty() ? "M" : "L") + svg::place(f.x(p.x)) + " " + svg::place(f.y(p.high));
    back = "L" + svg::place(f.x(p.x)) + " " + svg::place(f.y(p.low)) + back;
  }
  return there.empty() ? "" : "<path class=\"band\" d=\"" + there + back + "z\"/>";
}

// The numbers of a line in one attribute: an element for each would make the pages of long trainings heavy.
std::string list_of(const Series& s, double ChartPoint::*field) {
  std::string out;
  for (const ChartPoint& p : s.points)
    out += (out.empty() ? "" : " ") + (std::isfinite(p.*field) ? to_text(p.*field) : "-");
  return out;
}

std::string line_of(const Chart& chart, std::size_t i, const Frame& f) {
  const Series& s = chart.series[i];
  std::string out = band_of(s, f) + "<path class=\"stroke\" d=\"" + path_through(s, chart, f) + "\"";
  if (s.look == Look::normal) out += svg::dash(svg::number_of(chart, i));
  if (s.points.size() > kMostMarks || s.look == Look::faint)
    return out + svg::attribute("data-series", s.name) + svg::attribute("data-x", list_of(s, &ChartPoint::x)) +
           svg::attribute("data-y", list_of(s, &ChartPoint::y)) + "/>";
  out += "/>";
  for (const ChartPoint& p : s.points)
    if (drawable(chart, p)) out += mark_of(chart, i, p, f.x(p.x), f.y(p.y), 3.2);
  return out;
}

// Centre of a series' lane in a category.
double lane(const Chart& chart, const Frame& f, const ChartPoint& p, std::size_t series) {
  const double count = static_cast<double>(chart.series.size());
  const double inner = f.step - 8;
  return f.top + p.x * f.step + 4 + (static_cast<double>(series) + .5) * inner / count;
}

// The series one after the other, what f(i, point) draws for each point that has a place in the chart.
template <class F>
std::string each_point(const Chart& chart, const F& f) {
  std::string out;
  for (std::size_t i = 0; i < chart.series.size(); ++i) {
    out += open_series(chart, i);
    for (const ChartPoint& p : chart.series[i].points)
      if (drawable(chart, p)) out += f(i, p);
    out += "</g>\n";
  }
  return out;
}

std::string points_of(const Chart& chart, std::size_t i, const Frame& f) {
  std::string out;
  for (const ChartPoint& p : chart.series[i].points) {
    if (!drawable(chart, p)) continue;
    out += mark_of(chart, i, p, f.x(p.x), f.y(p.y), 3.2);
    if (chart.series[i].look == Look::named) out += svg::text(f.x(p.x) + 7, f.y(p.y) + 4, "start", "tick", p.label);
  }
  return out;
}

std::string draw_lines(const Chart& chart, const Frame& f) {
  std::string out;
  for (Look look : {Look::faint, Look::normal, Look::dots, Look::named}) {  // what matters lies on top
    for (std::size_t i = 0; i < chart.series.size(); ++i) {
      if (chart.series[i].look != look) continue;
      const bool joined = look == Look::faint || look == Look::normal;
      out += open_series(chart, i) + (joined ? line_of(chart, i, f) : points_of(chart, i, f)) + "</g>\n";
    }
  }
  return out;
}

std::string draw_dots(const Chart& chart, const Frame& f) {
  std::string out;
  for (std::size_t c = 1; c < chart.x.categories.size(); ++c)
    out +=
        svg::line(0, f.top + static_cast<double>(c) * f.step, f.right, f.top + static_cast<double>(c) * f.step, "grid");
  return out + each_point(chart, [&](std::size_t i, const ChartPoint& p) {
           const double y = lane(chart, f, p, i);
           const std::string mark =
               mark_of(chart, i, p, f.x(p.y), y, p.has_interval() ? 5 : 3.4, p.has_interval() ? "mark" : "mark single");
           return (p.has_interval() ? svg::line(f.x(p.low), y, f.x(p.high), y, "interval") : "") + mark;
         });
}

std::string draw_bars(const Chart& chart, const Frame& f) {
  const double thickness =
      std::min(15.0, (f.step - 8) / static_cast<double>(std::max<std::size_t>(1, chart.series.size())) - 1);
  const double zero = f.x(std::max(0.0, f.x.low));
  return each_point(chart,
                    [&](std::size_t i, const ChartPoint& p) {
                      const double y = lane(chart, f, p, i), end = f.x(p.y);
                      const std::string bar =
                          svg::rect(std::min(zero, end), y - thickness / 2, std::abs(end - zero), thickness,
                                    " class=\"mark bar\" rx=\"1.5\"" + svg::data(chart.series[i].name, p));
                      return bar + (p.has_interval() ? svg::line(f.x(p.low), y, f.x(p.high), y, "whisker") : "");
                    }) +
         svg::line(zero, f.top, zero, f.bottom, "axis");
}

std::string draw_heat(const Chart& chart, const Frame& f) {
  double largest = 0;
  for (const Series& s : chart.series)
    for (const ChartPoint& p : s.points) largest = std::max(largest, std::isfinite(p.z) ? p.z : 0);
  return each_point(chart, [&](std::size_t i, const ChartPoint& p) {
    // Faint enough at its darkest for the number that stands on it.
    const double share = largest > 0 && std::isfinite(p.z) ? std::max(0.0, p.z / largest) : 0;
    const double x = f.left + p.x * f.cell_width, y = f.top + p.y * f.cell_height;
    const std::string cell =
        svg::rect(x + .75, y + .75, f.cell_width - 1.5, f.cell_height - 1.5,
                  " class=\"mark cell\" rx=\"2\"" + svg::attribute("fill-opacity", svg::place(.04 + .5 * share)) +
                      svg::data(chart.series[i].name, p));
    const std::string shown = chart.z.percent ? svg::place(std::round(1000 * p.z) / 10) : number_cell(p.z);
    if (svg::text_width(shown) >= f.cell_width + 4 || f.cell_height < 13) return cell;
    return cell + svg::text(x + f.cell_width / 2, y + f.cell_height / 2 + 4.5, "middle", "value", shown);
  });
}

std::string draw_scatter(const Chart& chart, const Frame& f) {
  std::size_t count = 0;
  for (const Series& s : chart.series) count += s.points.size();
  const double radius = count > 1500 ? 2.2 : count > 300 ? 2.8 : 3.6;
  return "<g class=\"cloud\">" +
         each_point(chart,
                    [&](std::size_t i, const ChartPoint& p) {
                      return mark_of(chart, i, p, f.x(p.x), f.y(p.y), radius,
                                     p.label.empty() ? "mark" : "mark special");
                    }) +
         "</g>";
}

}  // namespace

std::string draw_marks(const Chart& chart, const Frame& frame) {
  const decltype(&draw_lines) draw[] = {draw_lines, draw_dots, draw_bars, draw_heat, draw_scatter};
  return draw[static_cast<int>(chart.kind)](chart, frame);
}

}  // namespace gcnh::report
