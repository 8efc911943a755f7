// A chart as data. It is drawn here and not in the browser: figures must exist as files, and the page must read without
// a script.
#pragma once

#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gcnh/report/table.h"
#include "gcnh/run/outcome.h"

namespace gcnh::report {

struct ChartPoint {
  double x = 0;  // on an axis with categories: the number of the category
  double y = 0;
  double low = std::numeric_limits<double>::quiet_NaN();  // interval around y, where there is one
  double high = std::numeric_limits<double>::quiet_NaN();
  std::string label = {};
  double z = std::numeric_limits<double>::quiet_NaN();  // value of a cell of a heat map

  bool has_interval() const { return low == low && high == high; }
};

inline ChartPoint labelled(double x, double y, std::string label) {
  ChartPoint out{x, y};
  out.label = std::move(label);
  return out;
}
// A mean with an interval of one standard deviation; with a scale of 100 in percent.
inline ChartPoint mean_point(double x, const MeanStd& m, double scale = 1) {
  return {x, scale * m.mean, scale * (m.mean - m.std), scale * (m.mean + m.std)};
}
// The same of a metric: the interval of a share is cut at 0 and 1.
inline ChartPoint mean_point(double x, const MeanStd& m, Metric metric) {
  ChartPoint out = mean_point(x, m);
  if (is_share(metric)) {
    out.low = std::max(out.low, 0.0);
    out.high = std::min(out.high, 1.0);
  }
  return out;
}

// normal: what the chart is about; faint: thin, in the background, without a legend; dots: in a chart of lines, points
// that are not joined; named: the same with their labels beside them.
enum class Look { normal, faint, dots, named };

struct Series {
  std::string name;
  std::vector<ChartPoint> points;
  Look look = Look::normal;
  int colour = -1;  // number of its colour, shape and dash; -1: its position in the chart
};

struct Axis {
  std::string label;
  std::vector<std::string> categories = {};
  bool log = false;
  bool percent = false;  // shares that are shown in percent
  std::optional<double> low = {}, high = {};
  std::vector<double> ticks = {};  // empty: round numbers
};

// lines    y over x, joined; intervals become a band
// dots     x has categories, drawn one under the other with their values to the right: names are read more easily so.
//          Points with an interval are large, points without one small. Each series has a lane of its own
// bars     as dots, from 0
// heat     x and y have categories, z is the cell's value; row 0 on top
// scatter  points of the plane; a point with a label is marked as special
enum class ChartKind { lines, dots, bars, heat, scatter };

struct Chart {
  ChartKind kind = ChartKind::lines;
  std::string name;  // of its file, without ending; also its anchor
  std::string title;
  Axis x, y;
  std::vector<Series> series;
  Axis z = {};  // label and form of a heat map's values
  std::string note = {};
  bool wide = false;  // takes the whole width of a page, and can be zoomed there
};

// Above this many points a line carries its numbers as two lists instead of one mark per point.
constexpr std::size_t kMostMarks = 40;

// A whole SVG document. Inside a page that has chart_style() the style can be left out.
std::string to_svg(const Chart& chart, bool with_style = true);

// A PDF of one page that holds the drawing alone, in the colours of paper.
std::string to_pdf(const Chart& chart);

// The numbers of a chart, without faint series: lines and bars by x, a heat map as a matrix, dots and scatter point by
// point.
Table to_table(const Chart& chart);

// The rules for the classes of to_svg, for light and dark pages and for paper.
const std::string& chart_style();

}  // namespace gcnh::report
