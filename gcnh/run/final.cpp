#include "gcnh/run/final.h"

#include <algorithm>
#include <cmath>

#include "gcnh/base/error.h"
#include "gcnh/base/parallel.h"
#include "gcnh/run/calibration.h"
#include "gcnh/run/outcome_json.h"
#include "gcnh/run/run_files.h"
#include "gcnh/run/split_data.h"

namespace gcnh {
namespace {

using json = nlohmann::ordered_json;

constexpr int kFolds = kFinalTrainings - 1;
constexpr std::uint64_t kFoldSeed = 20;

// The fold of every node, each class dealt in turn; -1: unlabelled.
std::vector<int> folds_of(const Dataset& d) {
  std::vector<std::vector<Index>> members(d.classes.size());
  for (Index u = 0; u < d.num_nodes(); ++u)
    if (d.labels[u] >= 0) members[d.labels[u]].push_back(u);
  std::vector<int> out(d.num_nodes(), -1);
  int next = 0;
  for (std::size_t k = 0; k < members.size(); ++k) {
    shuffle(members[k], Rng(kFoldSeed).fork(k));
    for (Index u : members[k]) out[u] = next++ % kFolds;
  }
  return out;
}

std::vector<Index> labelled_nodes(const Dataset& d) {
  std::vector<Index> out;
  for (Index u = 0; u < d.num_nodes(); ++u)
    if (d.labels[u] >= 0) out.push_back(u);
  return out;
}

// Splits 0 to 4 leave out a fold each, the last one nothing. Nothing is validated and nothing tested.
Experiment refit_experiment(const Experiment& e, const std::vector<int>& folds, int epochs) {
  Experiment out = e;
  auto data = std::make_shared<Dataset>(*e.dataset);
  data->splits.assign(kFinalTrainings, {});
  for (int s = 0; s < kFinalTrainings; ++s) {
    for (Index u = 0; u < data->num_nodes(); ++u)
      if (folds[u] >= 0 && folds[u] != s) data->splits[s].train.push_back(u);
  }
  out.dataset = std::move(data);
  out.train.epochs = epochs;
  out.train.patience = 0;
  out.read_test = false;
  return out;
}

// Log-probabilities of some nodes by networks that were not trained on them.
struct HeldOut {
  std::vector<Index> nodes;
  Matrix logp;
};

// Trains splits of the experiment, as many at a time as fit. Throws when one diverges.
std::vector<SplitOutcome> train_all(const Experiment& e, const std::vector<int>& splits, const RunObserver& observer) {
  std::vector<Training> trainings;
  for (int split : splits) trainings.push_back({e, split});
  std::vector<std::optional<SplitOutcome>> found(splits.size());
  run_trainings(trainings, e.threads, observer,
                [&](std::size_t i, SplitOutcome outcome) { found[i] = std::move(outcome); });
  std::vector<SplitOutcome> out;
  for (std::optional<SplitOutcome>& s : found) {
    if (!s) fail(Status::interrupted, "interrupted");
    require(s->best.epoch > 0, "the loss of the final model is not finite after epoch ", s->epochs + 1,
            "; lower lr, or take the ensemble");
    out.push_back(std::move(*s));
  }
  return out;
}

Matrix rows_of(const HeldOut& from, const std::vector<Index>& nodes) {
  Matrix out(static_cast<Index>(nodes.size()), from.logp.cols());
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const auto at = std::lower_bound(from.nodes.begin(), from.nodes.end(), nodes[i]) - from.nodes.begin();
    std::copy_n(from.logp.row(static_cast<Index>(at)), out.cols(), out.row(static_cast<Index>(i)));
  }
  return out;
}

// Every labelled node by the network whose training left it out.
HeldOut refit_answers(const Experiment& e, const std::vector<int>& folds, const std::vector<SplitOutcome>& trained) {
  HeldOut out{labelled_nodes(*e.dataset), {}};
  out.logp = Matrix(static_cast<Index>(out.nodes.size()), e.dataset->num_classes());
  const Answers answers = model_answers(e);
  for (const SplitOutcome& s : trained) {
    std::vector<Index> rows, nodes;
    for (std::size_t i = 0; i < out.nodes.size(); ++i)
      if (folds[out.nodes[i]] == s.split) {
        rows.push_back(static_cast<Index>(i));
        nodes.push_back(out.nodes[i]);
      }
    const Matrix logp = answers(s, nodes);
    for (std::size_t i = 0; i < rows.size(); ++i)
      std::copy_n(logp.row(static_cast<Index>(i)), logp.cols(), out.logp.row(rows[i]));
  }
  return out;
}

// Every labelled node that a split did not train on, by the networks of all such splits.
HeldOut ensemble_answers(const Experiment& e, const RunResult& result) {
  const Dataset& d = *e.dataset;
  const std::size_t classes = d.classes.size();
  std::vector<double> sums(static_cast<std::size_t>(d.num_nodes()) * classes, 0);
  std::vector<int> counts(d.num_nodes(), 0);
  const std::vector<Index> labelled = labelled_nodes(d);
  const Answers answers = model_answers(e);
  for (const SplitOutcome& s : result.splits) {
    const std::vector<Index>& train = d.splits[s.split].train;
    std::vector<Index> nodes;
    std::set_difference(labelled.begin(), labelled.end(), train.begin(), train.end(), std::back_inserter(nodes));
    const Matrix logp = answers(s, nodes);
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      ++counts[nodes[i]];
      for (std::size_t k = 0; k < classes; ++k)
        sums[static_cast<std::size_t>(nodes[i]) * classes + k] += logp(static_cast<Index>(i), static_cast<Index>(k));
    }
  }
  HeldOut out;
  std::vector<double> own_sums;
  std::vector<int> own_counts;
  for (Index u : labelled) {
    if (counts[u] == 0) continue;
    out.nodes.push_back(u);
    own_counts.push_back(counts[u]);
    const auto row = sums.begin() + static_cast<std::ptrdiff_t>(u) * static_cast<std::ptrdiff_t>(classes);
    own_sums.insert(own_sums.end(), row, row + static_cast<std::ptrdiff_t>(classes));
  }
  out.logp = out.nodes.empty() ? Matrix(0, d.num_classes()) : mean_answers(own_sums, own_counts);
  return out;
}

