// The marks of each kind of chart inside its frame.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "gcnh/report/frame.h"

namespace gcnh::report {
namespace {

bool drawable(const Chart& chart, const ChartPoint& p) {
  return std::isfinite(p.x) && std::isfinite(p.y) && !(chart.x.log && p.x <= 0) && !(chart.y.log && p.y <= 0);
}

void open_series(const Chart& chart, std::size_t i, Canvas& canvas) {
  const Look look = chart.series[i].look;
  const char* type = look == Look::normal ? "series" : look == Look::faint ? "series faint" : "series points";
  canvas.open(type, colour_of(chart, i), &chart.series[i]);
}

void draw_mark(const Chart& chart, std::size_t i, const ChartPoint& p, Place at, double radius, const char* type,
               Canvas& canvas) {
  canvas.marker(shape_of(chart, i), at, radius, type, {&chart.series[i], &p});
}

// The series one after the other, with what f(i, point) draws for each point that has a place in the chart.
template <class F>
void each_point(const Chart& chart, Canvas& canvas, const F& f) {
  for (std::size_t i = 0; i < chart.series.size(); ++i) {
    open_series(chart, i, canvas);
    for (const ChartPoint& p : chart.series[i].points)
      if (drawable(chart, p)) f(i, p);
    canvas.close();
  }
}

// A missing value leaves a gap.
std::vector<std::vector<Place>> parts_of(const Series& s, const Chart& chart, const Frame& f) {
  std::vector<std::vector<Place>> out;
  bool joined = false;
  for (const ChartPoint& p : s.points) {
    const bool here = drawable(chart, p);
    if (here && !joined) out.emplace_back();
    if (here) out.back().push_back({f.x(p.x), f.y(p.y)});
    joined = here;
  }
  return out;
}

// There along the upper ends, back along the lower ones.
void draw_band(const Series& s, const Frame& f, Canvas& canvas) {
  std::vector<Place> there, back;
  for (const ChartPoint& p : s.points) {
    if (!p.has_interval()) continue;
    there.push_back({f.x(p.x), f.y(p.high)});
    back.push_back({f.x(p.x), f.y(p.low)});
  }
  if (there.empty()) return;
  there.insert(there.end(), back.rbegin(), back.rend());
  canvas.area(there, "band");
}

void draw_line(const Chart& chart, std::size_t i, const Frame& f, Canvas& canvas) {
  const Series& s = chart.series[i];
  const bool lists = s.points.size() > kMostMarks || s.look == Look::faint;
  draw_band(s, f, canvas);
  canvas.path(parts_of(s, chart, f), s.look == Look::normal ? dash_of(chart, i) : 0,
              lists ? Meaning{&s, nullptr} : Meaning{});
  if (lists) return;
  for (const ChartPoint& p : s.points)
    if (drawable(chart, p)) draw_mark(chart, i, p, {f.x(p.x), f.y(p.y)}, 3.2, "mark", canvas);
}

void draw_points(const Chart& chart, std::size_t i, const Frame& f, Canvas& canvas) {
  for (const ChartPoint& p : chart.series[i].points) {
    if (!drawable(chart, p)) continue;
    draw_mark(chart, i, p, {f.x(p.x), f.y(p.y)}, 3.2, "mark", canvas);
    if (chart.series[i].look == Look::named) canvas.text({f.x(p.x) + 7, f.y(p.y) + 4}, Anchor::start, "tick", p.label);
  }
}

void draw_lines(const Chart& chart, const Frame& f, Canvas& canvas) {
  for (Look look : {Look::faint, Look::normal, Look::dots, Look::named}) {  // what matters lies on top
    for (std::size_t i = 0; i < chart.series.size(); ++i) {
      if (chart.series[i].look != look) continue;
      open_series(chart, i, canvas);
      const bool joined = look == Look::faint || look == Look::normal;
      joined ? draw_line(chart, i, f, canvas) : draw_points(chart, i, f, canvas);
      canvas.close();
    }
  }
}

// Centre of a series' lane in a category.
double lane(const Chart& chart, const Frame& f, const ChartPoint& p, std::size_t series) {
  const double count = static_cast<double>(chart.series.size());
  const double inner = f.step - 8;
  return f.top + p.x * f.step + 4 + (static_cast<double>(series) + .5) * inner / count;
}

void draw_dots(const Chart& chart, const Frame& f, Canvas& canvas) {
  for (std::size_t c = 1; c < chart.x.categories.size(); ++c) {
    const double y = f.top + static_cast<double>(c) * f.step;
    canvas.line({0, y}, {f.right, y}, "grid");
  }
  each_point(chart, canvas, [&](std::size_t i, const ChartPoint& p) {
    const double y = lane(chart, f, p, i);
    const bool interval = p.has_interval();
    if (interval) canvas.line({f.x(p.low), y}, {f.x(p.high), y}, "interval");
    draw_mark(chart, i, p, {f.x(p.y), y}, interval ? 5 : 3.4, interval ? "mark" : "mark single", canvas);
  });
}

void draw_bars(const Chart& chart, const Frame& f, Canvas& canvas) {
  const double thickness =
      std::min(15.0, (f.step - 8) / static_cast<double>(std::max<std::size_t>(1, chart.series.size())) - 1);
  const double zero = f.x(std::max(0.0, f.x.low));
  each_point(chart, canvas, [&](std::size_t i, const ChartPoint& p) {
    const double y = lane(chart, f, p, i), end = f.x(p.y);
    canvas.rect({std::min(zero, end), y - thickness / 2, std::abs(end - zero), thickness}, "mark bar", 1,
                {&chart.series[i], &p});
    if (p.has_interval()) canvas.line({f.x(p.low), y}, {f.x(p.high), y}, "whisker");
  });
  canvas.line({zero, f.top}, {zero, f.bottom}, "axis");
}

void draw_heat(const Chart& chart, const Frame& f, Canvas& canvas) {
  double largest = 0;
  for (const Series& s : chart.series)
    for (const ChartPoint& p : s.points) largest = std::max(largest, std::isfinite(p.z) ? p.z : 0);
  each_point(chart, canvas, [&](std::size_t i, const ChartPoint& p) {
    // Faint enough at its darkest for the number that stands on it.
    const double share = largest > 0 && std::isfinite(p.z) ? std::max(0.0, p.z / largest) : 0;
    const double x = f.left + p.x * f.cell_width, y = f.top + p.y * f.cell_height;
    canvas.rect({x + .75, y + .75, f.cell_width - 1.5, f.cell_height - 1.5}, "mark cell", .04 + .5 * share,
                {&chart.series[i], &p});
    const bool percent = chart.z.percent && std::isfinite(p.z);
    const std::string shown = percent ? fmt::format("{:.3g}", std::round(1000 * p.z) / 10) : number_cell(p.z);
    if (text_width(shown) < f.cell_width + 4 && f.cell_height >= 13)
      canvas.text({x + f.cell_width / 2, y + f.cell_height / 2 + 4.5}, Anchor::middle, "value", shown);
  });
}

void draw_scatter(const Chart& chart, const Frame& f, Canvas& canvas) {
  std::size_t count = 0;
  for (const Series& s : chart.series) count += s.points.size();
  const double radius = count > 1500 ? 2.2 : count > 300 ? 2.8 : 3.6;
  canvas.open("cloud");
  each_point(chart, canvas, [&](std::size_t i, const ChartPoint& p) {
    draw_mark(chart, i, p, {f.x(p.x), f.y(p.y)}, radius, p.label.empty() ? "mark" : "mark special", canvas);
  });
  canvas.close();
}

}  // namespace

void draw_marks(const Chart& chart, const Frame& frame, Canvas& canvas) {
  const decltype(&draw_lines) draw[] = {draw_lines, draw_dots, draw_bars, draw_heat, draw_scatter};
  draw[static_cast<int>(chart.kind)](chart, frame, canvas);
}

}  // namespace gcnh::report
