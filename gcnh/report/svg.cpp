#include "gcnh/report/svg.h"

#include <fmt/core.h>

#include <array>
#include <cmath>

#include "gcnh/base/options.h"
#include "gcnh/report/escape.h"

namespace gcnh::report::svg {

std::string place(double value) {
  std::string out = fmt::format("{:.2f}", value);
  out.erase(out.find_last_not_of('0') + 1);
  if (out.ends_with('.')) out.pop_back();
  return out == "-0" ? "0" : out;
}

std::string attribute(std::string_view name, std::string_view value) {
  return fmt::format(" {}=\"{}\"", name, escape_html(value));
}

std::string data(std::string_view name, double value) {
  return std::isfinite(value) ? fmt::format(" data-{}=\"{}\"", name, to_text(value)) : "";
}

std::string data(std::string_view series, const ChartPoint& p) {
  return attribute("data-series", series) + data("x", p.x) + data("y", p.y) + data("low", p.low) +
         data("high", p.high) + data("z", p.z) + (p.label.empty() ? "" : attribute("data-label", p.label));
}

std::string line(double x1, double y1, double x2, double y2, std::string_view type) {
  return fmt::format("<line class=\"{}\" x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\"/>", type, place(x1), place(y1),
                     place(x2), place(y2));
}

std::string rect(double x, double y, double width, double height, const std::string& attributes) {
  return fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"{}/>", place(x), place(y), place(width),
                     place(height), attributes);
}

std::string text(double x, double y, std::string_view anchor, std::string_view type, std::string_view words) {
  return fmt::format("<text class=\"{}\" x=\"{}\" y=\"{}\" text-anchor=\"{}\">{}</text>", type, place(x), place(y),
                     anchor, escape_html(words));
}

std::string marker(int shape, double x, double y, double radius, const std::string& attributes) {
  // Outlines for a radius of 1, of about the same area.
  static const std::array<const char*, kColours> kShapes = {
      "",                                                                           // circle
      "M-.89-.89h1.78v1.78h-1.78z",                                                 // square
      "M0-1.2L1.1.75H-1.1z",                                                        // triangle
      "M0-1.3L1.1 0 0 1.3-1.1 0z",                                                  // diamond
      "M0 1.2L1.1-.75H-1.1z",                                                       // triangle upside down
      "M-.4-1.2h.8v.8h.8v.8h-.8v.8h-.8v-.8h-.8v-.8h.8z",                            // plus
      "M0-.6L.7-1.2 1.2-.7.6 0 1.2.7.7 1.2 0 .6-.7 1.2-1.2.7-.6 0-1.2-.7-.7-1.2z",  // cross
      "M0-1.4L.4-.45 1.33-.43.6.18.82 1.13 0 .6-.82 1.13-.6.18-1.33-.43-.4-.45z"};  // star
  if (shape == 0)
    return fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"{}\"{}/>", place(x), place(y), place(radius), attributes);
  return fmt::format("<path transform=\"translate({} {}) scale({})\" d=\"{}\"{}/>", place(x), place(y), place(radius),
                     kShapes[shape], attributes);
}

std::string dash(int number) {
  static const std::array<const char*, 6> kDashes = {"", "7 3", "2 3", "9 3 2 3", "4 2", "12 4"};
  const std::string pattern = kDashes[number % kDashes.size()];
  return pattern.empty() ? "" : attribute("stroke-dasharray", pattern);
}

double text_width(std::string_view words) { return kCharacter * static_cast<double>(display_width(words)); }

}  // namespace gcnh::report::svg
