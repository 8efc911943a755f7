#include "gcnh/train/metrics.h"

#include <fmt/core.h>

#include "gcnh/train/metric_functions.h"

namespace gcnh {
namespace {

struct MetricInfo {
  Word word;
  const char* title;
  double (*compute)(const LabelledAnswers&);
  double worst;
  bool higher_is_better = true;
  bool is_share = true;
  bool needs_two_classes = false;
};

// In the order of the enum.
const std::array<MetricInfo, kNumMetrics>& infos() {
  static const std::array<MetricInfo, kNumMetrics> table = {{
      {{"accuracy", "share of right answers"}, "accuracy", accuracy, 0},
      {{"balanced_accuracy", "mean recall of the classes"}, "balanced accuracy", balanced_accuracy, 0},
      {{"macro_f1", "mean F1 of the classes"}, "macro F1", macro_f1, 0},
      {{"mcc", "Matthews correlation"}, "MCC", mcc, -1, true, false},
      {{"roc_auc", "area under the ROC curve"}, "ROC-AUC", roc_auc, 0, true, true, true},
      {{"pr_auc", "average precision"}, "PR-AUC", pr_auc, 0, true, true, true},
      {{"log_loss", "lower is better"}, "log-loss", log_loss, -std::log(kLeastProbability), false, false},
      {{"brier", "squared error of the probabilities, lower is better"}, "Brier score", brier, 2, false, false},
      {{"ece", "calibration error, lower is better"}, "ECE", ece, 1, false},
  }};
  return table;
}

const MetricInfo& info_of(Metric metric) { return infos()[static_cast<std::size_t>(metric)]; }

Measures compute_all(const LabelledAnswers& given) {
  Measures out;
  for (Metric metric : all_metrics()) out[metric] = info_of(metric).compute(given);
  return out;
}

}  // namespace

Words words_of(Metric) {
  Words out;
  for (const MetricInfo& info : infos()) out.push_back(info.word);
  return out;
}

const std::array<Metric, kNumMetrics>& all_metrics() {
  static const auto all = [] {
    std::array<Metric, kNumMetrics> out{};
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = static_cast<Metric>(i);
    return out;
  }();
  return all;
}

std::string title_of(Metric metric) { return info_of(metric).title; }
bool higher_is_better(Metric metric) { return info_of(metric).higher_is_better; }
bool is_share(Metric metric) { return info_of(metric).is_share; }
bool needs_two_classes(Metric metric) { return info_of(metric).needs_two_classes; }
double worst_value(Metric metric) { return info_of(metric).worst; }

double merit(Metric metric, double value) {
  if (std::isnan(value)) return -std::numeric_limits<double>::infinity();
  return higher_is_better(metric) ? value : -value;
}

std::string value_text(Metric metric, double value) {
  if (std::isnan(value)) return "-";
  return is_share(metric) ? fmt::format("{:.2f}", 100 * value) : fmt::format("{:.3f}", value);
}

std::string difference_text(Metric metric, double difference) {
  if (std::isnan(difference)) return "-";
  return is_share(metric) ? fmt::format("{:+.2f}", 100 * difference) : fmt::format("{:+.3f}", difference);
}

std::string percent_sign(Metric metric) { return is_share(metric) ? " %" : ""; }

double measure(Metric metric, const Matrix& logp, std::span<const int> labels) {
  return info_of(metric).compute({logp, labels});
}

Measures measure(const Matrix& logp, std::span<const int> labels) { return compute_all({logp, labels}); }

AllMeasures measure_all(const Matrix& logp, std::span<const int> labels) {
  const LabelledAnswers given(logp, labels);
  AllMeasures out{compute_all(given), {}};
  for (Index k = 0; k < given.num_classes(); ++k) {
    const ClassCounts& c = given.classes[k];
    out.classes.push_back({static_cast<Index>(c.support), static_cast<Index>(c.predicted), precision(c), recall(c),
                           f1(c), given.areas(k).roc});
  }
  return out;
}

}  // namespace gcnh
