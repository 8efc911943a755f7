// A map of the nodes as the kept model sees them. Of three classes and more: the principal components of the
// log-probabilities. Two classes have one number to tell, so it is drawn over what surrounds a node: how sure the model
// is of the second class, by the share of neighbours of the node's own class.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "gcnh/report/sections.h"
#include "gcnh/run/pca.h"

namespace gcnh::report {
namespace {

// One in a million. Smaller probabilities say no more, but one of them can stretch a map until nothing else is seen.
const double kUnlikely = std::log(1e-6);
constexpr double kSpread = 0.03;  // marks of equal shares are moved by at most so much, or they would cover each other

using Places = std::vector<std::array<double, 2>>;

std::vector<double> scores_of(const MapPoint& p) {
  std::vector<double> out = p.scores;
  for (double& score : out) score = std::max(score, kUnlikely);
  return out;
}

Places component_places(const std::vector<MapPoint>& map, Chart& chart) {
  std::vector<std::vector<double>> scores;
  for (const MapPoint& p : map) scores.push_back(scores_of(p));
  const Components plane = principal_components(scores, 2);
  chart.x.label = fmt::format("first component, {:.0f} % of the variance", 100 * plane.share[0]);
  chart.y.label = fmt::format("second component, {:.0f} % of the variance", 100 * plane.share[1]);
  Places out;
  for (const std::vector<double>& point : plane.points) out.push_back({point[0], point[1]});
  return out;
}

// A share with a little spread, the same on every machine, that does not leave 0 to 1.
double spread(double share, std::size_t number) {
  const double part = std::fmod(0.6180339887 * static_cast<double>(number), 1.0);  // even, whatever the numbers
  const double moved = std::abs(share + kSpread * (2 * part - 1));
  return moved > 1 ? 2 - moved : moved;
}

Places odds_places(const std::vector<MapPoint>& map, const DataSummary& data, Chart& chart) {
  chart.x.label = fmt::format("log-odds of class {} against class {}", data.classes[1].first, data.classes[0].first);
  chart.y.label = "share of neighbours of the node's own class";
  chart.y.low = 0;
  chart.y.high = 1;
  Places out;
  for (std::size_t i = 0; i < map.size(); ++i) {
    const std::vector<double> scores = scores_of(map[i]);
    out.push_back({scores[1] - scores[0], spread(map[i].homophily, i)});
  }
  return out;
}

// Also of folders that do not tell the homophily of nodes, two classes have their components.
bool has_odds(const Run& run) {
  return run.data.classes.size() == 2 &&
         std::any_of(run.map.begin(), run.map.end(), [](const MapPoint& p) { return !std::isnan(p.homophily); });
}

std::vector<MapPoint> some_of(const std::vector<MapPoint>& map, std::size_t most) {
  if (map.size() <= most) return map;
  std::vector<MapPoint> out;
  for (std::size_t i = 0; i < most; ++i) out.push_back(map[i * map.size() / most]);
  return out;
}

// A series per true class; wrong answers are special. Returns how many are wrong.
std::size_t add_nodes(const Run& run, const std::vector<MapPoint>& map, const Places& places, Chart& chart) {
  for (const auto& [label, nodes] : run.data.classes) chart.series.push_back({label, {}});
  chart.series.push_back({"without label", {}});
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < map.size(); ++i) {
    const MapPoint& p = map[i];
    std::size_t k = 0;
    while (k < run.data.classes.size() && run.data.classes[k].first != p.label) ++k;
    const bool error = k < run.data.classes.size() && p.label != p.predicted;
    wrong += error;
    chart.series[k].points.push_back(labelled(rounded(places[i][0]), rounded(places[i][1]),
                                              error ? "node " + p.id + ", taken for " + p.predicted : ""));
  }
  std::erase_if(chart.series, [](const Series& s) { return s.points.empty(); });
  return wrong;
}

}  // namespace

Section map_section(const Group& group, std::size_t most) {
  const Run& run = group.best();
  Section out{"map", "Map of the nodes"};
  if (run.map.empty()) return out;
  const bool odds = has_odds(run);
  std::vector<MapPoint> map = some_of(run.map, most);
  const std::size_t shown = map.size();
  if (odds) std::erase_if(map, [](const MapPoint& p) { return std::isnan(p.homophily); });
  Chart chart{ChartKind::scatter, "map", "Nodes as " + run.name + " sees them, by true class", {}, {}, {}};
  const Places places = odds ? odds_places(map, run.data, chart) : component_places(map, chart);
  const std::size_t wrong = add_nodes(run, map, places, chart);
  chart.wide = true;
  const auto labelled = std::count_if(map.begin(), map.end(), [](const MapPoint& p) { return !p.label.empty(); });
  chart.note = fmt::format("Hollow marks are wrong: {} of {} with a label, training nodes included.",
                           whole(static_cast<double>(wrong)), counted_whole(static_cast<double>(labelled), "node"));
  if (shown > map.size())
    chart.note += fmt::format(" {} without label or labelled neighbours cannot be placed.",
                              counted_whole(static_cast<double>(shown - map.size()), "node"));
  const std::string model = "under the model of the split with the best validation score";
  out.paragraphs = {
      odds ? "Every mark is a node: from left to right how sure the model is of class " + run.data.classes[1].first +
                 " (right of 0 it answers " + run.data.classes[1].first +
                 "; log-probabilities, none below one in a million, " + model +
                 "), from bottom to top how many of its neighbours share its class. Errors at the bottom alone tell of "
                 "a model that follows the neighbours; marks are moved up or down by at most 0.03, so that fewer are "
                 "covered."
           : "Every mark is a node, placed by the two principal components of its log-probabilities (none below one in "
             "a million) " +
                 model + ". Nodes that lie close are alike to the model."};
  if (shown < static_cast<std::size_t>(run.data.nodes))
    out.paragraphs.push_back(fmt::format("Shown are {} of {} nodes, drawn evenly from all classes.",
                                         whole(static_cast<double>(shown)), whole(run.data.nodes)));
  out.charts = {std::move(chart)};
  return out;
}

}  // namespace gcnh::report
