// A drawing as PDF 1.4, with vectors and text and without anything that would have to be embedded: text is in
// Helvetica, which every reader has, so letters outside of the Latin alphabet become words or a question mark
// (to_winansi in escape.h).
#pragma once

#include <set>
#include <string>

#include "gcnh/report/canvas.h"

namespace gcnh::report {

class PdfCanvas : public Canvas {
 public:
  // The whole file; the title is that of its properties.
  std::string document(const std::string& title, const Box& size) const;

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
  struct Group {
    std::string type;
    int colour = -1;
    bool clips = false;
  };
  int colour() const;  // of the innermost group that has one
  bool is_inside(std::string_view type) const;
  void fill(const std::string& rgb, double opacity);
  void stroke(const std::string& rgb, double width, double opacity = 1);
  void use_opacity(char which, double opacity);

  std::vector<Group> groups_;
  std::string drawing_;
  std::set<std::string> opacities_;  // by the names of their states
};

}  // namespace gcnh::report
