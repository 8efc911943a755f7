#include "gcnh/report/frame.h"

#include <algorithm>
#include <cmath>

#include "gcnh/report/escape.h"

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
  for (const std::string& text : texts) out = std::max(out, text_width(text));
  return out;
}

std::vector<std::string> short_names(const std::vector<std::string>& names) {
  std::vector<std::string> out;
  for (const std::string& name : names) out.push_back(shorten(name, kName));
  return out;
}

// Legend entries flow in lines; returns the place below them.
double draw_legend(const Chart& chart, double right, double y, Canvas& canvas) {
  std::vector<std::size_t> shown;
  for (std::size_t i = 0; i < chart.series.size(); ++i)
    if (chart.series[i].look != Look::faint) shown.push_back(i);
  if (chart.kind == ChartKind::heat || shown.size() < 2) return y;
  double x = 2;
  canvas.open("legend");
  for (std::size_t i : shown) {
    const Series& s = chart.series[i];
    const std::string name = shorten(s.name, 40);
    const bool stroke = chart.kind == ChartKind::lines && s.look == Look::normal;
    const double width = (stroke ? 30 : 16) + text_width(name) + 14;
    if (x > 2 && x + width > right) x = 2, y += kLine;
    canvas.open("key", colour_of(chart, i), &s);
    if (stroke) canvas.path({{{x, y}, {x + 24, y}}}, dash_of(chart, i), {});
    if (!stroke || s.points.size() <= kMostMarks)
      canvas.marker(shape_of(chart, i), {x + (stroke ? 12 : 5), y}, 4, "mark", {});
    canvas.text({x + (stroke ? 30 : 16), y + 4}, Anchor::start, "label", name);
    canvas.close();
    x += width;
  }
  canvas.close();
  return y + kLine + 4;
}

void draw_bottom_axis(const Axis& axis, const AxisScale& scale, const Frame& f, Canvas& canvas) {
  const std::vector<std::string> texts = texts_of(scale, axis);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const double x = scale(scale.ticks[i]);
    canvas.line({x, f.top}, {x, f.bottom}, "grid");
    canvas.text({x, f.bottom + 17}, Anchor::middle, "tick", texts[i]);
  }
  canvas.text({(f.left + f.right) / 2, f.bottom + 36}, Anchor::middle, "label", axis.label);
}

void draw_left_axis(const Axis& axis, const AxisScale& scale, const Frame& f, Canvas& canvas) {
  const std::vector<std::string> texts = texts_of(scale, axis);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const double y = scale(scale.ticks[i]);
    canvas.line({f.left, y}, {f.right, y}, "grid");
    canvas.text({f.left - 6, y + 4}, Anchor::end, "tick", texts[i]);
  }
}

void draw_left_names(const std::vector<std::string>& categories, double step, const Frame& f, Canvas& canvas) {
  const std::vector<std::string> names = short_names(categories);
  const std::size_t every = static_cast<std::size_t>(std::ceil(13 / step));  // names must not overlap
  for (std::size_t i = 0; i < names.size(); i += every)
    canvas.text({f.left - 8, f.top + (static_cast<double>(i) + .5) * step + 4}, Anchor::end, "name", names[i]);
}

void draw_heat_names(const Chart& chart, const Frame& f, Canvas& canvas) {
  std::size_t fits = static_cast<std::size_t>(std::max(2.0, f.cell_width / kCharacter - .5));
  const std::size_t every = static_cast<std::size_t>(std::ceil(13 / f.cell_width));
  if (every > 1) fits = 3;
  for (std::size_t i = 0; i < chart.x.categories.size(); i += every)
    canvas.text({f.left + (static_cast<double>(i) + .5) * f.cell_width, f.top - 8}, Anchor::middle, "name",
                shorten(chart.x.categories[i], fits));
}

void draw_heat_frame(const Chart& chart, Frame& f, double y, Canvas& canvas) {
  const double columns = static_cast<double>(std::max<std::size_t>(1, chart.x.categories.size()));
  const double rows = static_cast<double>(chart.y.categories.size());
  f.cell_width = std::min(72.0, (f.right - f.left) / columns);
  f.cell_height = std::min(f.cell_width, 34.0);
  f.right = f.left + columns * f.cell_width;
  canvas.text({(f.left + f.right) / 2, y + 4}, Anchor::middle, "label", chart.x.label);
  f.top = y + 2 * kLine;
  f.bottom = f.top + rows * f.cell_height;
  f.height = f.bottom + 8;
  canvas.text({f.left - 8, f.top - 8}, Anchor::end, "label", chart.y.label);
  draw_left_names(chart.y.categories, f.cell_height, f, canvas);
  draw_heat_names(chart, f, canvas);
}

}  // namespace

Frame draw_frame(const Chart& chart, Canvas& canvas) {
  Frame f;
  if (chart.wide) f.width = 720, f.height = 460;
  const bool lanes = has_lanes(chart);
  const std::vector<std::string>& names = lanes ? chart.x.categories : chart.y.categories;
  double y = draw_legend(chart, f.width, 10, canvas);
  f.right = f.width - kMargin;
  if (chart.kind == ChartKind::heat) {
    f.left = std::max(widest(short_names(names)), text_width(chart.y.label)) + 12;
    draw_heat_frame(chart, f, y, canvas);
    return f;
  }
  if (!lanes) {  // the label of the upright axis lies on top, where it is read without turning the head
    canvas.text({0, y + 6}, Anchor::start, "label", chart.y.label);
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
    draw_bottom_axis(chart.y, f.x, f, canvas);
    draw_left_names(names, f.step, f, canvas);
    return f;
  }
  f.y = scale_of(chart, chart.y, true, f.bottom, f.top, 5);
  f.left = widest(texts_of(f.y, chart.y)) + 10;
  f.x = scale_of(chart, chart.x, false, f.left, f.right, 6);
  draw_left_axis(chart.y, f.y, f, canvas);
  draw_bottom_axis(chart.x, f.x, f, canvas);
  return f;
}

}  // namespace gcnh::report
