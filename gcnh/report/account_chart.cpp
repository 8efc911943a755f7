#include "gcnh/report/account_chart.h"

#include <fmt/core.h>

#include <cmath>
#include <numbers>

#include "gcnh/report/escape.h"
#include "gcnh/report/sections.h"
#include "gcnh/report/svg.h"

namespace gcnh::report {
namespace {

constexpr int kFor = 0, kAgainst = 1;    // colours, and shapes
constexpr std::size_t kMostAround = 16;  // nodes in the drawing
constexpr double kNear = 95, kFar = 140, kHeight = 360;

std::string name_of(const Account::Source& s) {
  return s.hops == 0 ? "the node itself" : s.id + (s.label.empty() ? "" : " (" + s.label + ")");
}

double largest_lead(const Account& a) {
  double out = 0;
  for (const Account::Source& s : a.sources) out = std::max(out, std::abs(Account::lead(s.parts)));
  return out;
}

// A mark of the part's size in the colour of its side, and its name below.
void draw_source(const Account::Source& s, Place at, double largest, const std::string& name, Canvas& canvas) {
  const double lead = Account::lead(s.parts);
  const int side = lead >= 0 ? kFor : kAgainst;
  canvas.open("series", side, nullptr);
  canvas.marker(side, at, 4 + 9 * (largest > 0 ? std::sqrt(std::abs(lead) / largest) : 0), "mark", {});
  canvas.close();
  canvas.text({at.x, at.y + 28}, Anchor::middle, "tick", shorten(name, 16));
}

// The node in the middle, the others around it.
void draw_neighbours(const Account& a, Place centre, Canvas& canvas) {
  const double largest = largest_lead(a);
  const std::size_t around = std::min(a.sources.size() - 1, kMostAround);
  std::vector<Place> places = {centre};
  for (std::size_t i = 1; i <= around; ++i) {
    const double angle = 2 * std::numbers::pi * static_cast<double>(i - 1) / static_cast<double>(around);
    const double radius = a.sources[i].hops == 1 ? kNear : kFar;
    places.push_back({centre.x + 1.4 * radius * std::cos(angle), centre.y + radius * std::sin(angle)});
    const bool supports = Account::lead(a.sources[i].parts) >= 0;
    canvas.open("series", supports ? kFor : kAgainst, nullptr);
    canvas.line(centre, places.back(), a.sources[i].hops == 1 ? "interval" : "grid");
    canvas.close();
  }
  for (std::size_t i = 0; i < places.size(); ++i)
    draw_source(a.sources[i], places[i], largest, a.sources[i].id, canvas);
}

std::string title_of(const Account& a) {
  return fmt::format("Why {} is taken for {} and not for {}", a.id, a.answer(), a.rival());
}

}  // namespace

Chart account_chart(const Account& a, const std::string& name) {
  Chart out{ChartKind::bars,
            name,
            title_of(a),
            {"part"},
            {fmt::format("lead of {} over {}", shorten(a.answer(), 16), shorten(a.rival(), 16))},
            {{"lead", {}}}};
  const auto bar = [&](const std::string& part, const Account::Parts& parts) {
    out.series[0].points.push_back({static_cast<double>(out.x.categories.size()), rounded(Account::lead(parts))});
    out.x.categories.push_back(part);
  };
  for (const Account::Source& s : a.sources) bar(name_of(s), s.parts);
  if (a.others > 0) bar(counted(static_cast<std::int64_t>(a.others), "other node"), a.other_parts);
  bar("bias", a.bias);
  if (!a.is_exact) bar("remainder", a.remainder);
  out.note =
      fmt::format("The bars add up to {}, the lead of {}.", number_cell(rounded(Account::lead(a.logits))), a.answer());
  return out;
}

std::string account_svg(const Account& a) {
  const Chart chart = account_chart(a, "account");
  SvgCanvas canvas("account");
  const Box bars = draw_chart(chart, canvas);
  const double below = bars.height;
  draw_neighbours(a, {bars.width / 2, below + kHeight / 2}, canvas);
  canvas.text({0, below + kHeight + 12}, Anchor::start, "tick",
              "circles speak for the answer, squares against it, thick lines are edges");
  const std::string size = svg_place(bars.width), height = svg_place(below + kHeight + 24);
  return "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"chart\" viewBox=\"0 0 " + size + " " + height +
         "\" width=\"" + size + "\" height=\"" + height +
         "\" role=\"img\" aria-labelledby=\"title-account\">\n<title id=\"title-account\">" + escape_html(title_of(a)) +
         "</title>\n<style>" + chart_style() + "</style>\n" + canvas.drawing() + "</svg>\n";
}

}  // namespace gcnh::report
