#include "gcnh/train/metrics.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "gcnh/train/stepper.h"

namespace gcnh {
namespace {

constexpr double kNotDefined = std::numeric_limits<double>::quiet_NaN();
constexpr double kLeastProbability = std::numeric_limits<double>::epsilon();  // of the log-loss, as in scikit-learn
constexpr int kCalibrationBins = 15;

// Nodes of a class, those said to be, and those that are both.
struct Counts {
  double support = 0;
  double predicted = 0;
  double right = 0;
};

// Answers with what several metrics need of them.
struct Answers {
  const Matrix& logp;
  std::span<const int> labels;
  std::vector<Counts> classes;

  Index num_classes() const { return logp.cols(); }
  double num_nodes() const { return static_cast<double>(labels.size()); }
};

Answers answers(const Matrix& logp, std::span<const int> labels) {
  Answers out{logp, labels, std::vector<Counts>(logp.cols())};
  for (Index i = 0; i < logp.rows(); ++i) {
    const int answer = argmax(logp, i);
    ++out.classes[labels[i]].support;
    ++out.classes[answer].predicted;
    out.classes[answer].right += answer == labels[i];
  }
  return out;
}

double probability(const Matrix& logp, Index i, Index k) { return std::exp(static_cast<double>(logp(i, k))); }

double ratio(double part, double whole) { return whole > 0 ? part / whole : 0; }

double precision(const Counts& c) { return ratio(c.right, c.predicted); }
double recall(const Counts& c) { return ratio(c.right, c.support); }
double f1(const Counts& c) { return ratio(2 * c.right, c.support + c.predicted); }

double num_right(const Answers& a) {
  double sum = 0;
  for (const Counts& c : a.classes) sum += c.right;
  return sum;
}

double accuracy(const Answers& a) { return num_right(a) / a.num_nodes(); }

// Mean recall of the classes that have nodes.
double balanced_accuracy(const Answers& a) {
  double sum = 0, classes = 0;
  for (const Counts& c : a.classes) {
    sum += recall(c);
    classes += c.support > 0;
  }
  return sum / classes;
}

// Mean F1 of the classes that have nodes or were predicted.
double macro_f1(const Answers& a) {
  double sum = 0, classes = 0;
  for (const Counts& c : a.classes) {
    sum += f1(c);
    classes += c.support + c.predicted > 0;
  }
  return sum / classes;
}

// (n c - s p) / sqrt((n^2 - p p) (n^2 - s s)), s and p the nodes and predictions by class, c the right ones; 0 where it
// would divide by 0.
double mcc(const Answers& a) {
  const double n = a.num_nodes();
  double both = n * num_right(a), predicted = n * n, labelled = n * n;
  for (const Counts& c : a.classes) {
    both -= c.support * c.predicted;
    predicted -= c.predicted * c.predicted;
    labelled -= c.support * c.support;
  }
  return predicted * labelled > 0 ? both / std::sqrt(predicted * labelled) : 0;
}

// Nodes of equal score for a class: how many are of the class, and how many are not.
struct Tie {
  double positives = 0;
  double negatives = 0;
};

// The most probable first.
std::vector<Tie> ranked(const Answers& a, Index k) {
  std::vector<std::pair<double, bool>> nodes;
  for (Index i = 0; i < a.logp.rows(); ++i) nodes.emplace_back(rank_score(a.logp, i, k), a.labels[i] == k);
  std::sort(nodes.begin(), nodes.end(), std::greater());
  std::vector<Tie> out;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (i == 0 || nodes[i].first != nodes[i - 1].first) out.emplace_back();
    ++(nodes[i].second ? out.back().positives : out.back().negatives);
  }
  return out;
}

// Share of the pairs of a node of the class and another one in which the first is the more probable; ties count half.
double roc_auc_of(const std::vector<Tie>& ties) {
  double positives = 0, negatives = 0, pairs = 0;
  for (const Tie& tie : ties) {
    pairs += tie.negatives * (positives + tie.positives / 2);
    positives += tie.positives;
    negatives += tie.negatives;
  }
  return positives > 0 && negatives > 0 ? pairs / (positives * negatives) : kNotDefined;
}

// Average precision: sum of precision x gain in recall over the thresholds.
double pr_auc_of(const std::vector<Tie>& ties) {
  double positives = 0, nodes = 0, sum = 0;
  for (const Tie& tie : ties) {
    positives += tie.positives;
    nodes += tie.positives + tie.negatives;
    sum += tie.positives * positives / nodes;
  }
  return positives > 0 && positives < nodes ? sum / positives : kNotDefined;
}

// Of two classes the rarer one's area; else the mean of each against the rest, over those that are defined.
double one_against_rest(const Answers& a, double (*area)(const std::vector<Tie>&)) {
  if (a.num_classes() == 2) return area(ranked(a, rarer_class(a.labels)));
  double sum = 0, classes = 0;
  for (Index k = 0; k < a.num_classes(); ++k) {
    const double value = area(ranked(a, k));
    if (std::isnan(value)) continue;
    sum += value;
    ++classes;
  }
  return classes > 0 ? sum / classes : kNotDefined;
}

double roc_auc(const Answers& a) { return one_against_rest(a, roc_auc_of); }
double pr_auc(const Answers& a) { return one_against_rest(a, pr_auc_of); }

// Mean of -log p(label), p kept away from 0 and 1 and made to add up to 1.
double log_loss(const Answers& a) {
  double loss = 0;
  for (Index i = 0; i < a.logp.rows(); ++i) {
    double sum = 0, own = 0;
    for (Index k = 0; k < a.num_classes(); ++k) {
      const double p = std::clamp(probability(a.logp, i, k), kLeastProbability, 1 - kLeastProbability);
      sum += p;
      if (k == a.labels[i]) own = p;
    }
    loss -= std::log(own / sum);
  }
  return loss / a.num_nodes();
}

// Mean of sum over the classes of (p - y)^2, y 1 for the label's class and 0 for others; of two classes half of it,
// which is the second one's term.
double brier(const Answers& a) {
  double sum = 0;
  for (Index i = 0; i < a.logp.rows(); ++i) {
    for (Index k = a.num_classes() == 2 ? 1 : 0; k < a.num_classes(); ++k) {
      const double miss = probability(a.logp, i, k) - (k == a.labels[i] ? 1 : 0);
      sum += miss * miss;
    }
  }
  return sum / a.num_nodes();
}

// Expected calibration error: share of the nodes x |share that is right - mean probability|, summed over the bins.
double ece(const Answers& a) {
  double sum = 0;
  for (const CalibrationBin& bin : calibration(a.logp, a.labels)) sum += std::abs(bin.confidence - bin.right);
  return sum / a.num_nodes();
}

struct MetricInfo {
  Word word;
  const char* title;
  double (*compute)(const Answers&);
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

}  // namespace

double rank_score(const Matrix& logp, Index node, Index k) {
  if (logp.cols() != 2) return probability(logp, node, k);
  return static_cast<double>(logp(node, k)) - static_cast<double>(logp(node, 1 - k));
}

Index rarer_class(std::span<const int> labels) {
  return 2 * std::count(labels.begin(), labels.end(), 1) > std::ssize(labels) ? 0 : 1;
}

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
  return info_of(metric).compute(answers(logp, labels));
}

