// Which segment does a customer belong to? Trains on those that are known, keeps the model, and asks it about the
// others.
#include <gcnh/gcnh.h>

#include <algorithm>
#include <exception>
#include <filesystem>
#include <iostream>

namespace {

void train(const gcnh::Tables& tables, const std::filesystem::path& file) {
  const gcnh::Experiment e = gcnh::prepare({.model = "gcnh", .options = {{"hidden", "16"}, {"epochs", "100"}}}, tables);
  const gcnh::RunResult result = gcnh::run(e);
  std::cout << "test accuracy " << gcnh::mean_std(gcnh::test_accuracies(result.splits)).mean << " over "
            << result.splits.size() << " splits\n";
  gcnh::save_model(file, gcnh::trained_model(e, result));
}

void answer(const gcnh::Tables& tables, const std::filesystem::path& file) {
  const gcnh::TrainedModel model = gcnh::load_model(file);
  const gcnh::Dataset data = gcnh::fit_to_model(model, tables);
  std::vector<gcnh::Index> unknown;
  for (gcnh::Index node = 0; node < tables.num_nodes(); ++node)
    if (tables.labels[static_cast<std::size_t>(node)] < 0) unknown.push_back(node);
  const gcnh::Matrix scores = gcnh::predict(model, data, unknown);  // a row of log-probabilities per node
  for (std::size_t i = 0; i < unknown.size(); ++i) {
    const gcnh::Real* row = scores.row(static_cast<gcnh::Index>(i));
    const std::size_t best = static_cast<std::size_t>(std::max_element(row, row + scores.cols()) - row);
    std::cout << data.ids[static_cast<std::size_t>(unknown[i])] << ": " << model.classes[best] << "\n";
  }
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const std::string folder = argc > 1 ? argv[1] : ".";
    const gcnh::Tables tables = gcnh::read_csv({.nodes = folder + "/customers.csv",
                                                .edges = folder + "/calls.csv",
                                                .id = "customer",
                                                .label = "segment",
                                                .source = "caller",
                                                .target = "called"});
    train(tables, "customers.safetensors");
    answer(tables, "customers.safetensors");
  } catch (const std::exception& error) {  // gcnh::Error, or what the standard library throws
    std::cerr << error.what() << "\n";
    return 1;
  }
}
