// What a chart is drawn on: SVG for pages and files (svg.h), PDF for papers (pdf.h). Text is 13 units high, and y
// points down. `type` names the look of a thing; assets/chart.css says what that is in SVG, pdf.cpp in PDF.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "gcnh/report/chart.h"

namespace gcnh::report {

struct Place {
  double x = 0, y = 0;
};
struct Box {
  double x = 0, y = 0, width = 0, height = 0;
};
enum class Anchor { start, middle, end };

// The numbers behind a mark, or behind a whole line. SVG keeps them.
struct Meaning {
  const Series* series = nullptr;
  const ChartPoint* point = nullptr;
};

class Canvas {
 public:
  virtual ~Canvas() = default;
  // Opens a group, which has a colour of its own and belongs to a series, or neither.
  virtual void open(std::string_view type, int colour = -1, const Series* series = nullptr) = 0;
  virtual void open_clip(const Box& box) = 0;  // a group of which only what is in the box is seen
  virtual void close() = 0;
  virtual void line(Place from, Place to, std::string_view type) = 0;
  virtual void rect(const Box& box, std::string_view type, double opacity, Meaning meaning) = 0;
  virtual void text(Place at, Anchor anchor, std::string_view type, std::string_view words) = 0;
  // One of eight shapes; series are told apart without colour.
  virtual void marker(int shape, Place at, double radius, std::string_view type, Meaning meaning) = 0;
  // Lines through places, in parts. The dash is a number of kDashes.
  virtual void path(const std::vector<std::vector<Place>>& parts, int dash, Meaning meaning) = 0;
  virtual void area(const std::vector<Place>& outline, std::string_view type) = 0;
};

// Frame and marks; returns the size of the drawing.
Box draw_chart(const Chart& chart, Canvas& canvas);

constexpr int kColours = 8;
constexpr double kCharacter = 7.2;  // mean width of a character of the charts' text, a little on the safe side
double text_width(std::string_view words);

inline constexpr std::array<const char*, 6> kDashes = {"", "7 3", "2 3", "9 3 2 3", "4 2", "12 4"};  // drawn, left out

// Outlines of the shapes for a radius of 1, of about the same area; the first is a circle and has none.
const std::array<std::vector<Place>, kColours>& marker_outlines();

inline int number_of(const Chart& chart, std::size_t series) {
  const int own = chart.series[series].colour;
  return own < 0 ? static_cast<int>(series) : own;
}
inline int dash_of(const Chart& chart, std::size_t series) {
  return number_of(chart, series) % static_cast<int>(kDashes.size());
}
// Colour and shape of a series: 64 pairs before one repeats.
inline int colour_of(const Chart& chart, std::size_t series) { return number_of(chart, series) % kColours; }
inline int shape_of(const Chart& chart, std::size_t series) {
  const int number = number_of(chart, series);
  return (number + number / kColours) % kColours;
}

}  // namespace gcnh::report
