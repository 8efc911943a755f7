// The first section, verdict and winner, and the last: options and origin of every number, and a glossary.
#include <fmt/core.h>

#include <algorithm>

#include "gcnh/base/error.h"
#include "gcnh/models/readings.h"
#include "gcnh/report/sections.h"
#include "gcnh/study/floors.h"

namespace gcnh::report {
namespace {

void add_group(const Group& group, bool only, Section& out) {
  const Run& best = group.best();
  const std::string where = only ? "" : " on " + group.data;
  const auto models =
      std::count_if(group.runs.begin(), group.runs.end(), [](const Run& run) { return !is_floor(run.model); });
  out.figures.push_back(
      {"Best model by validation" + where, best.name,
       fmt::format("of {}, floors aside; {}", counted(models, "model"),
                   counted_whole(static_cast<double>(best.result.splits[0].parameters), "parameter"))});
  const bool test = has_test(group);
  out.figures.push_back({(test ? "Its test " : "Its validation ") + title_of(group.metric),
                         mean_std_text(group.metric, test ? test_values(best.result.splits, group.metric)
                                                          : val_values(best.result.splits, group.metric)),
                         std::string(is_share(group.metric) ? "percent; " : "") + "mean ± population std, " +
                             counted(std::ssize(best.result.splits), "split")});
  if (!only) return;
  out.figures.push_back({"Graph", counted_whole(best.data.nodes, "node"),
                         counted_whole(best.data.edges, "edge") + ", " + counted_whole(best.data.features, "feature")});
  for (const auto& [name, value] : best.data.homophily)
    if (name == "edge" && value == value)
      out.figures.push_back({"Edge homophily", fmt::format("{:.2f}", value), "edges that join nodes of one class"});
}

Table options_table(const Group& group) {
  Table out{"options" + group.suffix, "Options on " + group.data, {"option"}, {}, ""};
  std::vector<std::string> names;
  for (const Run& run : group.runs) {
    out.columns.push_back(run.name);
    for (const auto& [name, value] : run.options)
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  for (const std::string& name : names) {
    out.rows.push_back({name});
    for (const Run& run : group.runs) {
      const auto found =
          std::find_if(run.options.begin(), run.options.end(), [&](const auto& o) { return o.first == name; });
      out.rows.back().push_back(found == run.options.end() ? "" : found->second);
    }
  }
  return out;
}

Table origin_table(const std::vector<Group>& groups) {
  Table out{"origin",
            "Where the numbers come from",
            {"run", "folder", "data and its hash", "environment", "command"},
            {},
            ""};
  for (const Group& group : groups) {
    for (const Run& run : group.runs) {
      std::string environment;
      for (const auto& [name, value] : run.environment)
        environment += (environment.empty() ? "" : ", ") + name + " " + value;
      out.rows.push_back({run.name, run.path.string(), run.data.fingerprint, environment, run.command});
    }
  }
  return out;
}

Table glossary() {
  Table out = {
      "glossary",
      "Glossary",
      {"word", "meaning"},
      {{"split", "one division of the labelled nodes into training, validation and test nodes"},
       {"accuracy", "share of the nodes whose class is predicted rightly"},
       {"population std", "square root of the mean squared distance from the mean: the sum is divided by n, not n − 1"},
       {"epoch kept", "the epoch with the best validation score; its parameters are tested, once"},
       {"floor", "what a model must beat: the majority class, logistic regression, label propagation"},
       {"edge homophily", "share of the edges that join nodes of one class"},
       {"node homophily", "mean over the nodes of the share of neighbours that have the node's class"},
       {"class-insensitive homophily", "how far classes are more homophilous than random edges; blind to class sizes"},
       {"adjusted homophily", "edge homophily, corrected for what nodes of these degrees give by chance; 0 is chance"},
       {"label informativeness", "how much of a node's class the class of one neighbour tells; 0 nothing, 1 all"},
       {"precision", "of the nodes that got this answer, the share for which it is right"},
       {"recall", "of the nodes of this class, the share that got this answer"},
       {"F1", "harmonic mean of precision and recall"},
       {"balanced accuracy", "mean recall of the classes: small ones count as much as large ones"},
       {"macro F1", "mean F1 of the classes"},
       {"MCC", "Matthews correlation of answers and classes; 1 all right, 0 no better than guessing"},
       {"ROC-AUC",
        "how likely a node of a class is given a higher probability of it than another node; 50 % is guessing"},
       {"PR-AUC", "average precision over all recalls; guessing gives the share of the class"},
       {"log-loss", "mean of minus the logarithm of the true class's probability; lower is better"},
       {"Brier score", "mean squared distance of the probabilities from the truth; lower is better"},
       {"ECE",
        "expected calibration error: how far probabilities are from the share of right answers; lower is better"},
       {"temperature",
        "what log-probabilities are divided by so that they fit the validation nodes; above 1 makes answers less sure"},
       {"set",
        "the classes that are possible at a level: it holds the true class of about that share of the nodes; empty "
        "where none is"},
       {"final model", "the model to deploy: trained on all labels, or all models of the splits together"},
       {"principal components", "the directions in which points differ most"}},
      ""};
  for (const ReadingInfo& info : known_readings()) out.rows.push_back({info.name, info.help});
  return out;
}

}  // namespace

Section summary_section(const std::vector<Group>& groups) {
  Section out{"summary", "Summary"};
  for (const Group& group : groups) {
    const std::string sentence = verdict(group);
    const std::string where = groups.size() > 1 ? group.data + ": " : "";
    if (!sentence.empty()) out.paragraphs.push_back(where + sentence);
    for (const std::string& caveat : caveats(group)) out.paragraphs.push_back(where + caveat);
    add_group(group, groups.size() == 1, out);
  }
  std::vector<std::string> commands;
  for (const Group& group : groups)
    for (const Run& run : group.runs)
      if (!run.command.empty() && std::find(commands.begin(), commands.end(), run.command) == commands.end())
        commands.push_back(run.command);
  if (commands.size() == 1) out.code = commands[0];
  if (commands.size() > 1) out.paragraphs.push_back("The commands are in the appendix.");
  return out;
}

Section appendix_section(const std::vector<Group>& groups) {
  Section out{"appendix", "Appendix"};
  for (const Group& group : groups) out.tables.push_back(options_table(group));
  out.tables.push_back(origin_table(groups));
  out.tables.push_back(glossary());
  return out;
}

}  // namespace gcnh::report
