#include "gcnh/train/model_file.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "gcnh/base/error.h"
#include "gcnh/graph/content_hash.h"
#include "gcnh/io/json.h"
#include "gcnh/io/safetensors.h"
#include "gcnh/io/text.h"
#include "gcnh/models/model.h"
#include "gcnh/train/tape_stepper.h"

namespace gcnh {
namespace {

using nlohmann::json;

// Bump when a reader of the previous version would misread the file; readers accept every version up to their own.
constexpr int kFormat = 1;

json required(const Tensors& file, const std::string& path, const char* key) {
  const auto found = file.metadata.find(key);
  require(found != file.metadata.end(), path, ": not a model of gcnh: metadata key '", key, "' is missing");
  const std::string where = join(path, ": metadata key '", key, "'");
  try {
    return parse_json<json>(found->second, where);
  } catch (const json::parse_error&) {
    fail(Status::data, where, " is not JSON");
  }
}

void check_format(const Tensors& file, const std::string& path) {
  const json format = required(file, path, "gcnh.format");
  require(format.is_number_integer() && format >= 1, path, ": format ", format.dump(), " is not known; expected 1..",
          kFormat);
  require(format <= kFormat, path, ": format ", format.dump(), " is newer than this program's ", kFormat,
          "; upgrade gcnh");
}

void require_different(std::vector<std::string> names, const std::string& what) {
  std::sort(names.begin(), names.end());
  const auto twice = std::adjacent_find(names.begin(), names.end());
  if (twice != names.end()) fail(Status::data, what, " ", quote(*twice), " appears twice");
}

void check_scaling(const Scaling& scaling, Index num_features, const std::string& path) {
  require(scaling.kind != Scale::automatic, path, ": gcnh.scaling is 'auto'; a model's is none, rows or standard");
  if (scaling.kind != Scale::standard) return;
  const auto check_shape = [&](const char* name, const Matrix& m) {
    require(m.rows() == 1 && m.cols() == num_features, path, ": tensor '", name, "' is ", m.rows(), " x ", m.cols(),
            ", the scaling of the model's features needs 1 x ", num_features);
  };
  check_shape("scaling.mean", scaling.mean);
  check_shape("scaling.deviation", scaling.deviation);
  for (Real value : scaling.deviation.values())
    require(value > 0, path, ": tensor 'scaling.deviation' holds ", value, "; deviations are above 0");
}

int number_option(const TrainedModel& model, const std::string& name, int otherwise) {
  int out = otherwise;
  if (const auto found = model.options.find(name); found != model.options.end()) parse_text(name, found->second, out);
  return out;
}

// A model is built before its parameters are compared with the tensors. Options that none of them can come from would
// cost all memory until then.
void check_sizes(const TrainedModel& model, const std::string& path) {
  constexpr std::int64_t kHarmless = 4096;  // a network of one layer has no tensor as wide as its options say
  std::int64_t widest = kHarmless;
  for (const auto& [name, m] : model.parameters) widest = std::max<std::int64_t>({widest, m.rows(), m.cols()});
  const std::int64_t width = std::int64_t{number_option(model, "hidden", 1)} * number_option(model, "heads", 1);
  require(width <= widest && number_option(model, "steps", 1) <= widest &&
              std::cmp_less_equal(number_option(model, "layers", 1), model.parameters.size()),
          path, ": gcnh.options ", json(model.options).dump(), " do not fit the file's ", model.parameters.size(),
          " tensors");
}

// What fit_to_model and predict rely on: names that differ, sizes that agree.
void check_contract(const TrainedModel& model, const std::string& path) {
  require(model.num_features >= 1, path, ": gcnh.schema: ", model.num_features, " features");
  require(!model.classes.empty(), path, ": gcnh.classes: no classes");
  require_different(model.classes, path + ": gcnh.classes:");
  require_different(model.feature_names, path + ": gcnh.schema: feature");
  require(model.feature_names.empty() || std::cmp_equal(model.feature_names.size(), model.num_features), path,
          ": gcnh.schema: ", model.feature_names.size(), " names for ", model.num_features, " features");
  check_scaling(model.scaling, model.num_features, path);
  check_sizes(model, path);
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
  return out;
}

// Nothing where there are no names.
std::string after(const std::string& title, const std::string& names) { return names.empty() ? "" : title + names; }

// Column order[j] of the features becomes column j.
Features reorder_columns(const Matrix& x, const std::vector<Index>& order) {
  Matrix out(x.rows(), static_cast<Index>(order.size()));
  for (Index i = 0; i < x.rows(); ++i)
    for (Index j = 0; j < out.cols(); ++j) out(i, j) = x(i, order[j]);
  return out;
}

Features reorder_columns(const Csr& x, const std::vector<Index>& order) {
  const Index columns = static_cast<Index>(order.size());
  std::vector<Index> new_number(x.cols, -1);
  for (Index j = 0; j < columns; ++j) new_number[order[j]] = j;
  std::vector<Triple> entries;
  for (Index i = 0; i < x.rows; ++i)
    for (Offset e = x.offsets[i]; e < x.offsets[i + 1]; ++e)
      if (new_number[x.indices[e]] >= 0) entries.push_back({i, new_number[x.indices[e]], x.value(e)});
  return make_csr(x.rows, columns, std::move(entries), Repeats::keep_one);
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
          ": the feature columns do not fit the model", after("; missing:", names_without(model.feature_names, found)),
          after("; not known to the model:", names_without(found, model.feature_names)));
  tables.features = tables.features.visit([&](const auto& x) { return reorder_columns(x, order); });
  tables.feature_names = model.feature_names;
}

}  // namespace

