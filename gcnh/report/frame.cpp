#include "gcnh/report/frame.h"

#include <algorithm>
#include <cmath>

#include "gcnh/report/escape.h"
#include "gcnh/report/svg.h"

namespace gcnh::report {
namespace {

constexpr double kLine = 18;       // distance of lines of text
constexpr double kMargin = 14;     // right of the marks, so that the last tick's text fits
constexpr std::size_t kName = 28;  // characters of a category's name

bool has_lanes(const Chart& chart) { return chart.kind == ChartKind::dots || chart.kind == ChartKind::bars; }

struct Range {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  void add(double v, bool log) {
    if (!std::isfinite(v) || (log && v <= 0)) return;
    low = std::min(low, v);
    high = std::max(high, v);
  }
};

AxisScale scale_of(const Chart& chart, const Axis& axis, bool vertical, double from, double to, int about) {
  Range range;
  for (const Series& s : chart.series) {
    for (const ChartPoint& p : s.points) {
      range.add(vertical ? p.y : p.x, axis.log);
      if (vertical) range.add(p.low, axis.log), range.add(p.high, axis.log);
    }
  }
  if (chart.kind == ChartKind::bars) range.add(0, axis.log);
  if (axis.low) range.low = *axis.low;
  if (axis.high) range.high = *axis.high;
  if (!(range.low <= range.high)) range = {axis.log ? 1.0 : 0.0, axis.log ? 10.0 : 1.0};
  AxisScale out = make_scale(range.low, range.high, axis.log, from, to, about);
  if (axis.ticks.empty()) return out;
  out.ticks = axis.ticks;
  std::erase_if(out.ticks, [&](double tick) { return tick < out.low || tick > out.high; });
  return out;
}

std::vector<std::string> texts_of(const AxisScale& scale, const Axis& axis) {
  std::vector<double> shown = scale.ticks;
  for (double& tick : shown) tick *= axis.percent ? 100 : 1;
  return tick_texts(shown);
}

double widest(const std::vector<std::string>& texts) {
  double out = 0;
  for (const std::string& text : texts) out = std::max(out, svg::text_width(text));
  return out;
}

std::vector<std::string> short_names(const std::vector<std::string>& names) {
  std::vector<std::string> out;
  for (const std::string& name : names) out.push_back(shorten(name, kName));
  return out;
}

// Legend entries flow in lines; returns the place below them.
double add_legend(const Chart& chart, Frame& f, double y) {
  std::vector<std::size_t> shown;
  for (std::size_t i = 0; i < chart.series.size(); ++i)
    if (chart.series[i].look != Look::faint) shown.push_back(i);
  if (chart.kind == ChartKind::heat || shown.size() < 2) return y;
  double x = 2;
  f.drawing += "<g class=\"legend\">";
  for (std::size_t i : shown) {
    const std::string name = shorten(chart.series[i].name, 40);
    const bool stroke = chart.kind == ChartKind::lines && chart.series[i].look == Look::normal;
    const double width = (stroke ? 30 : 16) + svg::text_width(name) + 14;
    if (x > 2 && x + width > f.width) x = 2, y += kLine;
    f.drawing += "<g class=\"key c" + std::to_string(svg::colour_of(chart, i)) + "\"" +
                 svg::attribute("data-series", chart.series[i].name) + ">";
    if (stroke)
      f.drawing += "<path class=\"stroke\" d=\"M" + svg::place(x) + " " + svg::place(y) + "h24\"" +
                   svg::dash(svg::number_of(chart, i)) + "/>";
    if (!stroke || chart.series[i].points.size() <= kMostMarks)
      f.drawing += svg::marker(svg::shape_of(chart, i), x + (stroke ? 12 : 5), y, 4, " class=\"mark\"");
    f.drawing += svg::text(x + (stroke ? 30 : 16), y + 4, "start", "label", name) + "</g>";
    x += width;
  }
  f.drawing += "</g>";
  return y + kLine + 4;
}

void add_bottom_axis(const Axis& axis, const AxisScale& scale, Frame& f) {
  const std::vector<std::string> texts = texts_of(scale, axis);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    f.drawing += svg::line(scale(scale.ticks[i]), f.top, scale(scale.ticks[i]), f.bottom, "grid");
    f.drawing += svg::text(scale(scale.ticks[i]), f.bottom + 17, "middle", "tick", texts[i]);
  }
  f.drawing += svg::text((f.left + f.right) / 2, f.bottom + 36, "middle", "label", axis.label);
}

void add_left_axis(const Axis& axis, const AxisScale& scale, Frame& f) {
  const std::vector<std::string> texts = texts_of(scale, axis);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    f.drawing += svg::line(f.left, scale(scale.ticks[i]), f.right, scale(scale.ticks[i]), "grid");
    f.drawing += svg::text(f.left - 6, scale(scale.ticks[i]) + 4, "end", "tick", texts[i]);
  }
}

