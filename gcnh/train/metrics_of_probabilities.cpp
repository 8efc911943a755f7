// Metrics of the probabilities themselves: how far they are from the truth, and whether they can be believed.
#include <algorithm>

#include "gcnh/train/metric_functions.h"

namespace gcnh {
namespace {

constexpr int kCalibrationBins = 15;

std::vector<CalibrationBin> bins_of(const LabelledAnswers& a) {
  std::vector<CalibrationBin> out(kCalibrationBins);
  for (Index i = 0; i < a.logp.rows(); ++i) {
    const double p = probability(a.logp, i, a.answers[i]);
    CalibrationBin& bin =
        out[std::clamp(static_cast<int>(std::ceil(p * kCalibrationBins)) - 1, 0, kCalibrationBins - 1)];
    ++bin.nodes;
    bin.confidence += p;
    bin.right += a.answers[i] == a.labels[i];
  }
  return out;
}

}  // namespace

std::span<const double> LabelledAnswers::probabilities(Index node) const {
  if (probabilities_.empty()) {
    probabilities_.resize(logp.size());
    std::transform(logp.values().begin(), logp.values().end(), probabilities_.begin(),
                   [](Real value) { return std::exp(static_cast<double>(value)); });
  }
  const auto width = static_cast<std::size_t>(logp.cols());
  return std::span(probabilities_).subspan(static_cast<std::size_t>(node) * width, width);
}

// Mean of -log p(label), p kept away from 0 and 1 and made to add up to 1.
double log_loss(const LabelledAnswers& a) {
  const auto kept = [](double p) { return std::clamp(p, kLeastProbability, 1 - kLeastProbability); };
  double loss = 0;
  for (Index i = 0; i < a.logp.rows(); ++i) {
    const std::span<const double> p = a.probabilities(i);
    double sum = 0;
    for (double value : p) sum += kept(value);
    loss -= std::log(kept(p[a.labels[i]]) / sum);
  }
  return loss / a.num_nodes();
}

// Mean of sum over the classes of (p - y)^2, y 1 for the label's class and 0 for others; of two classes half of it,
// which is the second one's term.
double brier(const LabelledAnswers& a) {
  double sum = 0;
  for (Index i = 0; i < a.logp.rows(); ++i) {
    const std::span<const double> p = a.probabilities(i);
    for (Index k = a.num_classes() == 2 ? 1 : 0; k < a.num_classes(); ++k) {
      const double miss = p[k] - (k == a.labels[i] ? 1 : 0);
      sum += miss * miss;
    }
  }
  return sum / a.num_nodes();
}

// Expected calibration error: share of the nodes x |share that is right - mean probability|, summed over the bins.
double ece(const LabelledAnswers& a) {
  double sum = 0;
  for (const CalibrationBin& bin : bins_of(a)) sum += std::abs(bin.confidence - bin.right);
  return sum / a.num_nodes();
}

std::vector<CalibrationBin> calibration(const Matrix& logp, std::span<const int> labels) {
  return bins_of({logp, labels});
}

}  // namespace gcnh