// Fold by fold: fitted on the others, measured on the fold.
struct Rehearsal {
  DecisionScores scores;
  std::vector<std::vector<Index>> decided;
};

void count_answers(const Decision& decision, const Matrix& logp, std::span<const int> labels, Rehearsal& out) {
  for (Index i = 0; i < logp.rows(); ++i)
    ++out.decided[static_cast<std::size_t>(labels[i])][static_cast<std::size_t>(decide(decision, logp, i))];
}

// Both errors are of all nodes at once: in fifths of few nodes chance alone makes them larger.
void measure_calibration(const Matrix& before, const Matrix& after, std::span<const int> labels, DecisionScores& to) {
  to.ece_before = measure(Metric::ece, before, labels);
  to.ece_after = measure(Metric::ece, after, labels);
}

Rehearsal rehearse_decisions(const HeldOut& judged, const std::vector<int>& folds, const Dataset& d, const Aims& aims) {
  Rehearsal out;
  out.decided.assign(d.classes.size(), std::vector<Index>(d.classes.size()));
  std::vector<DecisionScores> scores;
  Matrix scaled = judged.logp;
  for (int f = 0; f < kFolds; ++f) {
    std::vector<Index> own, others, rows;
    for (std::size_t i = 0; i < judged.nodes.size(); ++i) {
      (folds[judged.nodes[i]] == f ? own : others).push_back(judged.nodes[i]);
      if (folds[judged.nodes[i]] == f) rows.push_back(static_cast<Index>(i));
    }
    if (own.empty() || others.empty()) continue;
    const Decision decision =
        fit_decision(rows_of(judged, others), labels_of(d.labels, others), aims, Judges::rehearsed);
    const Matrix logp = rows_of(judged, own), answers = calibrated(logp, decision.temperature);
    const std::vector<int> labels = labels_of(d.labels, own);
    scores.push_back(score_decision(decision, logp, labels, aims));
    count_answers(decision, answers, labels, out);
    for (std::size_t i = 0; i < rows.size(); ++i)
      std::copy_n(answers.row(static_cast<Index>(i)), answers.cols(), scaled.row(rows[i]));
  }
  out.scores = mean_scores(scores);
  if (!scores.empty()) measure_calibration(judged.logp, scaled, labels_of(d.labels, judged.nodes), out.scores);
  return out;
}

// What the model will do, where the rehearsal is about models like it.
json fitted_json(const Decision& d, std::size_t num_classes) {
  json out = {{"temperature", d.temperature}, {"level", d.level}};
  if (!d.weights.empty()) out["weights"] = d.weights;
  if (!d.has_rule() || num_classes != 2) return out;
  const std::optional<double> from = threshold(d);
  out["threshold"] = from ? json(*from) : json();
  return out;
}

