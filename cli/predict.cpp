// gcnh predict: classes and probabilities under the user's own ids.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>

#include "cli/commands.h"
#include "cli/flags.h"
#include "cli/nodes.h"

namespace gcnh::cli {
namespace {

struct PredictFlags {
  DataFlags data;
  std::string model;
  std::vector<std::string> only;
  std::string out;
};

std::string to_csv(const Dataset& d, const std::vector<Index>& nodes, const Matrix& logp) {
  std::string out = "id,predicted";
  for (const std::string& name : d.classes) out += "," + csv_field("p_" + name);
  out += "\n";
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const Index row = static_cast<Index>(i);
    out += csv_field(d.id(nodes[i])) + "," + csv_field(d.classes[argmax(logp, row)]);
    for (Index k = 0; k < logp.cols(); ++k) out += fmt::format(",{:.6f}", std::exp(static_cast<double>(logp(row, k))));
    out += "\n";
  }
  return out;
}

// The first model.safetensors of a run folder, or of the runs in it; empty where there is none.
std::string model_in(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> places = {folder};
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(folder, ignored)) places.push_back(entry.path());
  std::sort(places.begin(), places.end());
  for (const std::filesystem::path& place : places)
    if (const auto file = place / "model.safetensors"; std::filesystem::is_regular_file(file, ignored))
      return file.string();
  return "";
}

void refuse_folder(const std::string& path) {
  std::error_code ignored;
  if (!std::filesystem::is_directory(path, ignored)) return;
  const std::string model = model_in(path);
  fail(Status::io, "--model: '", path, "' is a folder; ",
       model.empty() ? "give the model.safetensors of a run" : "a model file in it is " + model);
}

void predict_nodes(PredictFlags flags) {
  refuse_folder(flags.model);
  check_output(flags.data, flags.out, flags.model);
  const TrainedModel model = load_model(flags.model);
  flags.data.csv.label_required = false;
  std::vector<std::string> notes;
  const Dataset dataset = fit_to_model(model, load_tables(flags.data, &model), &notes);
  if (!flags.data.quiet)
    for (const std::string& note : notes) tell_note(note);
  const std::vector<Index> nodes = chosen_nodes(dataset, flags.only);
  const std::string csv = to_csv(dataset, nodes, predict(model, dataset, nodes));
  if (flags.out.empty()) {
    fmt::print("{}", csv);
  } else {
    write_atomically(flags.out, csv);
  }
}

}  // namespace

void add_predict(CLI::App& app) {
  auto flags = std::make_shared<PredictFlags>();
  CLI::App* command = app.add_subcommand("predict", "apply a trained model: the same graph, a grown one, or another");
  command->add_option("--model", flags->model, "model.safetensors of a run")->required();
  add_data_flags(*command, flags->data);
  add_only_flag(*command, flags->only, "predict");
  command->add_option("--out", flags->out, "CSV file; default: stdout");
  add_quiet_flag(*command, flags->data);
  command->footer(
      "Prints id, predicted class and one probability per class. Columns are matched by name; a table that does not "
      "fit\n"
      "the model is refused. New nodes: give the grown nodes and edges files.");
  command->callback([flags] { predict_nodes(*flags); });
}

}  // namespace gcnh::cli
