#include "gcnh/study/floors.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include "gcnh/models/model.h"
#include "gcnh/run/runner.h"
#include "gcnh/study/tune.h"

namespace gcnh::study {
namespace {

constexpr double kPriorShare = 0.01;

std::vector<double> priors(const Dataset& d, const Split& split) {
  std::vector<double> out(d.num_classes(), 1);
  for (Index u : split.train) ++out[d.labels[u]];
  for (double& p : out) p /= static_cast<double>(split.train.size() + out.size());
  return out;
}

Matrix majority(const Dataset& d, const Split& split, const OptionValues&) {
  const std::vector<double> p = priors(d, split);
  Matrix out(d.num_nodes(), d.num_classes());
  for (Index u = 0; u < out.rows(); ++u)
    for (Index k = 0; k < out.cols(); ++k) out(u, k) = static_cast<Real>(std::log(p[k]));
  return out;
}

// next = a D^-1 A F + (1 - a) Y for the rows of other nodes than training nodes, whose Y is 0.
void propagate(const Csr& a, double share, const Matrix& f, const std::vector<bool>& is_fixed, Matrix& next) {
  for (Index u = 0; u < a.rows; ++u) {
    if (is_fixed[u]) continue;
    std::vector<double> sum(f.cols(), 0);
    double degree = 0;
    for (Offset e = a.offsets[u]; e < a.offsets[u + 1]; ++e) {
      const double weight = a.value(e);
      degree += weight;
      for (Index k = 0; k < f.cols(); ++k) sum[k] += weight * f(a.indices[e], k);
    }
    for (Index k = 0; k < f.cols(); ++k) next(u, k) = degree > 0 ? static_cast<Real>(share * sum[k] / degree) : 0;
  }
}

Matrix labelprop(const Dataset& d, const Split& split, const OptionValues& options) {
  double share = 0;
  int steps = 0;
  parse_text("alpha", options.at("alpha"), share);
  parse_text("steps", options.at("steps"), steps);
  Matrix f(d.num_nodes(), d.num_classes());
  std::vector<bool> is_fixed(d.num_nodes(), false);
  for (Index u : split.train) {
    is_fixed[u] = true;
    f(u, d.labels[u]) = 1;
  }
  Matrix next = f;
  for (int s = 0; s < steps; ++s) {
    propagate(d.adjacency, share, f, is_fixed, next);
    std::swap(f, next);
  }
  const std::vector<double> prior = priors(d, split);
  for (Index u = 0; u < f.rows(); ++u) {
    double sum = 0;
    for (Index k = 0; k < f.cols(); ++k) sum += f(u, k);
    for (Index k = 0; k < f.cols(); ++k) {
      const double p = sum > 0 ? (1 - kPriorShare) * f(u, k) / sum + kPriorShare * prior[k] : prior[k];
      f(u, k) = static_cast<Real>(std::log(p));
    }
  }
  return f;
}

Matrix rows_of(const Matrix& m, std::span<const Index> nodes) {
  Matrix out(static_cast<Index>(nodes.size()), m.cols());
  for (Index i = 0; i < out.rows(); ++i) std::copy_n(m.row(nodes[i]), m.cols(), out.row(i));
  return out;
}

// What the answers reach on the validation nodes, and where they may be read on the test nodes.
SplitOutcome outcome_of(const Experiment& e, int number, const Matrix& logp) {
  const Dataset& d = *e.dataset;
  const Split& split = d.splits[number];
  SplitOutcome out;
  out.split = number;
  out.metric = e.train.metric;
  out.engine = "none";
  out.epochs = 1;
  const Matrix val = rows_of(logp, split.val);
  const std::vector<int> val_labels = labels_of(d.labels, split.val);
  out.best = {1, score(val, val_labels, e.train.metric)};
  out.val = measure(val, val_labels);
  if (!e.read_test) return out;
  out.test_accuracy = std::numeric_limits<double>::quiet_NaN();
  if (split.test.empty()) return out;
  const Matrix test = rows_of(logp, split.test);
  const std::vector<int> test_labels = labels_of(d.labels, split.test);
  AllMeasures reached = measure_all(test, test_labels);
  out.test = reached.overall;
  out.test_classes = std::move(reached.classes);
  out.test_accuracy = (*out.test)[Metric::accuracy];
  return out;
}

std::vector<SplitOutcome> run_splits(const Floor& floor, const Experiment& e) {
  std::vector<SplitOutcome> out(e.splits.size());
  for_each_training(*e.dataset, e.threads, out.size(), [&](std::size_t i) {
    const auto start = std::chrono::steady_clock::now();
    out[i] = outcome_of(e, e.splits[i], floor.answer(*e.dataset, e.dataset->splits[e.splits[i]], e.model_options));
    out[i].seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  });
  return out;
}

// The cell with the best mean validation value, the lowest mean loss among equals.
OptionValues choose(const Floor& floor, Experiment e) {
  e.read_test = false;
  OptionValues best;
  std::pair<double, double> best_score;
  for (const OptionValues& cell : cells_of(floor.grid)) {
    e.model_options = cell;
    double loss = 0;
    const std::vector<SplitOutcome> splits = run_splits(floor, e);
    for (const SplitOutcome& s : splits) loss += s.best.score.loss / static_cast<double>(splits.size());
    const std::pair now(merit(e.train.metric, mean_std(val_values(splits, e.train.metric)).mean), -loss);
    if (!best.empty() && now <= best_score) continue;
    best = cell;
    best_score = now;
  }
  return best;
}

}  // namespace

const std::vector<Floor>& floors() {
  static const std::vector<Floor> all = {
      {"majority", "the largest class of the training nodes, for every node", false, {}, majority},
      {"labelprop",
       "labels spread along the edges, features not read",
       true,
       {{"alpha", {"0.5", "0.9", "0.99"}}, {"steps", {"1", "3", "10", "50"}}},
       labelprop}};
  return all;
}

bool is_floor(const std::string& name) {
  const auto& types = model_types();
  return std::any_of(floors().begin(), floors().end(), [&](const Floor& f) { return f.name == name; }) ||
         std::any_of(types.begin(), types.end(), [&](const ModelType& t) { return t.name == name && t.is_floor; });
}

FloorRun run_floor(const Floor& floor, const Experiment& like) {
  const auto start = std::chrono::steady_clock::now();
  FloorRun out{like, {}};
  out.experiment.model = floor.name;
  out.experiment.is_trained = false;
  out.experiment.model_options = floor.grid.empty() ? OptionValues{} : choose(floor, out.experiment);
  out.result.splits = run_splits(floor, out.experiment);
  out.result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return out;
}

Answers answers_of(const Floor& floor, const Experiment& e) {
  return [&floor, e](const SplitOutcome& s, std::span<const Index> nodes) {
    return rows_of(floor.answer(*e.dataset, e.dataset->splits[s.split], e.model_options), nodes);
  };
}

}  // namespace gcnh::study
