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

void predict_nodes(PredictFlags flags) {
  const std::filesystem::path file = model_file(flags.model);
  check_output(flags.data, flags.out, {file.string(), flags.only.empty() ? "" : flags.only[0]});
  const TrainedModel model = load_model(file);
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
  add_model_flag(*command, flags->model);
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
