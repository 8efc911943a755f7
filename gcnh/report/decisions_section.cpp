// What can be done with the answers: probabilities before and after scaling, sets of classes, leaving out the unsure
// ones, costs, and the final model.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "gcnh/report/sections.h"
#include "gcnh/run/calibration.h"

namespace gcnh::report {
namespace {

constexpr int kShares = 20;  // points of a curve of abstention

std::string decimals(double value) { return std::isnan(value) ? "–" : fmt::format("{:.3f}", value); }

// The columns of a table of DecisionScores, and a row of them.
std::vector<std::string> score_columns(bool has_aim) {
  std::vector<std::string> out = {"temperature", "ECE before, %", "ECE after, %",
                                  "level, %",    "coverage, %",   "classes per set"};
  if (has_aim) out.insert(out.end(), {"aim", "most probable class", "decision"});
  return out;
}

void add_scores(const DecisionScores& s, bool has_aim, std::vector<std::string>& row) {
  row.insert(row.end(), {decimals(s.temperature), percent(s.ece_before), percent(s.ece_after), percent(s.level),
                         percent(s.coverage), decimals(s.set_size)});
  if (has_aim)
    row.insert(row.end(), {s.aim, s.aim.empty() ? "" : decimals(s.before), s.aim.empty() ? "" : decimals(s.after)});
}

Table split_table(const Group& group) {
  const auto has_aim = [](const Run& run) {
    const auto mean = mean_decision(run.result.splits);
    return mean && !mean->aim.empty();
  };
  const bool any_aim = std::any_of(group.runs.begin(), group.runs.end(), has_aim);
  Table out{
      "decisions",
      "Probabilities, sets and decisions of the splits' models",
      {"model"},
      {},
      "Fitted on the validation nodes, measured on the test nodes, means over the splits. A set holds the classes "
      "whose probability is not below a bound; where validation and test nodes are exchangeable, as in random "
      "splits, it holds the true class as often as the level says, on average over splits. It is empty where no class "
      "is probable enough, so that there may be less than one class per set."};
  for (const std::string& column : score_columns(any_aim)) out.columns.push_back(column);
  for (const Run& run : group.runs) {
    const auto mean = mean_decision(run.result.splits);
    if (!mean) continue;
    out.rows.push_back({run.name});
    add_scores(*mean, any_aim, out.rows.back());
  }
  return out;
}

Table final_table(const Group& group) {
  Table out{
      "final",
      "Final model",
      {"model", "kind", "labels", "networks", "epochs", "judged nodes"},
      {},
      "A refit is trained on all labels, an ensemble is the mean of the splits' logits. Both are judged on nodes "
      "that the networks answering were not trained on: five refits that leave out a fifth of the labels in "
      "turn, and of the ensemble the members whose split did not train on the node. The better of the two is kept, "
      "so that its value flatters it a little; the test nodes of the comparison tell what to expect at least. "
      "Labels are those that some network was trained on. Probabilities and sets are measured on a fifth by what "
      "the others fitted; the temperature is the model's."};
  for (const char* kind : {"refit", "ensemble"})
    out.columns.push_back(fmt::format("{} {}", kind, column_of(group.metric)));
  const auto has_aim = [](const Run& run) { return run.final && !run.final->decision.aim.empty(); };
  const bool any_aim = std::any_of(group.runs.begin(), group.runs.end(), has_aim);
  for (const std::string& column : score_columns(any_aim)) out.columns.push_back(column);
  for (const Run& run : group.runs) {
    if (!run.final) continue;
    const StoredFinal& f = *run.final;
    std::vector<std::string> row = {run.name,         f.kind,          whole(f.labels),
                                    whole(f.members), whole(f.epochs), whole(f.judged)};
    for (const char* kind : {"refit", "ensemble"}) {
      const auto found =
          std::find_if(f.candidates.begin(), f.candidates.end(), [&](const auto& c) { return c.first == kind; });
      row.push_back(found == f.candidates.end() ? "–" : value_text(group.metric, found->second[group.metric]));
    }
    add_scores(f.decision, any_aim, row);
    out.rows.push_back(std::move(row));
  }
  return out;
}

bool has_rule(const Run& run) {
  const auto& decision = run.result.splits[0].decision;
  return (decision && !decision->aim.empty()) || (run.final && !run.final->decision.aim.empty());
}

std::string share_cell(const std::vector<double>& shares, std::size_t k) {
  return k < shares.size() ? percent(shares[k]) : "–";
}

// Of the best run, since a level is met on average, not within every class.
Table sets_by_class(const Run& best) {
  Table out{"sets-by-class",
            "How often sets of " + best.name + " hold the class, by class",
            {"class"},
            {},
            "A level is that of all nodes together. Sets of rare classes may hold their class less often, those of "
            "common ones more often. In percent, means over splits, and over fifths of the rehearsal."};
  const auto mean = mean_decision(best.result.splits);
  const std::vector<double> of_splits = mean ? mean->class_coverage : std::vector<double>();
  const std::vector<double> of_final = best.final ? best.final->decision.class_coverage : std::vector<double>();
  if (!of_splits.empty()) out.columns.push_back("splits, %");
  if (!of_final.empty()) out.columns.push_back("final model, %");
  if (out.columns.size() == 1) return out;
  for (std::size_t k = 0; k < best.data.classes.size(); ++k) {
    out.rows.push_back({best.data.classes[k].first});
    if (!of_splits.empty()) out.rows.back().push_back(share_cell(of_splits, k));
    if (!of_final.empty()) out.rows.back().push_back(share_cell(of_final, k));
  }
  return out;
}

double sum_of(const std::vector<double>& row) { return std::accumulate(row.begin(), row.end(), 0.0); }

// What the final model's answers are worth where they follow costs or weights.
Table final_answers(const Run& best) {
  Table out{"final-decided",
            "Answers of the final model of " + best.name + " by its costs or weights",
            {"class", "nodes", "answers", "right answers", "precision, %", "recall, %"},
            {},
            "On the judged nodes, each fifth answered by what the others fitted. Answers are nodes said to be of the "
            "class; precision is the share of them that is, recall the share of the class that is found."};
  if (!best.final) return out;
  const StoredFinal& f = *best.final;
  for (std::size_t k = 0; k < f.decided.size(); ++k) {
    const double nodes = sum_of(f.decided[k]), right = f.decided[k].at(k);
    double answers = 0;
    for (const std::vector<double>& row : f.decided) answers += row.at(k);
    out.rows.push_back({f.classes.at(k), whole(nodes), whole(answers), whole(right),
                        answers > 0 ? percent(right / answers) : "–", nodes > 0 ? percent(right / nodes) : "–"});
  }
  return out;
}

Chart scaling_chart(const Run& best) {
  Chart out = empty_reliability_chart("reliability-scaled", best.name + " before and after scaling its probabilities");
  out.series = {reliability_series(best, "as trained", false), reliability_series(best, "scaled", true)};
  add_diagonal(out);
  return out;
}

// Answers of equal probability, of which nothing says which to leave out first, count as their mean.
void average_ties(std::vector<std::pair<double, double>>& answers) {
  for (auto begin = answers.begin(); begin != answers.end();) {
    const auto end = std::find_if(begin, answers.end(), [&](const auto& a) { return a.first != begin->first; });
    double right = 0;
    for (auto a = begin; a != end; ++a) right += a->second;
    for (auto a = begin; a != end; ++a) a->second = right / static_cast<double>(end - begin);
    begin = end;
  }
}

// Of the surest so many answers of all splits, the share that is right.
Series abstention_series(const Run& run, bool has_labels) {
  std::vector<std::pair<double, double>> answers;  // probability; 1 for a right one
  for (std::size_t s = 0; s < run.answers.size(); ++s) {
    const auto& decision = run.result.splits[s].decision;
    const Matrix logp = calibrated(run.answers[s].logp, decision ? decision->temperature : 1);
    for (Index i = 0; i < logp.rows(); ++i) {
      const Real* row = logp.row(i);
      const auto best = std::max_element(row, row + logp.cols());
      answers.emplace_back(std::exp(static_cast<double>(*best)),
                           best - row == run.answers[s].labels[static_cast<std::size_t>(i)] ? 1 : 0);
    }
  }
  std::sort(answers.begin(), answers.end(), std::greater());
  average_ties(answers);
  Series out{run.name, {}};
  for (int share = 1; share <= kShares; ++share) {
    const std::size_t count = answers.size() * static_cast<std::size_t>(share) / kShares;
    if (count == 0) continue;
    double right = 0;
    for (std::size_t i = 0; i < count; ++i) right += answers[i].second;
    const double least = answers[count - 1].first;
    out.points.push_back(labelled(rounded(static_cast<double>(count) / static_cast<double>(answers.size())),
                                  rounded(right / static_cast<double>(count)),
                                  has_labels ? fmt::format("{}: probability at least {:.3f}", run.name, least) : ""));
  }
  return out;
}

Chart abstention_chart(const Group& group) {
  Chart out{ChartKind::lines,
            "abstention",
            "How often answers are right when the unsure ones are left out",
            {"share of the test nodes that get an answer", {}, false, true},
            {"share of right answers", {}, false, true},
            {}};
  for (const Run& run : group.runs)
    if (!run.answers.empty()) out.series.push_back(abstention_series(run, &run == &group.best() && !has_rule(run)));
  out.x.low = 0;
  out.x.high = 1;
  out.note = "Most probable classes of all splits, the surest first, by scaled probabilities. ";
  out.note += has_rule(group.best())
                  ? "Answers that gcnh predict chooses by costs or weights are others: --abstain goes by their own "
                    "probabilities, of which this says nothing."
                  : "The points of " + group.best().name +
                        " are labelled with the least probability of their answers, for gcnh predict --abstain.";
  return out;
}

}  // namespace

Section decisions_section(const Group& group) {
  Section out{"decisions", "What can be done with the answers?"};
  if (Table table = split_table(group); !table.rows.empty()) out.tables.push_back(std::move(table));
  if (Table table = final_table(group); !table.rows.empty()) out.tables.push_back(std::move(table));
  if (out.tables.empty()) return out;
  const Run& best = group.best();
  if (Table table = sets_by_class(best); !table.rows.empty()) out.tables.push_back(std::move(table));
  if (Table table = final_answers(best); !table.rows.empty()) out.tables.push_back(std::move(table));
  if (!best.answers.empty() && mean_decision(best.result.splits)) out.charts.push_back(scaling_chart(best));
  if (std::any_of(group.runs.begin(), group.runs.end(), [](const Run& run) { return !run.answers.empty(); }))
    out.charts.push_back(abstention_chart(group));
  return out;
}

}  // namespace gcnh::report
