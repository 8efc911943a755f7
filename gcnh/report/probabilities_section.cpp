// How far the probabilities can be trusted: how well they put the nodes of a class before the others (ROC and
// precision-recall curves), and whether an answer is right as often as its probability says (reliability).
#include <fmt/core.h>

#include <algorithm>
#include <numeric>

#include "gcnh/report/curves.h"
#include "gcnh/report/sections.h"
#include "gcnh/run/calibration.h"

namespace gcnh::report {
namespace {

constexpr std::size_t kDrawnPoints = 150;      // of a curve, so that the page stays small
constexpr std::size_t kComputedPoints = 5000;  // beyond which an area changes in its sixth digit
constexpr std::size_t kShownClasses = 5;

struct CurveKind {
  const char* name;
  const char* title;
  Metric metric;  // the area
  const char *x, *y;
  Curve (*of)(const Matrix& logp, std::span<const int> labels, Index k);
};
constexpr CurveKind kRoc = {
    "roc",    "ROC curve", Metric::roc_auc, "false positives, share of the rest", "true positives, share of the class",
    roc_curve};
constexpr CurveKind kPr = {"pr", "Precision and recall", Metric::pr_auc, "recall", "precision", pr_curve};

// Each against the rest; of two classes the metric knows which.
std::vector<Index> classes_of(const Run& run) {
  if (run.data.classes.size() == 2) return {};
  std::vector<Index> out(run.data.classes.size());
  std::iota(out.begin(), out.end(), 0);
  return out;
}

// The mean over the classes that a split tests, then over the splits, as the metric is computed.
Curve curve_of(const Run& run, const CurveKind& kind, const std::vector<Index>& classes) {
  std::vector<Curve> splits;
  for (const TestAnswers& a : run.answers) {
    std::vector<Curve> each;
    for (Index k : classes.empty() ? std::vector{rarer_class(a.labels)} : classes)
      if (Curve curve = thin(kind.of(a.logp, a.labels, k), kComputedPoints); !curve.empty())
        each.push_back(std::move(curve));
    if (!each.empty()) splits.push_back(mean_curve(each));
  }
  return mean_curve(splits);
}

void add_curve(Chart& chart, const std::string& name, const CurveKind& kind, const Curve& curve) {
  if (curve.empty()) return;
  Series series{fmt::format("{}, {} %", name, value_text(kind.metric, area(curve))), {}};
  for (const CurvePoint& p : thin(curve, kDrawnPoints)) series.points.push_back({rounded(p.x), rounded(p.y)});
  chart.series.push_back(std::move(series));
}

Chart empty_chart(const CurveKind& kind, const std::string& suffix, const std::string& title) {
  Chart out{ChartKind::lines, kind.name + suffix, title, {kind.x}, {kind.y}, {}};
  out.x.low = out.y.low = 0;
  out.x.high = out.y.high = 1;
  return out;
}

// After the others, which are coloured by their position.
void add_guessing(Chart& chart, const CurveKind& kind) {
  if (kind.metric != Metric::roc_auc) return;
  chart.series.push_back({"guessing", {{0, 0}, {1, 1}}, Look::faint, 7});
  chart.note += (chart.note.empty() ? "" : " ") + std::string("Thin line: guessing.");
}

// Which of two classes the areas are of.
std::string rarer_class_text(const DataSummary& d) {
  const auto &first = d.classes[0], &second = d.classes[1];
  return " of class " + (second.second > first.second ? first : second).first +
         (first.second == second.second ? "" : ", the rarer one");
}

Chart model_chart(const Group& group, const CurveKind& kind) {
  const DataSummary& d = group.best().data;
  const bool binary = d.classes.size() == 2;
  Chart out =
      empty_chart(kind, "", kind.title + (binary ? rarer_class_text(d) : ", mean of every class against the rest"));
  for (const Run& run : group.runs)
    if (!run.answers.empty()) add_curve(out, run.name, kind, curve_of(run, kind, classes_of(run)));
  out.note = "Percent: " + title_of(kind.metric) + ", the area below the curve; both are means over the splits.";
  add_guessing(out, kind);
  return out;
}

// The largest classes of the best model.
Chart class_chart(const Group& group, const CurveKind& kind) {
  const Run& best = group.best();
  Chart out = empty_chart(kind, "-classes", fmt::format("{} of {}, class by class", kind.title, best.name));
  std::vector<Index> order = classes_of(best);
  std::stable_sort(order.begin(), order.end(),
                   [&](Index a, Index b) { return best.data.classes[a].second > best.data.classes[b].second; });
  if (order.size() > kShownClasses) {
    order.resize(kShownClasses);
    out.note = fmt::format("The {} largest of {} classes.", kShownClasses, best.data.classes.size());
  }
  for (Index k : order) add_curve(out, "class " + best.data.classes[k].first, kind, curve_of(best, kind, {k}));
  add_guessing(out, kind);
  return out;
}

Chart reliability_chart(const Group& group) {
  Chart out = empty_reliability_chart("reliability", "Is an answer right as often as its probability says?");
  for (const Run& run : group.runs)
    if (!run.answers.empty()) out.series.push_back(reliability_series(run, run.name, false));
  add_diagonal(out);
  return out;
}

}  // namespace

Chart empty_reliability_chart(const std::string& name, const std::string& title) {
  Chart out{ChartKind::lines,           name, title, {"probability of the answer, mean of a bin"},
            {"share of right answers"}, {}};
  out.x.low = out.y.low = 0;
  out.x.high = out.y.high = 1;
  return out;
}

Series reliability_series(const Run& run, const std::string& name, bool scaled) {
  std::vector<CalibrationBin> bins;
  std::vector<double> errors;
  for (std::size_t s = 0; s < run.answers.size(); ++s) {
    const TestAnswers& a = run.answers[s];
    const auto& decision = run.result.splits[s].decision;
    const Matrix logp = calibrated(a.logp, scaled && decision ? decision->temperature : 1);
    const std::vector<CalibrationBin> here = calibration(logp, a.labels);
    bins.resize(here.size());
    for (std::size_t i = 0; i < bins.size(); ++i) {
      bins[i].nodes += here[i].nodes;
      bins[i].confidence += here[i].confidence;
      bins[i].right += here[i].right;
    }
    errors.push_back(measure(Metric::ece, logp, a.labels));
  }
  Series out{fmt::format("{}, ECE {} %", name, value_text(Metric::ece, mean_std(errors).mean)), {}};
  for (const CalibrationBin& bin : bins)
    if (bin.nodes > 0)
      out.points.push_back(labelled(rounded(bin.confidence / bin.nodes), rounded(bin.right / bin.nodes),
                                    counted_whole(bin.nodes, "answer")));
  return out;
}

void add_diagonal(Chart& chart) {
  chart.series.push_back({"as it should be", {{0, 0}, {1, 1}}, Look::faint, 7});
  chart.note =
      "Thin line: as it should be; below it a model is too sure of itself. Test answers of all splits in fifteen bins; "
      "ECE, the mean distance from the line, is the mean over the splits.";
}

Section probabilities_section(const Group& group) {
  Section out{"probabilities", "Can the probabilities be trusted?"};
  if (std::all_of(group.runs.begin(), group.runs.end(), [](const Run& run) { return run.answers.empty(); })) return out;
  for (const CurveKind& kind : {kRoc, kPr}) {
    out.charts.push_back(model_chart(group, kind));
    const Run& best = group.best();
    if (best.data.classes.size() > 2 && !best.answers.empty()) out.charts.push_back(class_chart(group, kind));
  }
  out.charts.push_back(reliability_chart(group));
  return out;
}

}  // namespace gcnh::report
