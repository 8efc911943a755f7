#include "gcnh/run/model_file.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "gcnh/base/error.h"
#include "gcnh/graph/content_hash.h"
#include "gcnh/io/file.h"
#include "gcnh/io/json.h"
#include "gcnh/io/safetensors.h"
#include "gcnh/io/text.h"
#include "gcnh/models/model.h"
#include "gcnh/run/checkpoint.h"
#include "gcnh/run/final_file.h"
#include "gcnh/run/schema_json.h"
#include "gcnh/run/split_data.h"

namespace gcnh {
namespace {

using SortedJson = nlohmann::json;

// Bump when a reader of the previous version would misread the file; readers accept every version up to their own.
// Version 2 has a schema of columns, version 3 is of final models; other files are still of versions 1 and 2.
constexpr int kFormat = 3;

void check_format(const Tensors& file, const std::string& path) {
  const SortedJson format = metadata_json(file, path, "gcnh.format");
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
  require(scaling.kind != Scale::automatic, path,
          ": gcnh.scaling is 'auto'; a model's is none, rows, standard or largest");
  if (scaling.kind != Scale::standard && scaling.kind != Scale::largest) return;
  const auto check_shape = [&](const char* name, const Matrix& m) {
    require(m.rows() == 1 && m.cols() == num_features, path, ": tensor '", name, "' is ", m.rows(), " x ", m.cols(),
            ", the scaling of the model's features needs 1 x ", num_features);
  };
  if (scaling.kind == Scale::standard) check_shape("scaling.mean", scaling.mean);
  check_shape("scaling.deviation", scaling.deviation);
  for (Real value : scaling.deviation.values())
    require(value > 0, path, ": tensor 'scaling.deviation' holds ", value, "; deviations are above 0");
}

// Every feature, layer, hop and step has a number of its own in the file, and so has every column of a hidden matrix;
// only a network of one layer has nothing of the width that its options say. Larger sizes would cost memory, or
// overflow, before the network asks for its first number.
bool sizes_can_be(const TrainedModel& model, Index num_features, std::size_t numbers) {
  constexpr double kHarmless = 65536;
  const auto option = [&](const char* name, int otherwise) {
    int out = otherwise;
    if (const auto found = model.options.find(name); found != model.options.end()) parse_text(name, found->second, out);
    return static_cast<double>(out);
  };
  const auto most = static_cast<double>(numbers);
  return option("layers", 1) <= most && option("hops", 1) <= most && option("steps", 1) <= most &&
         num_features <= most && option("hidden", 1) * option("heads", 1) <= std::max(most, kHarmless);
}

// A graph of a single node, for what a network is apart from the graph.
Dataset single_node(const TrainedModel& model, Index num_features) {
  Tables out;
  out.features = make_csr(1, num_features, {}, Repeats::add);
  out.labels = {0};
  out.classes = model.classes;
  return make_dataset_for(find_model_type(model.model), model.options, std::move(out), model.view);
}

// Who applies a model builds its network before any parameter is compared with a tensor. Options that ask for more
// numbers than the file has would cost all memory until then, so the network is built here first, out of as many. It
// may be smaller: weights for rows of the adjacency matrix are those of one node.
void check_network(const TrainedModel& model, Index num_features, const NamedMatrices& parameters,
                   const std::string& path) {
  std::size_t numbers = 0;
  for (const auto& [name, m] : parameters) numbers += m.size();
  const std::string misfit = join(path, ": gcnh.options ", SortedJson(model.options).dump(), " do not fit the file's ",
                                  counted(static_cast<std::int64_t>(numbers), "number"));
  require(sizes_can_be(model, num_features, numbers), misfit);
  try {
    const Dataset node = single_node(model, num_features);
    const ParameterLimit limit(numbers);
    find_model_type(model.model).make(node, model.options, Rng(0));
  } catch (const Error& problem) {
    fail(Status::data, misfit, ": ", problem.what());
  }
}

// What fit_to_model and predict rely on: names that differ, sizes that agree.
void check_contract(const TrainedModel& model, const std::string& path) {
  require(model.num_features >= 1, path, ": gcnh.schema: ", model.num_features, " features");
  require(!model.classes.empty(), path, ": gcnh.classes: no classes");
  require_different(model.classes, path + ": gcnh.classes:");
  const Index width = model.schema.width();
  require(width == 0 || width == model.num_features, path, ": gcnh.schema: columns of ", counted(width, "feature"),
          " for ", model.num_features);
  if (width == 0) require_different(model.feature_names, path + ": gcnh.schema: feature");
  require(model.feature_names.empty() || std::cmp_equal(model.feature_names.size(), model.num_features), path,
          ": gcnh.schema: ", model.feature_names.size(), " names for ", model.num_features, " features");
  check_scaling(model.scaling, model.num_features, path);
  check_network(model, model.num_features, model.parameters, path);
  for (const Member& member : model.others)
    check_network(model, width == 0 ? model.num_features : member.schema.width(), member.parameters, path);
}

// The first file of that name in the runs of a folder; empty where there is none.
std::string model_below(const std::filesystem::path& folder, const char* name) {
  std::vector<std::filesystem::path> places;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(folder, ignored)) places.push_back(entry.path());
  std::sort(places.begin(), places.end());
  for (const std::filesystem::path& place : places)
    if (const auto file = place / name; is_file(file)) return file.string();
  return "";
}

}  // namespace

TrainedModel trained_model(const Experiment& e, const RunResult& result) { return trained_model(e, result.best()); }