Measures measure(const Matrix& logp, std::span<const int> labels) {
  const Answers given = answers(logp, labels);
  Measures out;
  for (Metric metric : all_metrics()) out[metric] = info_of(metric).compute(given);
  return out;
}

std::vector<ClassMeasures> measure_classes(const Matrix& logp, std::span<const int> labels) {
  const Answers a = answers(logp, labels);
  std::vector<ClassMeasures> out;
  for (Index k = 0; k < a.num_classes(); ++k) {
    const Counts& c = a.classes[k];
    out.push_back({static_cast<Index>(c.support), static_cast<Index>(c.predicted), precision(c), recall(c), f1(c),
                   roc_auc_of(ranked(a, k))});
  }
  return out;
}

std::vector<CalibrationBin> calibration(const Matrix& logp, std::span<const int> labels) {
  std::vector<CalibrationBin> out(kCalibrationBins);
  for (Index i = 0; i < logp.rows(); ++i) {
    const int answer = argmax(logp, i);
    const double p = probability(logp, i, answer);
    CalibrationBin& bin =
        out[std::clamp(static_cast<int>(std::ceil(p * kCalibrationBins)) - 1, 0, kCalibrationBins - 1)];
    ++bin.nodes;
    bin.confidence += p;
    bin.right += answer == labels[i];
  }
  return out;
}

std::vector<std::vector<Index>> confusion(const Matrix& logp, std::span<const int> labels) {
  std::vector<std::vector<Index>> out(logp.cols(), std::vector<Index>(logp.cols()));
  for (Index i = 0; i < logp.rows(); ++i) ++out[labels[i]][argmax(logp, i)];
  return out;
}

}  // namespace gcnh
