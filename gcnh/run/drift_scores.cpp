// Drift of the scores: how good answers are where labels have arrived. A final model is held against its rehearsal
// (final.json), another one against the test nodes of its run.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "gcnh/base/error.h"
#include "gcnh/base/random.h"
#include "gcnh/run/calibration.h"
#include "gcnh/run/drift_rules.h"
#include "gcnh/train/stepper.h"

namespace gcnh {
namespace {

constexpr int kDraws = 200;
constexpr double kMostDrawn = 2000;  // nodes in a draw
constexpr double kScoreLimit = 0.05;

struct Answered {
  Matrix logp;
  std::vector<int> labels;
};

Answered new_answers(const DriftData& x) {
  Answered out{Matrix(static_cast<Index>(x.labelled.size()), x.logp.cols()), labels_of(x.now.labels, x.labelled)};
  for (std::size_t i = 0; i < x.labelled.size(); ++i)
    std::copy_n(x.logp.row(x.labelled[i]), x.logp.cols(), out.logp.row(static_cast<Index>(i)));
  return out;
}

// As the rehearsal saw them, which is where final.json has its metrics from.
Matrix without_temperature(const DriftData& x, Matrix logp) {
  return x.model.decision ? calibrated(std::move(logp), 1 / x.model.decision->temperature) : std::move(logp);
}

// What chance does to a metric on such nodes: its standard deviation when as many of each class are drawn again, with
// repeats. A draw of fewer nodes stands for many.
double standard_error(Metric metric, const Matrix& logp, const std::vector<int>& labels) {
  std::vector<std::vector<Index>> of_class(static_cast<std::size_t>(logp.cols()));
  for (std::size_t i = 0; i < labels.size(); ++i) of_class[labels[i]].push_back(static_cast<Index>(i));
  const double part = std::min(1.0, kMostDrawn / static_cast<double>(labels.size()));
  std::vector<double> values;
  for (int draw = 0; draw < kDraws; ++draw) {
    const Rng rng = Rng(0).fork(static_cast<std::uint64_t>(draw));
    std::vector<Index> rows;
    for (const std::vector<Index>& nodes : of_class) {
      const double count = std::ceil(part * static_cast<double>(nodes.size()));
      for (double i = 0; i < count; ++i) rows.push_back(nodes[rng.below(nodes.size(), rows.size())]);
    }
    Matrix drawn(static_cast<Index>(rows.size()), logp.cols());
    for (std::size_t i = 0; i < rows.size(); ++i)
      std::copy_n(logp.row(rows[i]), logp.cols(), drawn.row(static_cast<Index>(i)));
    values.push_back(measure(metric, drawn, labels_of(labels, rows)));
  }
  return mean_std(values).std * std::sqrt(part);
}

// A metric as training left it, and its standard error: that on the test nodes of the first split, smaller where more
// nodes were judged; without such answers `otherwise`.
struct Kept {
  double value = kNoNumber, error = kNoNumber;
};

bool has_rehearsal(const DriftData& x) { return x.model.final && x.run.final; }

double kept_value(const DriftData& x, Metric metric) {
  if (has_rehearsal(x)) {
    const StoredFinal& f = *x.run.final;
    return metric == Metric::ece && !std::isnan(f.decision.ece_after) ? f.decision.ece_after
                                                                      : f.candidates[0].second[metric];
  }
  double sum = 0;
  for (const SplitOutcome& split : x.run.result.splits)
    sum += split.test || (metric == Metric::accuracy && split.test_accuracy) ? test_value(split, metric) : kNoNumber;
  return sum / static_cast<double>(x.run.result.splits.size());
}

Kept kept(const DriftData& x, Metric metric, double otherwise) {
  Kept out{kept_value(x, metric), otherwise};
  if (x.run.answers.empty() || x.run.answers[0].labels.empty()) return out;
  const TestAnswers& test = x.run.answers[0];
  const double error = standard_error(metric, test.logp, test.labels);
  if (std::isnan(error)) return out;
  out.error = error;
  if (has_rehearsal(x) && x.run.final->judged > 0)
    out.error *= std::sqrt(static_cast<double>(test.labels.size()) / x.run.final->judged);
  return out;
}

// Metrics and costs that a few nodes of one class decide.
bool is_of_classes(Metric metric) {
  return metric == Metric::balanced_accuracy || metric == Metric::macro_f1 || metric == Metric::mcc ||
         metric == Metric::roc_auc || metric == Metric::pr_auc;
}

std::string too_few_of_rarest(const DriftData& x, const std::vector<int>& labels) {
  std::vector<std::size_t> count(x.model.classes.size(), 0);
  for (int k : labels) ++count[k];
  const auto rarest = std::min_element(count.begin(), count.end());
  if (*rarest >= kFewestOfClass) return "";
  return join(*rarest, " of the rarest class, '", x.model.classes[static_cast<std::size_t>(rarest - count.begin())],
              "', too few to tell; judged from ", kFewestOfClass, " on");
}

std::string too_few_labels(const DriftData& x, const std::vector<int>& labels, bool by_class) {
  if (!x.knows_fresh) return kNotListed;
  const std::string out = too_few(labels.size(), "new labels", kFewestScored);
  return out.empty() && by_class ? too_few_of_rarest(x, labels) : out;
}

std::string two_digits(double number) { return fmt::format("{:.2g}", number); }

// What a metric was in training, and what it is on nodes whose label has arrived.
DriftRule accuracy(const DriftData& x, const Answered& a) {
  DriftRule out{"accuracy",
                "accuracy on new labels; the loss beyond two standard errors counts",
                kept_value(x, Metric::accuracy),
                kNoNumber,
                kNoNumber,
                kScoreLimit};
  out.obstacle = too_few_labels(x, a.labels, false);
  if (a.labels.empty()) return judged(out);
  out.now = measure(Metric::accuracy, a.logp, a.labels);
  out.margin = 2 * std::sqrt(out.then * (1 - out.then) / static_cast<double>(a.labels.size()));
  out.drift = out.then - out.now - out.margin;
  return judged(out);
}

DriftRule calibration_error(const DriftData& x, const Answered& a) {
  DriftRule out{"calibration",
                "expected calibration error on new labels; the growth counts",
                kept_value(x, Metric::ece),
                kNoNumber,
                kNoNumber,
                kScoreLimit};
  out.obstacle = too_few_labels(x, a.labels, false);
  if (!a.labels.empty()) out.now = measure(Metric::ece, a.logp, a.labels);
  out.drift = out.now - out.then;
  return judged(out);
}

// The one that the model was chosen by.
DriftRule metric_rule(const DriftData& x, const Answered& a, Metric metric) {
  const char* change = higher_is_better(metric) ? "loss" : "growth";
  DriftRule out{"metric",
                title_of(metric) + ", which chose the model, on new labels; the " + change +
                    " beyond two "
                    "standard errors counts",
                kept_value(x, metric),
                kNoNumber,
                kNoNumber,
                kScoreLimit};
  out.obstacle = too_few_labels(x, a.labels, is_of_classes(metric));
  if (a.labels.empty()) return judged(out);
  const Matrix logp = without_temperature(x, a.logp);
  out.now = measure(metric, logp, a.labels);
  if (!out.obstacle.empty()) return out;
  const double error = standard_error(metric, logp, a.labels);
  out.margin = 2 * std::hypot(error, kept(x, metric, error).error);
  out.about += " (" + two_digits(out.margin) + ")";
  out.drift = (higher_is_better(metric) ? out.then - out.now : out.now - out.then) - out.margin;
  return judged(out);
}

// What the best single answer for all nodes of training would cost, beyond what right answers do.
double cost_of_one_answer(const DriftData& x) {
  const Matrix& costs = x.model.decision->costs;
  const std::vector<double> shares = training_shares(x);
  double right = 0, least = std::numeric_limits<double>::infinity();
  for (Index j = 0; j < costs.cols(); ++j) {
    double sum = 0;
    for (Index k = 0; k < costs.rows(); ++k) sum += shares[k] * static_cast<double>(costs(k, j));
    least = std::min(least, sum);
    right += shares[j] * static_cast<double>(*std::min_element(costs.row(j), costs.row(j) + costs.cols()));
  }
  return least - right;
}

DriftRule cost(const DriftData& x, const Answered& a) {
  DriftRule out{"cost",
                "mean cost of the answers on new labels; the growth beyond two standard errors counts, as a share of "
                "what one answer for all would cost",
                has_rehearsal(x) && x.run.final->decision.aim == "cost" ? x.run.final->decision.after : kNoNumber,
                kNoNumber,
                kNoNumber,
                kScoreLimit};
  out.obstacle = too_few_labels(x, a.labels, true);
  if (a.labels.empty()) return judged(out);
  std::vector<double> costs;
  for (std::size_t i = 0; i < a.labels.size(); ++i)
    costs.push_back(static_cast<double>(
        x.model.decision->costs(a.labels[i], decide(*x.model.decision, a.logp, static_cast<Index>(i)))));
  const MeanStd each = mean_std(costs);
  out.now = each.mean;
  const double judged_then = has_rehearsal(x) ? x.run.final->judged : 0;
  out.margin = 2 * each.std * std::sqrt(1 / static_cast<double>(costs.size()) + 1 / std::max(1.0, judged_then));
  const double all_alike = cost_of_one_answer(x);
  out.drift = all_alike > 0 ? (out.now - out.then - out.margin) / all_alike : kNoNumber;
  return judged(out);
}

}  // namespace

std::vector<DriftRule> score_rules(const DriftData& x) {
  const Answered a = new_answers(x);
  std::vector<DriftRule> out = {accuracy(x, a), calibration_error(x, a)};
  const Metric metric = x.run.result.splits[0].metric;
  if (metric != Metric::accuracy && metric != Metric::ece) out.push_back(metric_rule(x, a, metric));
  if (x.model.decision && !x.model.decision->costs.empty()) out.push_back(cost(x, a));
  return out;
}

}  // namespace gcnh