TrainedModel ensemble_model(const Experiment& e, const RunResult& result) {
  TrainedModel out = trained_model(e, result.splits[0]);
  std::vector<bool> trained(e.dataset->num_nodes(), false);
  for (const SplitOutcome& s : result.splits) {
    if (&s != &result.splits[0]) out.others.push_back({split_schema(e, s.split), s.weights});
    for (Index u : e.dataset->splits[s.split].train) trained[u] = true;
  }
  out.final = FinalKind::ensemble;
  out.labels = static_cast<Index>(std::count(trained.begin(), trained.end(), true));
  return out;
}

TrainedModel refit_model(const Experiment& e, const RunObserver& observer) {
  const std::vector<SplitOutcome> whole = train_all(e, {kFolds}, observer);
  TrainedModel out = trained_model(e, whole[0]);
  out.final = FinalKind::refit;
  out.labels = static_cast<Index>(e.dataset->splits[kFolds].train.size());
  return out;
}

}  // namespace

int final_epochs(const RunResult& result) {
  std::vector<int> epochs;
  for (const SplitOutcome& s : result.splits) epochs.push_back(s.best.epoch);
  std::sort(epochs.begin(), epochs.end());
  return std::max(1, epochs[epochs.size() / 2]);
}

FinalModel make_final(const Experiment& e, const RunResult& result, FinalChoice choice, const RunObserver& observer) {
  const Dataset& d = *e.dataset;
  const std::vector<int> folds = folds_of(d);
  const int epochs = final_epochs(result);
  std::optional<Experiment> refit;
  std::vector<HeldOut> answers;  // of the candidates
  FinalModel out;
  out.metric = e.train.metric;
  if (choice != FinalChoice::ensemble) {
    refit = refit_experiment(e, folds, epochs);
    std::vector<int> rehearsals;
    for (int f = 0; f < kFolds; ++f)
      if (!refit->dataset->splits[f].train.empty()) rehearsals.push_back(f);
    answers.push_back(refit_answers(*refit, folds, train_all(*refit, rehearsals, observer)));
    out.candidates.push_back({FinalKind::refit, {}});
  }
  if (choice != FinalChoice::refit) {
    Pool pool(e.threads);
    const PoolScope scope(&pool);
    HeldOut own = ensemble_answers(e, result);
    require(choice == FinalChoice::automatic || !own.nodes.empty(),
            "every labelled node is a training node of every split: nothing is left to judge an ensemble by");
    if (!own.nodes.empty()) {
      answers.push_back(std::move(own));
      out.candidates.push_back({FinalKind::ensemble, {}});
    }
  }
  const std::vector<Index> judged = answers.back().nodes;  // those of a refit are all
  const std::vector<int> labels = labels_of(d.labels, judged);
  for (std::size_t i = 0; i < answers.size(); ++i) {
    answers[i] = {judged, rows_of(answers[i], judged)};
    out.candidates[i].measures = measure(answers[i].logp, labels);
  }
  const auto value = [&](std::size_t i) { return merit(out.metric, out.candidates[i].measures[out.metric]); };
  if (answers.size() == 2 && value(1) > value(0)) {
    std::swap(answers[0], answers[1]);
    std::swap(out.candidates[0], out.candidates[1]);
  }
  out.judged = judged.size();
  Rehearsal rehearsal = rehearse_decisions(answers[0], folds, d, e.aims);
  out.decision = std::move(rehearsal.scores);
  if (e.aims.has_aim()) out.decided = std::move(rehearsal.decided);
  out.model = out.candidates[0].kind == FinalKind::refit ? refit_model(*refit, observer) : ensemble_model(e, result);
  out.model.epochs = epochs;
  out.model.decision = fit_decision(answers[0].logp, labels, e.aims, Judges::rehearsed);
  out.model.known_nodes = d.num_nodes();
  out.model.known_ids = id_hashes(d);
  return out;
}

std::string final_json(const FinalModel& f) {
  json candidates = json::array();
  for (const FinalCandidate& c : f.candidates)
    candidates.push_back({{"kind", to_word(c.kind)}, {"metrics", measures_json(c.measures)}});
  json out = {{"kind", to_word(*f.model.final)},
              {"model", f.model.model},
              {"epochs", f.model.epochs},
              {"labels", f.model.labels},
              {"members", 1 + f.model.others.size()},
              {"metric", to_word(f.metric)},
              {"judged", f.judged},
              {"candidates", std::move(candidates)},
              {"decision", decision_json(f.decision)},
              {"fitted", fitted_json(*f.model.decision, f.model.classes.size())}};
  if (!f.decided.empty()) {
    out["classes"] = f.model.classes;
    out["decided"] = f.decided;
  }
  return out.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

}  // namespace gcnh