void save_model(const std::filesystem::path& path, const TrainedModel& model) {
  Tensors file;
  file.matrices = model.parameters;
  if (model.scaling.kind == Scale::standard) {
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
  file.metadata["gcnh.scaling"] = json(to_word(model.scaling.kind)).dump();
  write_safetensors(path, file);
}

TrainedModel load_model(const std::filesystem::path& path) {
  Tensors file = read_safetensors(path);
  const std::string where = path.string();
  try {
    check_format(file, where);
    TrainedModel out;
    required(file, where, "gcnh.model").get_to(out.model);
    required(file, where, "gcnh.options").get_to(out.options);
    required(file, where, "gcnh.classes").get_to(out.classes);
    parse_text("gcnh.scaling", required(file, where, "gcnh.scaling").get<std::string>(), out.scaling.kind);
    const json schema = required(file, where, "gcnh.schema");
    schema.at("features").get_to(out.num_features);
    schema.at("names").get_to(out.feature_names);
    if (file.metadata.contains("gcnh.graph")) required(file, where, "gcnh.graph").get_to(out.graph);
    assign(out.view, required(file, where, "gcnh.view").get<OptionValues>());
    out.scaling.mean = take(file, "scaling.mean");
    out.scaling.deviation = take(file, "scaling.deviation");
    out.parameters = std::move(file.matrices);
    find_model_type(out.model);  // names those that exist
    check_contract(out, where);
    return out;
  } catch (const json::exception& e) {
    fail(Status::data, where, ": not a model of gcnh (", e.what(), ")");
  } catch (const Error& e) {
    if (e.status() != Status::usage) throw;
    fail(Status::data, where, ": ", e.what());  // a word that the file, not the user, got wrong
  }
}

Dataset fit_to_model(const TrainedModel& model, Tables tables) {
  if (model.view.columns == View::Columns::by_index) match_columns(model, tables);
  // A table of numbers that happens to hold many zeros; the model was trained on a filled one.
  if (model.scaling.kind == Scale::standard && tables.features.is_sparse())
    tables.features = filled(tables.features.sparse());
  const ModelType& type = find_model_type(model.model);
  View view = model.view;
  if (type.bound_to_graph.empty())
    view.unlabelled = View::Unlabelled::keep;  // whoever asks for predictions wants them for every node
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
  TapeStepper stepper(*built, 0, 0);
  Matrix out = stepper.log_probabilities(nodes);
  for (Index i = 0; i < out.rows(); ++i)
    for (Index k = 0; k < out.cols(); ++k)
      require(std::isfinite(out(i, k)), dataset.name, ": the model has no finite answer for node ",
              quote(dataset.id(nodes[static_cast<std::size_t>(i)])), "; its features are far from those of training");
  return out;
}

}  // namespace gcnh