TrainedModel trained_model(const Experiment& e, const SplitOutcome& split) {
  const Dataset& d = *e.dataset;
  TrainedModel out{e.model,       e.model_options,   e.view,          e.scaling,
                   d.classes,     d.features.cols(), d.feature_names, split_schema(e, split.split),
                   graph_hash(d), d.weighted,        split.weights};
  if (out.schema.columns.empty()) return out;
  out.num_features = out.schema.width();
  out.feature_names = out.schema.feature_names();
  if (out.scaling.kind != Scale::rows) out.scaling.kind = Scale::none;  // the schema has it
  return out;
}

std::vector<TrainedModel> members(const TrainedModel& model) {
  std::vector<TrainedModel> out = {model};
  out[0].others.clear();
  out[0].decision.reset();
  for (const Member& member : model.others) {
    out.push_back(out[0]);
    out.back().parameters = member.parameters;
    if (member.schema.columns.empty()) continue;
    out.back().schema = member.schema;
    out.back().num_features = member.schema.width();
    out.back().feature_names = member.schema.feature_names();
  }
  return out;
}

Tensors model_tensors(const TrainedModel& model) {
  Tensors file;
  file.matrices = model.parameters;
  if (!model.scaling.mean.empty()) file.matrices["scaling.mean"] = model.scaling.mean;
  if (!model.scaling.deviation.empty()) file.matrices["scaling.deviation"] = model.scaling.deviation;
  const bool has_columns = !model.schema.columns.empty();
  file.metadata["gcnh.format"] = has_columns ? "2" : "1";
  file.metadata["gcnh.model"] = SortedJson(model.model).dump();
  file.metadata["gcnh.options"] = SortedJson(model.options).dump();
  file.metadata["gcnh.view"] = SortedJson(to_values(model.view)).dump();
  file.metadata["gcnh.classes"] = SortedJson(model.classes).dump();
  SortedJson schema = {{"features", model.num_features}, {"names", model.feature_names}};
  if (has_columns) schema = {{"features", model.num_features}, {"columns", schema_json(model.schema)}};
  file.metadata["gcnh.schema"] = schema.dump();
  file.metadata["gcnh.graph"] = SortedJson(model.graph).dump();
  if (model.weighted) file.metadata["gcnh.weighted"] = "true";
  if (!model.table.empty()) file.metadata["gcnh.table"] = SortedJson(model.table).dump();
  file.metadata["gcnh.scaling"] = SortedJson(to_word(model.scaling.kind)).dump();
  if (model.final) add_final(model, file);
  return file;
}

void save_model(const std::filesystem::path& path, const TrainedModel& model) {
  write_safetensors(path, model_tensors(model));
}

TrainedModel load_model(const std::filesystem::path& path) {
  Tensors file = read_safetensors(path);
  const std::string where = path.string();
  if (is_checkpoint(file)) keep_network(file, where);
  try {
    check_format(file, where);
    TrainedModel out;
    metadata_json(file, where, "gcnh.model").get_to(out.model);
    metadata_json(file, where, "gcnh.options").get_to(out.options);
    find_model_type(out.model).check(out.options);
    metadata_json(file, where, "gcnh.classes").get_to(out.classes);
    parse_text("gcnh.scaling", metadata_json(file, where, "gcnh.scaling").get<std::string>(), out.scaling.kind);
    const SortedJson schema = metadata_json(file, where, "gcnh.schema");
    const SortedJson& features = schema.at("features");
    require(features.is_number_integer() && features < std::numeric_limits<Index>::max(), where,
            ": gcnh.schema: ", features.dump(), " features");
    features.get_to(out.num_features);
    if (schema.contains("columns")) {
      out.schema = schema_from(schema.at("columns"), file.matrices, where + ": gcnh.schema");
      out.feature_names = out.schema.feature_names();
    } else {
      schema.at("names").get_to(out.feature_names);
    }
    if (file.metadata.contains("gcnh.graph")) metadata_json(file, where, "gcnh.graph").get_to(out.graph);
    if (file.metadata.contains("gcnh.weighted")) metadata_json(file, where, "gcnh.weighted").get_to(out.weighted);
    if (file.metadata.contains("gcnh.table")) metadata_json(file, where, "gcnh.table").get_to(out.table);
    out.view = view_from(find_model_type(out.model), metadata_json(file, where, "gcnh.view").get<OptionValues>());
    out.scaling.mean = take_tensor(file, "scaling.mean");
    out.scaling.deviation = take_tensor(file, "scaling.deviation");
    if (metadata_json(file, where, "gcnh.format") >= 3) take_final(file, where, out);
    out.parameters = std::move(file.matrices);
    check_contract(out, where);
    out.file = where;
    return out;
  } catch (const SortedJson::exception& e) {
    fail(Status::data, where, ": not a model of gcnh (", e.what(), ")");
  } catch (const Error& e) {
    if (e.status() != Status::usage) throw;
    fail(Status::data, where, ": ", e.what());  // a word that the file, not the user, got wrong
  }
}

std::filesystem::path model_file(const std::string& path) {
  std::error_code ignored;
  if (!std::filesystem::is_directory(path, ignored)) return path;
  for (const char* name : {"final.safetensors", "model.safetensors"})
    if (const auto file = std::filesystem::path(path) / name; is_file(file)) return file;
  if (const std::string final = model_below(path, "final.safetensors"); !final.empty()) return final;
  const std::string below = model_below(path, "model.safetensors");
  fail(Status::io, "'", path, "' is a folder without model.safetensors; ",
       below.empty() ? "give the folder of a run that has one" : "a model file in it is " + below);
}

}  // namespace gcnh
