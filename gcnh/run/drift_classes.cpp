// Drift of the classes: what answers are like, and labels where they have arrived.
#include <algorithm>
#include <cmath>

#include "gcnh/run/calibration.h"
#include "gcnh/run/drift_rules.h"
#include "gcnh/train/stepper.h"

namespace gcnh {
namespace {

// Half the sum of the differences.
double distance(const std::vector<double>& a, const std::vector<double>& b) {
  double out = 0;
  for (std::size_t k = 0; k < a.size(); ++k) out += std::abs(a[k] - b[k]) / 2;
  return out;
}

// Sums of probabilities, a row of them per class.
struct MeanAnswer {
  std::vector<double> sums;
  double nodes = 0;

  void add(const Matrix& logp, Index row) {
    sums.resize(static_cast<std::size_t>(logp.cols()), 0);
    for (Index k = 0; k < logp.cols(); ++k) sums[k] += std::exp(static_cast<double>(logp(row, k)));
    nodes += 1;
  }
};

bool has_own_classes(const DriftData& x) {
  const auto& classes = x.run.data.classes;
  return std::equal(classes.begin(), classes.end(), x.model.classes.begin(), x.model.classes.end(),
                    [](const auto& a, const std::string& b) { return a.first == b; });
}

// Mean probabilities for the nodes of training. On those that it learned from a model answers what they are, more
// surely than on others; for them the test nodes of the splits stand, by networks that had not seen their labels.
std::vector<double> mean_answer_then(const DriftData& x) {
  MeanAnswer seen, unseen, test;
  for (Index u = 0; u < x.now.num_nodes(); ++u)
    if (!x.is_fresh[u]) (x.now.labels[u] >= 0 ? seen : unseen).add(x.logp, u);
  const double temperature = x.model.decision ? x.model.decision->temperature : 1;
  if (has_own_classes(x))
    for (const TestAnswers& split : x.run.answers) {
      const Matrix logp = calibrated(split.logp, temperature);
      for (Index i = 0; i < logp.rows(); ++i) test.add(logp, i);
    }
  const MeanAnswer& labelled = test.nodes > 0 ? test : seen;
  double without_label = share(x.run.data.unlabelled, x.run.data.nodes);
  if (unseen.nodes == 0) without_label = 0;
  if (labelled.nodes == 0) without_label = unseen.nodes > 0 ? 1 : kNoNumber;
  std::vector<double> out(x.model.classes.size(), std::isnan(without_label) ? kNoNumber : 0);
  for (std::size_t k = 0; k < out.size(); ++k) {
    if (labelled.nodes > 0) out[k] += (1 - without_label) * labelled.sums[k] / labelled.nodes;
    if (unseen.nodes > 0) out[k] += without_label * unseen.sums[k] / unseen.nodes;
  }
  return out;
}

// Answers with answers, labels with labels; what is further apart counts.
DriftRule class_shares(const DriftData& x) {
  DriftRule out{"class-shares",
                "distance of the mean probabilities for new nodes from those for nodes of training",
                0,
                kNoNumber,
                kNoNumber,
                0.15};
  out.obstacle = x.knows_fresh ? too_few(x.fresh.size(), "new nodes", kFewestScored) : kNotListed;
  if (!out.obstacle.empty()) return out;
  MeanAnswer fresh;
  for (Index u : x.fresh) fresh.add(x.logp, u);
  for (double& sum : fresh.sums) sum /= fresh.nodes;
  out.now = out.drift = distance(fresh.sums, mean_answer_then(x));
  if (x.labelled.size() < kFewestScored) return judged(out);
  const std::vector<double> then = training_shares(x);
  std::vector<double> now(then.size(), 0);
  const auto labels = static_cast<double>(x.labelled.size());
  for (int k : labels_of(x.now.labels, x.labelled)) now[k] += 1 / labels;
  double margin = 0;  // two standard errors of each share, half of them summed
  for (double each : then) margin += std::sqrt(each * (1 - each) / labels);
  const double beyond = distance(now, then) - margin;
  if (beyond <= out.drift) return judged(out);
  out.about = "distance of the new labels from those of training, beyond chance";
  out.now = distance(now, then);
  out.drift = beyond;
  out.margin = margin;
  return judged(out);
}

}  // namespace

std::vector<double> training_shares(const DriftData& x) {
  std::vector<double> out(x.model.classes.size(), 0);
  for (const auto& [name, count] : x.run.data.classes) {
    const auto found = std::find(x.model.classes.begin(), x.model.classes.end(), name);
    if (found != x.model.classes.end()) out[static_cast<std::size_t>(found - x.model.classes.begin())] += count;
  }
  for (double& each : out) each /= labels_then(x);
  return out;
}

std::vector<DriftRule> class_rules(const DriftData& x) { return {class_shares(x)}; }

}  // namespace gcnh