void add_left_names(const std::vector<std::string>& categories, double step, Frame& f) {
  const std::vector<std::string> names = short_names(categories);
  const std::size_t every = static_cast<std::size_t>(std::ceil(13 / step));  // names must not overlap
  for (std::size_t i = 0; i < names.size(); i += every)
    f.drawing += svg::text(f.left - 8, f.top + (static_cast<double>(i) + .5) * step + 4, "end", "name", names[i]);
}

void add_heat_names(const Chart& chart, Frame& f) {
  std::size_t fits = static_cast<std::size_t>(std::max(2.0, f.cell_width / svg::kCharacter - .5));
  const std::size_t every = static_cast<std::size_t>(std::ceil(13 / f.cell_width));
  if (every > 1) fits = 3;
  for (std::size_t i = 0; i < chart.x.categories.size(); i += every)
    f.drawing += svg::text(f.left + (static_cast<double>(i) + .5) * f.cell_width, f.top - 8, "middle", "name",
                           shorten(chart.x.categories[i], fits));
}

void place_heat(const Chart& chart, Frame& f, double y) {
  const double columns = static_cast<double>(std::max<std::size_t>(1, chart.x.categories.size()));
  const double rows = static_cast<double>(chart.y.categories.size());
  f.cell_width = std::min(72.0, (f.right - f.left) / columns);
  f.cell_height = std::min(f.cell_width, 34.0);
  f.right = f.left + columns * f.cell_width;
  f.drawing += svg::text((f.left + f.right) / 2, y + 4, "middle", "label", chart.x.label);
  f.top = y + 2 * kLine;
  f.bottom = f.top + rows * f.cell_height;
  f.height = f.bottom + 8;
  f.drawing += svg::text(f.left - 8, f.top - 8, "end", "label", chart.y.label);
  add_left_names(chart.y.categories, f.cell_height, f);
  add_heat_names(chart, f);
}

}  // namespace

Frame make_frame(const Chart& chart) {
  Frame f;
  if (chart.wide) f.width = 720, f.height = 460;
  const bool lanes = has_lanes(chart);
  const std::vector<std::string>& names = lanes ? chart.x.categories : chart.y.categories;
  double y = add_legend(chart, f, 10);
  f.right = f.width - kMargin;
  if (chart.kind == ChartKind::heat) {
    f.left = std::max(widest(short_names(names)), svg::text_width(chart.y.label)) + 12;
    place_heat(chart, f, y);
    return f;
  }
  if (!lanes) {  // the label of the upright axis lies on top, where it is read without turning the head
    f.drawing += svg::text(0, y + 6, "start", "label", chart.y.label);
    y += kLine;
  }
  f.top = y + 4;
  const std::size_t count = std::max<std::size_t>(1, chart.series.size());
  f.step = chart.kind == ChartKind::bars ? std::max(22.0, 15.0 * static_cast<double>(count) + 7)
                                         : std::max(28.0, 16.0 * static_cast<double>(count) + 10);
  f.bottom = lanes ? f.top + f.step * static_cast<double>(names.size()) : f.height - 44;
  f.height = f.bottom + 44;
  if (lanes) {
    f.left = widest(short_names(names)) + 14;
    f.x = scale_of(chart, chart.y, true, f.left, f.right, 6);
    add_bottom_axis(chart.y, f.x, f);
    add_left_names(names, f.step, f);
    return f;
  }
  f.y = scale_of(chart, chart.y, true, f.bottom, f.top, 5);
  f.left = widest(texts_of(f.y, chart.y)) + 10;
  f.x = scale_of(chart, chart.x, false, f.left, f.right, 6);
  add_left_axis(chart.y, f.y, f);
  add_bottom_axis(chart.x, f.x, f);
  return f;
}

}  // namespace gcnh::report
