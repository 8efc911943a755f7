#include "gcnh/train/model_file.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "gcnh/base/error.h"
#include "gcnh/graph/content_hash.h"
#include "gcnh/io/safetensors.h"
#include "gcnh/models/model.h"
#include "gcnh/train/model_dataset.h"
#include "gcnh/train/tape_stepper.h"

namespace gcnh {
namespace {

using nlohmann::json;

// Bump when a reader of the previous version would misread the file; readers accept every version up to their own.
constexpr int kFormat = 1;

json required(const Tensors& file, const std::string& path, const char* key) {
  const auto found = file.metadata.find(key);
  require(found != file.metadata.end(), path, ": not a model of gcnh: metadata key '", key, "' is missing");
  const json value = json::parse(found->second, nullptr, false);
  require(!value.is_discarded(), path, ": metadata key '", key, "' is not JSON");
  return value;
}

Matrix take(Tensors& file, const std::string& name) {
  auto node = file.matrices.extract(name);
  return node ? std::move(node.mapped()) : Matrix();
}

// The first few names of `all` that `some` lacks.
std::string names_without(const std::vector<std::string>& all, const std::vector<std::string>& some) {
  constexpr int kShown = 5;
  std::string out;
  int count = 0;
  for (const std::string& name : all)
    if (std::find(some.begin(), some.end(), name) == some.end() && ++count <= kShown) out += " " + name;
  if (count > kShown) out += join(" and ", count - kShown, " more");
  return count == 0 ? " none" : out;
}

// Column order[j] of the features becomes column j.
Features reorder_columns(const Features& features, const std::vector<Index>& order) {
  Features out{features.is_sparse, {}, {}};
  const Index columns = static_cast<Index>(order.size());
  if (!features.is_sparse) {
    out.dense = Matrix(features.rows(), columns);
    for (Index i = 0; i < features.rows(); ++i)
      for (Index j = 0; j < columns; ++j) out.dense(i, j) = features.dense(i, order[j]);
    return out;
  }
  const Csr& x = features.sparse;
  std::vector<Index> new_number(x.cols, -1);
  for (Index j = 0; j < columns; ++j) new_number[order[j]] = j;
  std::vector<Triple> entries;
  for (Index i = 0; i < x.rows; ++i)
    for (Offset e = x.offsets[i]; e < x.offsets[i + 1]; ++e)
      if (new_number[x.indices[e]] >= 0) entries.push_back({i, new_number[x.indices[e]], x.value(e)});
  out.sparse = make_csr(x.rows, columns, std::move(entries), Repeats::keep_one);
  return out;
}

void match_columns(const TrainedModel& model, Tables& tables) {
  const std::vector<std::string>& found = tables.feature_names;
  if (model.feature_names.empty() || found.empty()) {
    require(tables.features.cols() == model.num_features, tables.name, ": ", counted(tables.features.cols(), "feature"),
            ", the model was trained on ", model.num_features);
    return;
  }
  std::map<std::string, Index> position;
  for (std::size_t j = 0; j < found.size(); ++j) position[found[j]] = static_cast<Index>(j);
  std::vector<Index> order;
  for (const std::string& name : model.feature_names)
    if (const auto at = position.find(name); at != position.end()) order.push_back(at->second);
  require(order.size() == model.feature_names.size() && order.size() == found.size(), tables.name,
          ": the feature columns do not fit the model; missing:", names_without(model.feature_names, found),
          "; not known to the model:", names_without(found, model.feature_names));
  tables.features = reorder_columns(tables.features, order);
  tables.feature_names = model.feature_names;
}

// A table of numbers that happens to hold many zeros; the model was trained on a filled one.
void make_dense(Features& features) {
  if (!features.is_sparse) return;
  const Csr& x = features.sparse;
  features.dense = Matrix(x.rows, x.cols);
  for (Index i = 0; i < x.rows; ++i)
    for (Offset e = x.offsets[i]; e < x.offsets[i + 1]; ++e) features.dense(i, x.indices[e]) = x.value(e);
  features.sparse = Csr();
  features.is_sparse = false;
}

}  // namespace

void save_model(const std::filesystem::path& path, const TrainedModel& model) {
  Tensors file;
  file.matrices = model.parameters;
  if (model.scaling.kind == "standard") {
    file.matrices["scaling.mean"] = model.scaling.mean;
    file.matrices["scaling.deviation"] = model.scaling.deviation;
  }
  file.metadata["gcnh.format"] = std::to_string(kFormat);
  file.metadata["gcnh.model"] = json(model.model).dump();
  file.metadata["gcnh.options"] = json(model.options).dump();
  file.metadata["gcnh.view"] = json(to_values(model.view)).dump();
  file.metadata["gcnh.classes"] = json(model.classes).dump();
  file.metadata["gcnh.schema"] = json{{"features", model.num_features}, {"names", model.feature_names}}.dump();
  file.metadata["gcnh.graph"] = json(model.graph).dump();
  file.metadata["gcnh.scaling"] = json(model.scaling.kind).dump();
  write_safetensors(path, file);
}

TrainedModel load_model(const std::filesystem::path& path) {
  Tensors file = read_safetensors(path);
  const std::string where = path.string();
  try {
    const int format = required(file, where, "gcnh.format");
    require(format <= kFormat, where, ": format ", format, " is newer than this program's ", kFormat, "; upgrade gcnh");
    TrainedModel out;
    required(file, where, "gcnh.model").get_to(out.model);
    required(file, where, "gcnh.options").get_to(out.options);
    required(file, where, "gcnh.classes").get_to(out.classes);
    required(file, where, "gcnh.scaling").get_to(out.scaling.kind);
    const json schema = required(file, where, "gcnh.schema");
    schema.at("features").get_to(out.num_features);
    schema.at("names").get_to(out.feature_names);
    if (file.metadata.contains("gcnh.graph")) required(file, where, "gcnh.graph").get_to(out.graph);
    assign(out.view, required(file, where, "gcnh.view").get<OptionValues>());
    out.scaling.mean = take(file, "scaling.mean");
    out.scaling.deviation = take(file, "scaling.deviation");
    out.parameters = std::move(file.matrices);
    return out;
  } catch (const json::exception& e) {
    fail(Status::data, where, ": not a model of gcnh (", e.what(), ")");
  }
}

Dataset fit_to_model(const TrainedModel& model, Tables tables) {
  if (model.view.columns == "index") match_columns(model, tables);
  if (model.scaling.kind == "standard") make_dense(tables.features);
  const ModelType& type = find_model_type(model.model);
  View view = model.view;
  if (type.bound_to_graph.empty()) view.unlabelled = "keep";  // whoever asks for predictions wants them for every node
  Dataset out = make_dataset_for(type, model.options, std::move(tables), view);
  require(type.bound_to_graph.empty() || graph_hash(out) == model.graph, out.name,
          ": not the graph that the model was trained on; ", type.bound_to_graph);
  require(out.features.cols() == model.num_features, out.name, ": ", counted(out.features.cols(), "feature"),
          ", the model was trained on ", model.num_features);
  apply_scaling(model.scaling, out.features);
  out.classes = model.classes;
  return out;
}

Matrix predict(const TrainedModel& model, const Dataset& dataset, std::span<const Index> nodes) {
  auto built = find_model_type(model.model).make(dataset, model.options, Rng(0));
  set_parameters(*built, model.parameters);
  TapeStepper stepper(*built, dataset.labels, 0, 0);
  return stepper.log_probabilities(nodes);
}

}  // namespace gcnh
