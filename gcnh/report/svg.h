// A drawing as SVG. Every mark carries its numbers in full precision (data-series, data-x, data-y, data-low, data-high,
// data-z), so that scripts can show them and tests can compare them.
#pragma once

#include <string>

#include "gcnh/report/canvas.h"

namespace gcnh::report {

class SvgCanvas : public Canvas {
 public:
  explicit SvgCanvas(std::string id) : id_(std::move(id)) {}  // of the chart, escaped
  const std::string& drawing() const { return drawing_; }

  void open(std::string_view type, int colour, const Series* series) override;
  void open_clip(const Box& box) override;
  void close() override;
  void line(Place from, Place to, std::string_view type) override;
  void rect(const Box& box, std::string_view type, double opacity, Meaning meaning) override;
  void text(Place at, Anchor anchor, std::string_view type, std::string_view words) override;
  void marker(int shape, Place at, double radius, std::string_view type, Meaning meaning) override;
  void path(const std::vector<std::vector<Place>>& parts, int dash, Meaning meaning) override;
  void area(const std::vector<Place>& outline, std::string_view type) override;

 private:
  std::string id_, drawing_;
};

std::string svg_place(double value);  // a coordinate, two decimals at most
std::string svg_attribute(std::string_view name, std::string_view value);

}  // namespace gcnh::report
