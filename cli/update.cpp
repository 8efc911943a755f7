// gcnh update: answers for a graph that has grown, and whether the model still fits it.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <numeric>

#include "cli/commands.h"
#include "cli/data_flags.h"
#include "cli/layout.h"
#include "cli/nodes.h"

namespace gcnh::cli {
namespace {

constexpr int kTrainAgain = 1;  // exit code

struct UpdateFlags {
  DataFlags data;
  std::string model, out;
  bool json = false, force = false;
};

std::string short_number(double x) { return std::isnan(x) ? "-" : fmt::format("{:.4g}", x); }

std::string rule_text(const DriftRule& r) {
  return fmt::format("{:14} {:>9} {:>9} {:>9} {:>6}  {}\n", r.name, short_number(r.then), short_number(r.now),
                     short_number(r.drift), short_number(r.limit), r.verdict());
}

// Names of the rules with this verdict.
std::string rules_that(const Drift& drift, const std::string& verdict) {
  std::string out;
  for (const DriftRule& r : drift.rules)
    if (r.verdict() == verdict) out += (out.empty() ? "" : ", ") + r.name;
  return out;
}

void print_drift(const TrainedModel& model, const std::string& data, const Drift& drift) {
  std::vector<std::string> facts = {model.model + " on " + data, fmt::format("{} nodes in training", drift.nodes_then),
                                    fmt::format("{} now", drift.nodes_now)};
  if (drift.knows_fresh)
    facts.push_back(fmt::format("{} new, {} of them with a label", drift.fresh.size(), drift.labelled));
  if (drift.of_unknown > 0)
    facts.push_back(fmt::format("{} of these of a class that the model does not know", drift.of_unknown));
  fmt::print("{}\nrule                then       now     drift  limit\n", in_lines("model  ", facts));
  for (const DriftRule& r : drift.rules) fmt::print("{}", rule_text(r));
  fmt::print("\n");
  for (const DriftRule& r : drift.rules)
    fmt::print("{}", row(r.name, printable(r.about + (r.obstacle.empty() ? "" : " (" + r.obstacle + ")")), 18));
  const std::string reasons = rules_that(drift, "train again"), open = rules_that(drift, "not judged");
  fmt::print("\n{}", wrapped("", reasons.empty() ? "no reason to train again" : "train again: " + reasons));
  if (!open.empty()) fmt::print("{}", wrapped("", "not judged: " + open));
}

std::string answers_csv(const Dataset& d, const Drift& drift, const Matrix& logp) {
  std::string out = "id,predicted";
  for (const std::string& name : d.classes) out += "," + csv_field("p_" + name);
  out += ",status\n";
  for (Index u = 0; u < d.num_nodes(); ++u) {
    out += csv_field(d.id(u)) + "," + csv_field(d.classes[argmax(logp, u)]);
    for (Index k = 0; k < logp.cols(); ++k) out += fmt::format(",{:.6f}", std::exp(static_cast<double>(logp(u, k))));
    const bool fresh = std::binary_search(drift.fresh.begin(), drift.fresh.end(), u);
    out += !drift.knows_fresh ? ",\n" : fresh ? ",new\n" : ",known\n";
  }
  return out;
}

// The run that a model file is of is in the folder around it, or around that with the checkpoints.
StoredRun run_around(const std::filesystem::path& file) {
  std::filesystem::path folder = std::filesystem::absolute(file).parent_path();
  if (folder.filename() == "splits") folder = folder.parent_path();
  for (const char* name : {"result.json", "data.json"})
    if (!is_file(folder / name))
      fail(Status::data, "--model: no ", name, " beside '", file.string(),
           "', so what the model was trained on is not known; give the folder of its run");
  return read_run(folder);
}

void update(UpdateFlags flags) {
  const std::filesystem::path file = model_file(flags.model);
  if (!flags.out.empty()) {
    check_output(flags.data, flags.out, {file.string()});
    check_new(flags.out, flags.force);
  }
  const TrainedModel model = load_model(file);
  const StoredRun run = run_around(file);
  flags.data.csv.label_required = false;
  Tables tables = load_tables(flags.data, &model);
  const std::vector<Index> unknown = nodes_of_unknown_classes(model, tables);
  std::vector<Index> unseen;
  const Dataset dataset = fit_and_tell(model, std::move(tables), flags.data.quiet, &unseen);
  std::vector<Index> all(dataset.num_nodes());
  std::iota(all.begin(), all.end(), 0);
  const Matrix logp = predict(model, dataset, all);
  const Drift drift = measure_drift(model, run, dataset, logp, unknown);
  if (!flags.out.empty())
    write_atomically(flags.out,
                     model.final ? to_csv(answer({model, dataset, all, unseen})) : answers_csv(dataset, drift, logp));
  if (flags.json) {
    fmt::print("{}", drift_json(model, dataset.name, drift));
  } else {
    print_drift(model, dataset.name, drift);
  }
  if (drift.train_again()) throw CLI::RuntimeError(kTrainAgain);
}

}  // namespace

void add_update(CLI::App& app) {
  auto flags = std::make_shared<UpdateFlags>();
  CLI::App* command = app.add_subcommand("update", "answers for a grown graph, and whether it is time to train again");
  add_model_flag(*command, flags->model);
  add_data_flags(*command, flags->data);
  command->add_option("--out", flags->out, "CSV of the answers for all nodes, with a status such as known or new")
      ->type_name("FILE");
  command->add_flag("--force", flags->force, "replace the file where there is one");
  command->add_flag("--json", flags->json, "one JSON object on stdout instead of text");
  add_quiet_flag(*command, flags->data);
  command->footer(
      "Give the whole tables of today, old rows and new ones. What the model was trained on is read from its run "
      "folder; a drift above its limit is a reason to train again.\n"
      "A rule that has too little to go by is not judged, and no reason.\n"
      "Ends with 0 when there is no reason to train again, with 1 when there is one.\n"
      "Examples:\n"
      "  gcnh update --model runs/seg/gcnh --nodes today.csv --edges follows.csv --out answers.csv --force");
  command->callback([flags] { update(*flags); });
}

}  // namespace gcnh::cli
