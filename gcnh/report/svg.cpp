#include "gcnh/report/svg.h"

#include <fmt/core.h>

#include <cmath>

#include "gcnh/base/options.h"
#include "gcnh/report/escape.h"

namespace gcnh::report {
namespace {

std::string number(std::string_view name, double value) {
  return std::isfinite(value) ? fmt::format(" data-{}=\"{}\"", name, to_text(value)) : "";
}

// The numbers of a line in one attribute: an element for each would make the pages of long trainings heavy.
std::string list_of(const Series& s, double ChartPoint::*field) {
  std::string out;
  for (const ChartPoint& p : s.points)
    out += (out.empty() ? "" : " ") + (std::isfinite(p.*field) ? to_text(p.*field) : "-");
  return svg_attribute(field == &ChartPoint::x ? "data-x" : "data-y", out);
}

std::string numbers(const Meaning& meaning) {
  if (meaning.series == nullptr) return "";
  const std::string name = svg_attribute("data-series", meaning.series->name);
  if (meaning.point == nullptr)
    return name + list_of(*meaning.series, &ChartPoint::x) + list_of(*meaning.series, &ChartPoint::y);
  const ChartPoint& p = *meaning.point;
  return name + number("x", p.x) + number("y", p.y) + number("low", p.low) + number("high", p.high) + number("z", p.z) +
         (p.label.empty() ? "" : svg_attribute("data-label", p.label));
}

std::string svg_outline(const std::vector<Place>& places) {
  std::string out;
  for (const Place& p : places) out += (out.empty() ? "M" : "L") + svg_place(p.x) + " " + svg_place(p.y);
  return out;
}

}  // namespace

std::string svg_place(double value) {
  std::string out = fmt::format("{:.2f}", value);
  out.erase(out.find_last_not_of('0') + 1);
  if (out.ends_with('.')) out.pop_back();
  return out == "-0" ? "0" : out;
}

std::string svg_attribute(std::string_view name, std::string_view value) {
  return fmt::format(" {}=\"{}\"", name, escape_html(value));
}

void SvgCanvas::open(std::string_view type, int colour, const Series* series) {
  drawing_ += fmt::format("\n<g class=\"{}{}\"{}>", type, colour < 0 ? "" : fmt::format(" c{}", colour),
                          series == nullptr ? "" : svg_attribute("data-series", series->name));
}

void SvgCanvas::open_clip(const Box& box) {
  drawing_ += "\n<clipPath id=\"clip-" + id_ + "\">";
  rect(box, "", 1, {});
  drawing_ += "</clipPath>\n<g clip-path=\"url(#clip-" + id_ + ")\">";
}

void SvgCanvas::close() { drawing_ += "</g>"; }

void SvgCanvas::line(Place from, Place to, std::string_view type) {
  drawing_ += fmt::format("<line class=\"{}\" x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\"/>", type, svg_place(from.x),
                          svg_place(from.y), svg_place(to.x), svg_place(to.y));
}

void SvgCanvas::rect(const Box& box, std::string_view type, double opacity, Meaning meaning) {
  drawing_ += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"{}{}{}/>", svg_place(box.x),
                          svg_place(box.y), svg_place(box.width), svg_place(box.height),
                          type.empty() ? "" : svg_attribute("class", type) + " rx=\"1.5\"",
                          opacity < 1 ? svg_attribute("fill-opacity", svg_place(opacity)) : "", numbers(meaning));
}

void SvgCanvas::text(Place at, Anchor anchor, std::string_view type, std::string_view words) {
  const char* anchors[] = {"start", "middle", "end"};
  drawing_ += fmt::format("<text class=\"{}\" x=\"{}\" y=\"{}\" text-anchor=\"{}\">{}</text>", type, svg_place(at.x),
                          svg_place(at.y), anchors[static_cast<int>(anchor)], escape_html(words));
}

void SvgCanvas::marker(int shape, Place at, double radius, std::string_view type, Meaning meaning) {
  const std::string rest = svg_attribute("class", type) + numbers(meaning);
  if (shape == 0)
    drawing_ += fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"{}\"{}/>", svg_place(at.x), svg_place(at.y),
                            svg_place(radius), rest);
  else
    drawing_ += fmt::format("<path transform=\"translate({} {}) scale({})\" d=\"{}z\"{}/>", svg_place(at.x),
                            svg_place(at.y), svg_place(radius), svg_outline(marker_outlines()[shape]), rest);
}

void SvgCanvas::path(const std::vector<std::vector<Place>>& parts, int dash, Meaning meaning) {
  std::string outline;
  for (const std::vector<Place>& part : parts) outline += svg_outline(part);
  const std::string pattern = kDashes[dash];
  drawing_ += "<path class=\"stroke\" d=\"" + outline + "\"" +
              (pattern.empty() ? "" : svg_attribute("stroke-dasharray", pattern)) + numbers(meaning) + "/>";
}

void SvgCanvas::area(const std::vector<Place>& outline, std::string_view type) {
  drawing_ += fmt::format("<path class=\"{}\" d=\"{}z\"/>", type, svg_outline(outline));
}

}  // namespace gcnh::report
