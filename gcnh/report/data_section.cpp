// The data card: sizes, classes, degrees, homophily, and where the edges of each class lead.
#include <fmt/core.h>

#include <cmath>
#include <limits>

#include "gcnh/report/sections.h"

namespace gcnh::report {
namespace {

constexpr double kNoShare = std::numeric_limits<double>::quiet_NaN();

std::string measure_name(const std::string& key) {
  if (key == "label_informativeness") return "label informativeness";
  return (key == "class_insensitive" ? "class-insensitive" : key) + " homophily";
}

double find(const std::vector<std::pair<std::string, double>>& numbers, const std::string& key) {
  for (const auto& [name, value] : numbers)
    if (name == key) return value;
  return kNoShare;
}

Chart class_chart(const DataSummary& d) {
  Chart out{ChartKind::bars, "classes", "Nodes per class", {"class"}, {"nodes"}, {{"nodes", {}}}};
  for (std::size_t k = 0; k < d.classes.size(); ++k) {
    out.x.categories.push_back(d.classes[k].first);
    out.series[0].points.push_back({static_cast<double>(k), d.classes[k].second});
  }
  return out;
}

Chart degree_chart(const DataSummary& d) {
  Chart out{ChartKind::scatter,   "degrees",           "How many nodes have which degree",
            {"degree", {}, true}, {"nodes", {}, true}, {{"nodes", {}}}};
  for (const auto& [degree, nodes] : d.degree_counts) out.series[0].points.push_back({degree, nodes});
  if (const double isolated = find(d.degree, "isolated"); isolated > 0)
    out.note = fmt::format("Both axes are logarithmic; {} without neighbours {} no place on them.",
                           counted_whole(isolated, "node"), isolated == 1 ? "has" : "have");
  else
    out.note = "Both axes are logarithmic.";
  return out;
}

Chart homophily_chart(const DataSummary& d) {
  Chart out{ChartKind::bars, "homophily", "Do neighbours share their class?", {"measure"}, {"value"}, {{"value", {}}}};
  out.y.high = 1;
  out.note = "Edge and node homophily: 1 always, 0 never. The other three: 0 is what chance gives.";
  for (const auto& [key, value] : d.homophily) {
    out.series[0].points.push_back({static_cast<double>(out.x.categories.size()), value});
    out.x.categories.push_back(measure_name(key));
  }
  return out;
}

Chart node_chart(const DataSummary& d) {
  Chart out{ChartKind::bars, "node-homophily", "Nodes by the share of neighbours of their own class",
            {"share, %"},    {"nodes"},        {{"nodes", {}}}};
  const std::size_t bins = d.node_homophily_counts.size();
  for (std::size_t i = 0; i < bins; ++i) {
    out.x.categories.push_back(fmt::format("{}–{}", 100 * i / bins, 100 * (i + 1) / bins));
    out.series[0].points.push_back({static_cast<double>(i), d.node_homophily_counts[i]});
  }
  return out;
}

Chart compatibility_chart(const DataSummary& d) {
  Chart out{ChartKind::heat,
            "compatibility",
            "Where the edges of a class lead",
            {"to class"},
            {"from class"},
            {{"share", {}}},
            {"share of the class's edges, %", {}, false, true}};
  for (const auto& [name, nodes] : d.classes) {
    out.x.categories.push_back(name);
    out.y.categories.push_back(name);
  }
  for (std::size_t i = 0; i < d.compatibility.size(); ++i)
    for (std::size_t j = 0; j < d.compatibility[i].size(); ++j)
      out.series[0].points.push_back({static_cast<double>(j), static_cast<double>(i), kNoShare, kNoShare,
                                      d.classes[i].first + " to " + d.classes[j].first, d.compatibility[i][j]});
  out.note = "Percent of the edges that begin in the row's class; rows add up to 100.";
  return out;
}

Table card(const DataSummary& d) {
  Table out{"data", "Data card", {"measure", "value"}, {}, ""};
  const auto row = [&](const std::string& name, const std::string& value) { out.rows.push_back({name, value}); };
  row("nodes", whole(d.nodes));
  row("edges, undirected, repeats merged", whole(d.edges));
  row("self-loops beside them", whole(d.self_loops));
  row("features", whole(d.features));
  row("features that are not zero, %", percent(d.feature_nonzeros / (d.nodes * d.features)));
  row("classes", whole(static_cast<double>(d.classes.size())));
  if (d.unlabelled > 0) row("nodes without label, never scored", whole(d.unlabelled));
  for (const auto& [name, value] : d.degree)
    row(name == "isolated" ? "nodes without neighbours" : name + " degree",
        name == "mean" ? fmt::format("{:.2f}", value) : fmt::format("{:.6g}", value));
  for (const auto& [key, value] : d.homophily)
    row(measure_name(key), std::isfinite(value) ? fmt::format("{:.4f}", value) : "–");
  return out;
}

Table remarks_table(const DataSummary& d) {
  Table out{"remarks", "What gcnh check noted before training", {"rule", "found"}, {}, ""};
  for (const auto& [rule, found] : d.remarks) out.rows.push_back({rule, found});
  return out;
}

}  // namespace

Section data_section(const Group& group) {
  const DataSummary& d = group.best().data;
  Section out{"data", "Data"};
  if (d.classes.empty()) return out;
  out.charts = {class_chart(d), homophily_chart(d), compatibility_chart(d), degree_chart(d), node_chart(d)};
  out.tables = {card(d)};
  if (!d.remarks.empty()) out.tables.push_back(remarks_table(d));
  for (const Run& run : group.runs)
    if (run.data.fingerprint != d.fingerprint)
      out.paragraphs = {
          "These models did not all see the graph alike: direction, scaling of features or what a model derives from "
          "the graph differ. These are the measures under " +
          group.best().name + "."};
  return out;
}

}  // namespace gcnh::report
