// gcnh eval: how good a trained model is on labelled data.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>

#include "cli/commands.h"
#include "cli/data_flags.h"
#include "cli/final.h"
#include "cli/layout.h"
#include "cli/nodes.h"

namespace gcnh::cli {
namespace {

constexpr std::size_t kMostInConfusion = 10;  // classes; a wider table does not fit

struct EvalFlags {
  DataFlags data;
  std::string model;
  std::vector<std::string> only;
  bool json = false;
};

std::string new_text(std::size_t count) { return fmt::format("{} {} new to it", count, count == 1 ? "is" : "are"); }

std::string training_text(const Evaluation& e) {
  if (!e.trained)
    return "nothing tells which of them the model was trained on; on those its scores are flattering" +
           (e.fresh > 0 ? "; " + new_text(e.fresh) : "");
  if (e.fresh == e.nodes) return "all of them are new to the model: none is a node that it was trained on";
  std::string out =
      fmt::format("{} of them are nodes that the model was trained on, {} chose its epoch", *e.trained, *e.validated);
  if (e.fresh > 0) out += ", " + new_text(e.fresh);
  if (e.unknown > 0) out += fmt::format(" (not known of {})", e.unknown);
  return out + (*e.trained + *e.validated > 0 ? ": scores are flattering; --only scores others" : "");
}

std::string share_text(double share) { return std::isnan(share) ? "-" : fmt::format("{:.2f}", 100 * share); }

// "in set" is the share of the nodes of the class whose set holds it.
void print_classes(const Evaluation& e, std::size_t width) {
  const bool has_sets = e.decision && !e.decision->class_coverage.empty();
  fmt::print("\n{:{}}  support  predicted  precision  recall      F1  ROC-AUC{}\n", "class", width,
             has_sets ? "  in set" : "");
  for (std::size_t k = 0; k < e.classes.size(); ++k) {
    const ClassMeasures& c = e.by_class[k];
    fmt::print("{}{}  {:7}  {:9}  {:9.2f}  {:6.2f}  {:6.2f}  {:>7}", e.classes[k],
               std::string(width - display_width(e.classes[k]), ' '), c.support, c.predicted, 100 * c.precision,
               100 * c.recall, 100 * c.f1, value_text(Metric::roc_auc, c.roc_auc));
    if (has_sets) fmt::print("  {:>6}", share_text(e.decision->class_coverage[k]));
    fmt::print("\n");
  }
}

void print_counts(const char* title, const Evaluation& e, const std::vector<std::vector<Index>>& counts,
                  std::size_t width) {
  fmt::print("\n{}, in the same order\n", title);
  for (std::size_t k = 0; k < e.classes.size(); ++k) {
    fmt::print("{}{}", e.classes[k], std::string(width - display_width(e.classes[k]), ' '));
    for (Index count : counts[k]) fmt::print("  {:5}", count);
    fmt::print("\n");
  }
}

// Metrics are of the most probable class; what predict answers may be another.
void print_confusion(const Evaluation& e, std::size_t width) {
  if (e.classes.size() > kMostInConfusion) return;
  if (e.decided.empty()) return print_counts("nodes of a class by the class predicted", e, e.confusion, width);
  print_counts("nodes of a class by the most probable class, which all above is about", e, e.confusion, width);
  print_counts("nodes of a class by what predict answers, chosen by costs or weights", e, e.decided, width);
}

void print_decision(const Decision& decision, const DecisionScores& s, const std::vector<std::string>& classes) {
  fmt::print("\n");
  if (decision.has_sets())
    fmt::print("sets of {:.1f} % hold the class of {:.2f} % of the nodes, {:.2f} classes each\n", 100 * s.level,
               100 * s.coverage, s.set_size);
  if (const std::string note = level_note(decision); !note.empty()) fmt::print("{}", wrapped("", note));
  if (!s.aim.empty()) fmt::print("mean cost {:.4g}, {:.4g} for the most probable class\n", s.after, s.before);
  if (decision.has_rule()) fmt::print("{}", wrapped("answers: ", rule_text(decision, classes)));
}

void print_text(const TrainedModel& model, const std::string& data, Evaluation e) {
  for (std::string& name : e.classes) name = in_one_line(name);
  std::vector<std::string> facts = {model.model + " on " + data,
                                    counted(static_cast<std::int64_t>(e.nodes), "node") + " scored"};
  if (e.unlabelled > 0) facts.push_back(fmt::format("{} without a label", e.unlabelled));
  fmt::print("{}{}\n", in_lines("model  ", facts), wrapped("       ", training_text(e)));
  for (Metric metric : all_metrics()) {
    const double value = e.measures[metric];
    fmt::print("{:17}  {:>7}{}\n", title_of(metric), value_text(metric, value),
               std::isnan(value) ? "" : percent_sign(metric));
  }
  if (e.decision) print_decision(*model.decision, *e.decision, e.classes);
  std::size_t width = 5;
  for (const std::string& name : e.classes) width = std::max(width, display_width(name));
  print_classes(e, width);
  print_confusion(e, width);
}

void eval(const EvalFlags& flags) {
  const std::filesystem::path file = model_file(flags.model);
  const TrainedModel model = load_model(file);
  const Dataset dataset = fit_and_tell(model, load_tables(flags.data, &model), flags.data.quiet);
  const Evaluation result =
      evaluate(model, dataset, chosen_nodes(dataset, flags.only), training_nodes_beside(file, model.final.has_value()));
  if (flags.json) {
    fmt::print("{}", evaluation_json(model, dataset.name, result));
  } else {
    print_text(model, dataset.name, result);
  }
}

}  // namespace

void add_eval(CLI::App& app) {
  auto flags = std::make_shared<EvalFlags>();
  CLI::App* command = app.add_subcommand("eval", "score a trained model on labelled data");
  add_model_flag(*command, flags->model);
  add_data_flags(*command, flags->data);
  add_only_flag(*command, flags->only, "score");
  command->add_flag("--json", flags->json, "one JSON object on stdout instead of text");
  add_quiet_flag(*command, flags->data);
  command->footer(
      "Nodes without a label are not scored. Nodes that the model was trained on flatter it: a run folder tells which "
      "they are, a model file alone only where all nodes were. What the metrics mean: docs/metrics.md.\n"
      "Examples:\n"
      "  gcnh eval --model runs/seg --nodes new.csv --edges follows.csv --only held_out.txt");
  command->callback([flags] { eval(*flags); });
}

}  // namespace gcnh::cli
