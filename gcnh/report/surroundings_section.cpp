// Where models fail: right answers on the test nodes by degree, and by the share of neighbours of a node's own class.
// Whatever the metric of the comparison: a bin may hold a single class, of which most metrics say nothing.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "gcnh/report/sections.h"

namespace gcnh::report {
namespace {

constexpr std::size_t kBins = 5;

using Property = std::vector<double> TestAnswers::*;

struct Bin {
  double low = 0, high = 0;  // both are in it
  double nodes = 0;          // test nodes of all splits
};

// Of about equal numbers of nodes, about kBins of them; equal values stay together.
std::vector<Bin> quantile_bins(const Run& run, Property values) {
  std::vector<double> all;
  for (const TestAnswers& a : run.answers)
    std::copy_if((a.*values).begin(), (a.*values).end(), std::back_inserter(all),
                 [](double v) { return !std::isnan(v); });
  std::sort(all.begin(), all.end());
  const double share = static_cast<double>(all.size()) / kBins;
  std::vector<Bin> out;
  for (std::size_t i = 0, begin = 0; i < all.size(); ++i) {
    const bool last = i + 1 == all.size();
    const double nodes = static_cast<double>(i + 1 - begin);
    if (!last && (all[i] == all[i + 1] || nodes < 0.75 * share)) continue;
    if (nodes >= 0.5 * share || out.empty())
      out.push_back({all[begin], all[i], nodes});
    else  // what is left at the end
      out.back() = {out.back().low, all[i], out.back().nodes + nodes};
    begin = i + 1;
  }
  return out;
}

// Mean and, of several splits, standard deviation of the share of right answers over the splits that have such nodes.
ChartPoint point_of(const Run& run, Property values, const Bin& bin, double place) {
  std::vector<double> shares;
  for (const TestAnswers& a : run.answers) {
    double nodes = 0, right = 0;
    for (std::size_t i = 0; i < a.labels.size(); ++i) {
      if (!((a.*values)[i] >= bin.low && (a.*values)[i] <= bin.high)) continue;
      ++nodes;
      const Real* row = a.logp.row(static_cast<Index>(i));
      right += std::max_element(row, row + a.logp.cols()) - row == a.labels[i];
    }
    if (nodes > 0) shares.push_back(right / nodes);
  }
  if (shares.empty()) return {place, std::numeric_limits<double>::quiet_NaN()};
  const MeanStd m = mean_std(shares);
  if (shares.size() < 2) return {place, m.mean};
  return mean_point(place, m, Metric::accuracy);
}

std::string bin_name(const Bin& bin, bool share) {
  const auto text = [&](double v) { return share ? fmt::format("{:.0f}", 100 * v) : fmt::format("{}", v); };
  const std::string low = text(bin.low), high = text(bin.high);
  return fmt::format("{}{} ({})", low == high ? low : low + "–" + high, share ? " %" : "", whole(bin.nodes));
}

bool tells(const Run& run, Property values) { return !run.answers.empty() && !(run.answers[0].*values).empty(); }

// Bins are those of the first run that tells them; all runs of a group have the same data.
void add_chart(const Group& group, Property values, bool share, const Chart& like, Section& to) {
  Chart out = like;
  out.y = {"right answers, %", {}, false, true};
  std::vector<Bin> bins;
  for (const Run& run : group.runs) {
    if (!tells(run, values)) continue;
    if (bins.empty()) bins = quantile_bins(run, values);
    out.series.push_back({run.name, {}});
    for (std::size_t i = 0; i < bins.size(); ++i)
      out.series.back().points.push_back(point_of(run, values, bins[i], static_cast<double>(i)));
  }
  if (bins.size() < 2) return;  // nothing to compare
  for (const Bin& bin : bins) out.x.categories.push_back(bin_name(bin, share));
  to.charts.push_back(std::move(out));
}

}  // namespace

Section surroundings_section(const Group& group) {
  Section out{"surroundings", "Where models fail"};
  out.paragraphs = {
      "Test nodes of all splits, in bins of about equal size; in brackets how many. Bars: mean ± population standard "
      "deviation over the splits, cut at 0 and 100 %. Homophily looks at the labels of all neighbours, which a model "
      "does not see."};
  add_chart(group, &TestAnswers::degree, false,
            {ChartKind::dots, "by-degree", "Right answers by degree", {"neighbours (test nodes)"}, {}, {}}, out);
  add_chart(group, &TestAnswers::homophily, true,
            {ChartKind::dots,
             "by-homophily",
             "Right answers by the share of neighbours of a node's own class",
             {"share of neighbours (test nodes)"},
             {},
             {}},
            out);
  return out;
}

}  // namespace gcnh::report
