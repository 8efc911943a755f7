// What the tests of a group's runs say: pairs of splits, the verdict, and what else must be known.
#include <algorithm>
#include <cctype>

#include "gcnh/report/sections.h"
#include "gcnh/study/floors.h"

namespace gcnh::report {
namespace {

bool is_same_split(const Run& a, std::size_t i, const Run& b, std::size_t j) {
  return a.result.splits[i].split == b.result.splits[j].split && a.test_nodes[i] == b.test_nodes[j];
}

// From its confusions on the test nodes of all splits.
std::vector<ClassCount> count_classes(const Run& run) {
  std::vector<ClassCount> out;
  for (std::size_t k = 0; k < run.confusion.size(); ++k) {
    ClassCount& count = out.emplace_back(ClassCount{run.data.classes[k].first});
    for (std::size_t j = 0; j < run.confusion.size(); ++j)
      count.nodes += run.confusion[k][j], count.answers += run.confusion[j][k];
    count.found = run.confusion[k][k];
  }
  return out;
}

// The runs as contenders, when all have the same splits with the same test nodes; else none.
std::vector<Contender> contenders_of(const Group& group) {
  const Run& first = group.runs[0];
  std::vector<Contender> models;
  for (const Run& run : group.runs) {
    if (run.result.splits.size() != first.result.splits.size()) return {};
    for (std::size_t i = 0; i < run.result.splits.size(); ++i)
      if (!is_same_split(run, i, first, i)) return {};
    models.push_back(
        {run.name, run.result.splits, run.data.test_per_train, sees_graph(run.model), is_floor(run.model)});
    name_overlooked(count_classes(run), models.back());
    const auto weighs = [](const auto& option) {
      return option.first == "class_weights" && option.second != TrainOptions{}.class_weights;
    };
    models.back().weighs_classes = std::any_of(run.options.begin(), run.options.end(), weighs);
    const std::optional<DecisionScores>& decision = run.result.splits[0].decision;
    models.back().has_aim = decision && !decision->aim.empty();
  }
  return models;
}

// As a sentence of its own. Names of models and options are written as they are.
std::string in_a_sentence(std::string text, const std::vector<std::string>& models) {
  std::erase(text, '`');
  const auto leads = [&](const std::string& model) { return text.starts_with(model + " "); };
  if (std::none_of(models.begin(), models.end(), leads))
    text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  return text + ".";
}

}  // namespace

Pairs pair_up(const Run& a, const Run& b, Metric metric) {
  Pairs out;
  for (std::size_t i = 0; i < a.result.splits.size(); ++i) {
    std::size_t j = 0;
    while (j < b.result.splits.size() && !is_same_split(a, i, b, j)) ++j;
    if (j == b.result.splits.size()) continue;
    const double difference = test_value(a.result.splits[i], metric) - test_value(b.result.splits[j], metric);
    out.splits.push_back(a.result.splits[i].split);
    out.differences.push_back(difference);
    ++(difference == 0 ? out.equal : (difference > 0) == higher_is_better(metric) ? out.better : out.worse);
  }
  return out;
}

std::optional<Comparison> compare_runs(const Group& group) {
  const std::vector<Contender> models = contenders_of(group);
  if (models.empty()) return std::nullopt;
  return compare_models(models, {}, group.metric);
}

std::string verdict(const Group& group) {
  const auto comparison = compare_runs(group);
  std::string out = comparison ? verdict(*comparison) : "";
  if (out.empty()) return out;
  out = in_a_sentence(out, comparison->models);
  if (comparison->blind)
    out += " " + comparison->models[*comparison->blind] +
           " never sees the graph: the difference tells whether the graph helps.";
  return out;
}

std::vector<std::string> caveats(const Group& group) {
  const std::vector<Contender> models = contenders_of(group);
  if (models.empty()) return {};
  const Comparison comparison = compare_models(models, {}, group.metric);
  std::vector<std::string> out = caveats(comparison, models);
  for (std::string& text : out) text = in_a_sentence(text, comparison.models);
  return out;
}

}  // namespace gcnh::report
