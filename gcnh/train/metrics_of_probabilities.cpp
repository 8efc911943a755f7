// Metrics of the probabilities themselves: how far they are from the truth, and whether they can be believed.
#include <algorithm>

#include "gcnh/train/metric_functions.h"
#include "gcnh/train/stepper.h"

namespace gcnh {
namespace {

constexpr int kCalibrationBins = 15;

}  // namespace

// Mean of -log p(label), p kept away from 0 and 1 and made to add up to 1.
double log_loss(const LabelledAnswers& a) {
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
double brier(const LabelledAnswers& a) {
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
double ece(const LabelledAnswers& a) {
  double sum = 0;
  for (const CalibrationBin& bin : calibration(a.logp, a.labels)) sum += std::abs(bin.confidence - bin.right);
  return sum / a.num_nodes();
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

}  // namespace gcnh
