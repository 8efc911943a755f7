// gcnh predict: classes, probabilities, sets and what is known of a node, under the user's own ids.
#include <fmt/core.h>

#include <filesystem>
#include <memory>

#include "cli/commands.h"
#include "cli/data_flags.h"
#include "cli/nodes.h"

namespace gcnh::cli {
namespace {

enum class Form { csv, jsonl, npy };
Words words_of(Form) {
  return {{"csv"}, {"jsonl", "a JSON object per line"}, {"npy", "the probabilities alone, (nodes, classes) float32"}};
}

struct PredictFlags {
  DataFlags data;
  std::string model;
  std::vector<std::string> only;
  std::string out, form;
  int top = 0;
  double level = 0, abstain = 0;  // 0: not given
  bool force = false;
  int threads = 0;
};

// --format, or what the name of the file says.
Form form_of(const PredictFlags& flags) {
  Form out = Form::csv;
  if (flags.out.ends_with(".jsonl")) out = Form::jsonl;
  if (flags.out.ends_with(".npy")) out = Form::npy;
  if (!flags.form.empty()) parse_text("--format", flags.form, out);
  if (out == Form::npy && flags.out.empty()) fail(Status::usage, "--format npy needs --out, the file to write");
  if (out == Form::npy && (flags.top > 0 || flags.abstain > 0 || flags.level > 0))
    fail(Status::usage, "an npy file holds probabilities alone; --top, --abstain and --level are for csv and jsonl");
  return out;
}

void check_level(const PredictFlags& flags, const TrainedModel& model) {
  if (flags.level == 0) return;
  if (!model.decision || !model.decision->has_sets())
    fail(Status::usage, "--level: the model has no sets; train with --final, and give its final.safetensors");
}

// The file, and of one without names those that have them: p.npy, p-ids.txt, p-classes.txt.
std::vector<std::string> files_of(const std::string& out, Form form) {
  if (out.empty() || form != Form::npy) return {out};
  return {out, beside(out, "-ids.txt"), beside(out, "-classes.txt")};
}

std::string lines_of(const std::vector<std::string>& names) {
  std::string out;
  for (const std::string& name : names) out += plain_cell(name) + "\n";
  return out;
}

std::string row_names(const Dataset& d, const std::vector<Index>& nodes) {
  std::vector<std::string> ids;
  for (Index node : nodes) ids.push_back(d.id(node));
  return lines_of(ids);
}

void write_answers(const NodeAnswers& answers, const Dataset& dataset, const std::vector<Index>& nodes,
                   const std::string& out, Form form) {
  const std::string text = form == Form::csv     ? to_csv(answers)
                           : form == Form::jsonl ? to_jsonl(answers)
                                                 : to_npy(answers);
  if (out.empty()) return fmt::print("{}", text);
  const std::vector<std::string> files = files_of(out, form);
  if (form == Form::npy) {
    write_atomically(files[1], row_names(dataset, nodes));
    write_atomically(files[2], lines_of(dataset.classes));
  }
  write_atomically(out, text);
}

void predict_nodes(PredictFlags flags) {
  const std::filesystem::path file = model_file(flags.model);
  const Form form = form_of(flags);
  for (const std::string& out : files_of(flags.out, form)) {
    check_output(flags.data, out, {file.string(), flags.only.empty() ? "" : flags.only[0]});
    if (!out.empty()) check_new(out, flags.force);
  }
  const TrainedModel model = load_model(file);
  check_level(flags, model);
  flags.data.csv.label_required = false;
  std::vector<Index> unseen;
  const Dataset dataset = fit_and_tell(model, load_tables(flags.data, &model), flags.data.quiet, &unseen);
  const std::vector<Index> nodes = chosen_nodes(dataset, flags.only);
  const NodeAnswers answers =
      answer({model, dataset, nodes, unseen, flags.top, flags.level, flags.abstain, num_threads(flags.threads)});
  if (flags.abstain > 0 && !flags.data.quiet)
    tell_note(fmt::format("no answer for {} of {}, whose probability is below {}", answers.abstained,
                          counted(std::ssize(nodes), "node"), flags.abstain));
  write_answers(answers, dataset, nodes, flags.out, form);
}

}  // namespace

void add_predict(CLI::App& app) {
  auto flags = std::make_shared<PredictFlags>();
  CLI::App* command = app.add_subcommand("predict", "apply a trained model: the same graph, a grown one, or another");
  add_model_flag(*command, flags->model);
  add_data_flags(*command, flags->data);
  add_only_flag(*command, flags->only, "predict");
  command->add_option("--top", flags->top, "only the so many most probable classes, as class_1,p_1,class_2,...")
      ->check(CLI::Range(1, 1 << 20));
  command->add_option("--level", flags->level, "of the sets of a final model; default: that of its training")
      ->check(number_between(0.01, 0.999));
  command->add_option("--abstain", flags->abstain, "no answer where its probability is below this")
      ->check(number_between(0, 1));
  command->add_option("--format", flags->form, help_with("default: what --out ends in, else csv", words_of(Form{})))
      ->type_name("WORD");
  command->add_option("--threads", flags->threads, "0: all cores")->capture_default_str()->check(kThreads);
  command->add_option("--out", flags->out,
                      "file; default: stdout. Beside NAME.npy go NAME-ids.txt and NAME-classes.txt");
  command->add_flag("--force", flags->force, "replace the file where there is one");
  add_quiet_flag(*command, flags->data);
  command->footer(
      "Prints id, predicted class and one probability per class; with a final model (train --final, compare --out) "
      "also\n"
      "the set of classes that are possible at the --level, and a status: known or new, isolated, unseen values.\n"
      "Columns are matched by name; a table that does not fit the model is refused. New nodes: give the grown nodes "
      "and\n"
      "edges files.");
  command->callback([flags] { predict_nodes(*flags); });
}

}  // namespace gcnh::cli
