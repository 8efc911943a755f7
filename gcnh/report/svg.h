// Pieces of SVG.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "gcnh/report/chart.h"

namespace gcnh::report::svg {

constexpr int kColours = 8;
constexpr double kCharacter = 7.2;  // mean width of a character of the charts' text, a little on the safe side

std::string place(double value);  // a coordinate, two decimals at most
std::string attribute(std::string_view name, std::string_view value);
std::string data(std::string_view name, double value);  // data-name in full precision; nothing when not a number
std::string data(std::string_view series, const ChartPoint& point);

std::string line(double x1, double y1, double x2, double y2, std::string_view type);
std::string rect(double x, double y, double width, double height, const std::string& attributes);
// anchor: start, middle or end
std::string text(double x, double y, std::string_view anchor, std::string_view type, std::string_view words);
// One of eight shapes around a place; series are told apart without colour.
std::string marker(int shape, double x, double y, double radius, const std::string& attributes);
std::string dash(int number);  // stroke-dasharray of a series' line; empty: solid

double text_width(std::string_view words);

inline int number_of(const Chart& chart, std::size_t series) {
  const int own = chart.series[series].colour;
  return own < 0 ? static_cast<int>(series) : own;
}
// Colour and shape of a series: 64 pairs before one repeats.
inline int colour_of(const Chart& chart, std::size_t series) { return number_of(chart, series) % kColours; }
inline int shape_of(const Chart& chart, std::size_t series) {
  const int number = number_of(chart, series);
  return (number + number / kColours) % kColours;
}

}  // namespace gcnh::report::svg
