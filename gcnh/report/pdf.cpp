#include "gcnh/report/pdf.h"

#include <fmt/core.h>

#include <array>
#include <cmath>

#include "gcnh/report/escape.h"
#include "gcnh/report/svg.h"

namespace gcnh::report {
namespace {

constexpr double kPoint = .75;  // points per unit, as browsers print

// The colours of assets/chart.css for print.
const std::array<const char*, kColours> kSeriesColours = {"#0068a8", "#c85200", "#00805d", "#b0508a",
                                                          "#9a6a00", "#3a8fc9", "#5b4bb3", "#666666"};
constexpr const char* kInk = "#000000";
constexpr const char* kSoft = "#444444";
constexpr const char* kHair = "#dddddd";
constexpr const char* kPaper = "#ffffff";

// Widths of Helvetica's characters from the blank to ~, in thousandths of its size; others are taken as a digit's.
constexpr std::array<int, 95> kWidths = {
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333,  278, 278, 556, 556, 556,
    556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667,
    611, 778, 722, 278, 500, 667, 556, 833, 722, 778, 667, 778, 722, 667,  611, 722, 667, 944, 667,
    667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556, 556, 278,  556, 556, 222, 222, 500,
    222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500,  500, 334, 260, 334, 584};

std::string rgb_of(const std::string& hex) {
  std::string out;
  for (std::size_t at = 1; at < 7; at += 2)
    out += fmt::format("{:.3g} ", std::stoi(hex.substr(at, 2), nullptr, 16) / 255.0);
  return out;
}

std::string at_place(Place p) { return svg_place(p.x) + " " + svg_place(p.y) + " "; }

std::string pdf_outline(const std::vector<Place>& places) {
  std::string out;
  for (const Place& p : places) out += at_place(p) + (out.empty() ? "m " : "l ");
  return out;
}

// Four curves, as usual.
std::string circle(Place c, double r) {
  const double k = .5523 * r;
  const auto curve = [&](Place a, Place b, Place to) { return at_place(a) + at_place(b) + at_place(to) + "c "; };
  return at_place({c.x + r, c.y}) + "m " + curve({c.x + r, c.y + k}, {c.x + k, c.y + r}, {c.x, c.y + r}) +
         curve({c.x - k, c.y + r}, {c.x - r, c.y + k}, {c.x - r, c.y}) +
         curve({c.x - r, c.y - k}, {c.x - k, c.y - r}, {c.x, c.y - r}) +
         curve({c.x + k, c.y - r}, {c.x + r, c.y - k}, {c.x + r, c.y});
}

double width_of(const std::string& letters, double size) {
  int sum = 0;
  for (unsigned char c : letters) sum += c >= 32 && c < 127 ? kWidths[c - 32u] : 556;
  return size * sum / 1000;
}

std::string literal(const std::string& letters) {
  std::string out = "(";
  for (unsigned char c : letters) {
    if (c == '(' || c == ')' || c == '\\') out += '\\';
    out += c < 127 ? std::string(1, static_cast<char>(c)) : fmt::format("\\{:03o}", c);
  }
  return out + ")";
}

}  // namespace

int PdfCanvas::colour() const {
  for (auto group = groups_.rbegin(); group != groups_.rend(); ++group)
    if (group->colour >= 0) return group->colour;
  return 0;
}

bool PdfCanvas::is_inside(std::string_view type) const {
  for (const Group& group : groups_)
    if (group.type == type) return true;
  return false;
}

void PdfCanvas::use_opacity(char which, double opacity) {
  const std::string name = fmt::format("{}{:.0f}", which, 100 * opacity);
  opacities_.insert(name);
  drawing_ += "/" + name + " gs ";
}

void PdfCanvas::fill(const std::string& rgb, double opacity) {
  drawing_ += rgb_of(rgb) + "rg ";
  use_opacity('f', opacity);
}

void PdfCanvas::stroke(const std::string& rgb, double width, double opacity) {
  drawing_ += rgb_of(rgb) + "RG " + svg_place(width) + " w ";
  use_opacity('s', opacity);
}

void PdfCanvas::open(std::string_view type, int colour, const Series*) {
  groups_.push_back({std::string(type), colour, false});
}

void PdfCanvas::open_clip(const Box& box) {
  groups_.push_back({"", -1, true});
  drawing_ += "q " + at_place({box.x, box.y}) + at_place({box.width, box.height}) + "re W n\n";
}

void PdfCanvas::close() {
  if (groups_.back().clips) drawing_ += "Q\n";
  groups_.pop_back();
}

void PdfCanvas::line(Place from, Place to, std::string_view type) {
  if (type == "interval")
    stroke(kSeriesColours[colour()], 2.5);
  else
    stroke(type == "grid" ? kHair : type == "axis" ? kSoft : kInk, type == "whisker" ? 1.25 : 1);
  drawing_ += pdf_outline({from, to}) + "S\n";
}

void PdfCanvas::rect(const Box& box, std::string_view type, double opacity, Meaning) {
  fill(kSeriesColours[colour()], type == "mark bar" ? .85 : opacity);
  drawing_ += at_place({box.x, box.y}) + at_place({box.width, box.height}) + "re f\n";
}

void PdfCanvas::text(Place at, Anchor anchor, std::string_view type, std::string_view words) {
  const std::string letters = to_winansi(words);
  const double size = type == "tick" || type == "value" ? 12 : 13;
  at.x -= width_of(letters, size) * (anchor == Anchor::end ? 1 : anchor == Anchor::middle ? .5 : 0);
  fill(type == "tick" || type == "label" ? kSoft : kInk, 1);
  drawing_ += fmt::format("BT /F {} Tf 1 0 0 -1 {}Tm {} Tj ET\n", size, at_place(at), literal(letters));
}

void PdfCanvas::marker(int shape, Place at, double radius, std::string_view type, Meaning) {
  const std::string rgb = kSeriesColours[colour()];
  const bool special = type == "mark special", lined = special || is_inside("series points");
  fill(special ? kPaper : rgb, special ? .5 : type == "mark single" ? .45 : is_inside("cloud") ? .6 : 1);
  if (lined) stroke(special ? rgb : kPaper, special ? 1.25 : 1);
  if (shape == 0) {
    drawing_ += circle(at, radius);
  } else {
    std::vector<Place> outline = marker_outlines()[shape];
    for (Place& p : outline) p = {at.x + radius * p.x, at.y + radius * p.y};
    drawing_ += pdf_outline(outline);
  }
  drawing_ += lined ? "b\n" : "f\n";
}

void PdfCanvas::path(const std::vector<std::vector<Place>>& parts, int dash, Meaning) {
  const bool faint = is_inside("series faint");
  stroke(kSeriesColours[colour()], faint ? 1 : 2, faint ? .28 : 1);
  drawing_ += fmt::format("[{}] 0 d ", kDashes[dash]);
  for (const std::vector<Place>& part : parts) drawing_ += pdf_outline(part);
  drawing_ += "S [] 0 d\n";
}

void PdfCanvas::area(const std::vector<Place>& outline, std::string_view) {
  fill(kSeriesColours[colour()], .16);
  drawing_ += pdf_outline(outline) + "f\n";
}

std::string PdfCanvas::document(const std::string& title, const Box& size) const {
  std::string states;
  for (const std::string& name : opacities_)
    states += fmt::format("/{} << /{} {:.2f} >> ", name, name[0] == 'f' ? "ca" : "CA", std::stod(name.substr(1)) / 100);
  const double width = kPoint * size.width, height = kPoint * size.height;
  // From points upwards to units downwards; round ends and corners.
  const std::string content = fmt::format("{} 0 0 {} 0 {} cm 1 J 1 j\n", kPoint, -kPoint, svg_place(height)) + drawing_;
  const std::vector<std::string> objects = {
      "<< /Type /Catalog /Pages 2 0 R >>",
      "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
      fmt::format("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {} {}] /Contents 4 0 R\n"
                  "/Resources << /Font << /F 5 0 R >> /ExtGState << {}>> >> >>",
                  svg_place(width), svg_place(height), states),
      fmt::format("<< /Length {} >>\nstream\n{}endstream", content.size(), content),
      "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
      "<< /Title " + literal(to_winansi(title)) + " /Producer (gcnh) >>"};
  std::string out = "%PDF-1.4\n", places = "0000000000 65535 f \n";
  for (std::size_t i = 0; i < objects.size(); ++i) {
    places += fmt::format("{:010} 00000 n \n", out.size());
    out += fmt::format("{} 0 obj\n{}\nendobj\n", i + 1, objects[i]);
  }
  return out +
         fmt::format("xref\n0 {0}\n{1}trailer\n<< /Size {0} /Root 1 0 R /Info {2} 0 R >>\nstartxref\n{3}\n%%EOF\n",
                     objects.size() + 1, places, objects.size(), out.size());
}

}  // namespace gcnh::report
