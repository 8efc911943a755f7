#include "gcnh/run/checkpoint.h"

#include "gcnh/base/error.h"
#include "gcnh/graph/content_hash.h"
#include "gcnh/io/json.h"
#include "gcnh/run/model_file.h"
#include "gcnh/run/outcome_json.h"

namespace gcnh {
namespace {

using SortedJson = nlohmann::json;

constexpr const char* kBest = "best.";  // before the names of the parameters of the best epoch
constexpr const char* kNoAim = "none";

// Older files end at the readings, or before: then the metric is the accuracy.
SortedJson history_json(const std::vector<EpochRecord>& history) {
  SortedJson out = SortedJson::array();
  for (const EpochRecord& e : history)
    out.push_back({e.train_loss, e.val_loss, e.val_accuracy, e.readings, e.val_metric});
  return out;
}

SortedJson to_json(int split, const BestEpoch& best, double seconds, const std::string& engine,
                   const std::vector<EpochRecord>& history) {
  return {{"split", split},
          {"best_epoch", best.epoch},
          {"best_loss", best.score.loss},
          {"best_accuracy", best.score.accuracy},
          {"best_metric", best.score.metric},
          {"seconds", seconds},
          {"engine", engine},
          {"history", history_json(history)}};
}

TrainState state_from(const SortedJson& j) {
  TrainState out;
  j.at("best_epoch").get_to(out.best_epoch);
  out.best.loss = number_or_nan(j.at("best_loss"));
  out.best.accuracy = number_or_nan(j.at("best_accuracy"));
  out.best.metric = j.contains("best_metric") ? number_or_nan(j.at("best_metric")) : out.best.accuracy;
  j.at("seconds").get_to(out.seconds);
  for (const SortedJson& e : j.at("history")) {
    const double accuracy = number_or_nan(e.at(2));
    out.history.push_back(
        {e.at(0), number_or_nan(e.at(1)), accuracy, e.size() > 4 ? number_or_nan(e.at(4)) : accuracy});
    if (e.size() > 3) e.at(3).get_to(out.history.back().readings);
  }
  return out;
}

SortedJson classes_json(const std::vector<ClassMeasures>& classes) {
  SortedJson out = SortedJson::array();
  for (const ClassMeasures& c : classes)
    out.push_back({c.support, c.predicted, c.precision, c.recall, c.f1, c.roc_auc});
  return out;
}

std::vector<ClassMeasures> classes_from(const SortedJson& j) {
  std::vector<ClassMeasures> out;
  for (const SortedJson& c : j) out.push_back({c.at(0), c.at(1), c.at(2), c.at(3), c.at(4), number_or_nan(c.at(5))});
  return out;
}

Checkpoint::Finished finished_from(const SortedJson& j) {
  Checkpoint::Finished out;
  if (!j.at("test_accuracy").is_null()) out.test_accuracy = j.at("test_accuracy").get<double>();
  if (j.contains("val")) out.val = measures_from(j.at("val"));
  if (j.contains("test")) out.test = measures_from(j.at("test"));
  if (j.contains("test_classes")) out.test_classes = classes_from(j.at("test_classes"));
  if (j.contains("decision")) out.decision = decision_from(j.at("decision"));
  j.at("readings").get_to(out.readings);
  return out;
}

void insert(Tensors& to, const std::string& prefix, const NamedMatrices& from) {
  for (const auto& [name, matrix] : from) to.matrices[prefix + name] = matrix;
}

NamedMatrices extract(const Tensors& from, const std::string& prefix) {
  NamedMatrices out;
  for (const auto& [name, matrix] : from.matrices)
    if (name.starts_with(prefix)) out[name.substr(prefix.size())] = matrix;
  return out;
}

std::uint64_t bytes_hash(const auto& values) {
  return text_hash({reinterpret_cast<const char*>(values.data()), values.size() * sizeof(values[0])});
}

// What decisions are fitted for: they are kept with the outcome of a split.
void add_aims(const Aims& aims, SortedJson& fingerprint) {
  fingerprint["level"] = aims.level;
  fingerprint["decide"] = aims.metric ? to_word(*aims.metric) : kNoAim;
  fingerprint["costs"] = aims.costs.empty() ? SortedJson(kNoAim) : SortedJson(bytes_hash(aims.costs.values()));
}

// What a run's results depend on: model, options, seed, data, aims. Threads and folders are not part of it. Columns of
// a table are scaled split by split, so the data's hash does not know how.
SortedJson run_fingerprint(const Experiment& e) {
  SortedJson out = {
      {"model", e.model}, {"engine", e.engine}, {"seed", e.seed}, {"data", join(e.dataset->name, " ", e.hash)}};
  for (const auto& [name, value] : e.model_options) out[name] = value;
  for (const auto& [name, value] : to_values(e.train)) out[name] = value;
  if (e.dataset->columns) out["scale"] = to_word(e.scaling.kind);
  add_aims(e.aims, out);
  if (e.parts == 0) return out;
  out["parts"] = e.parts;
  out["parts_hash"] = bytes_hash(*e.part_of_node);
  return out;
}

// An option of training or an aim that a fingerprint lacks is younger than its file and had its default. Which scale of
// columns an older file had is not known: it is taken at its user's word.
SortedJson with_defaults(SortedJson fingerprint, const SortedJson& wanted) {
  for (const OptionInfo& info : describe<TrainOptions>())
    if (!fingerprint.contains(info.name)) fingerprint[info.name] = info.value;
  SortedJson aims;
  add_aims({}, aims);
  for (const auto& [name, value] : aims.items()) fingerprint.emplace(name, value);
  if (wanted.contains("scale")) fingerprint.emplace("scale", wanted["scale"]);
  return fingerprint;
}

void write(const std::filesystem::path& path, const Experiment& experiment, const SortedJson& split,
           const NamedMatrices& best, Tensors tensors) {
  tensors.metadata["gcnh.run"] = run_fingerprint(experiment).dump();
  tensors.metadata["gcnh.split"] = split.dump();
  insert(tensors, kBest, best);
  write_safetensors(path, tensors);
}

// A data fingerprint is a name and a hash.
std::string data_name(const SortedJson& fingerprint) {
  const std::string text = fingerprint.is_string() ? fingerprint.get<std::string>() : "";
  return text.substr(0, text.rfind(' '));
}

std::string difference_in(const std::string& key, const SortedJson& stored, const SortedJson& wanted) {
  const SortedJson there = stored.value(key, SortedJson());
  if (key == "data" && data_name(there) == data_name(wanted[key]))
    return "data: the tables, the view, the scaling, the number or the shares of the splits have changed since";
  if (key == "costs" && there == kNoAim) return "costs: none there, a table here";
  if (key == "costs") return join("costs: a table there, ", wanted[key] == kNoAim ? "none" : "another one", " here");
  return key + ": " + (there.is_null() ? "nothing" : there.dump()) + " there, " + wanted[key].dump() + " here";
}

// The setting in which two fingerprints differ: the model before its options, which other models have as well.
std::string difference(const SortedJson& stored, const SortedJson& wanted) {
  std::vector<std::string> keys = {"model", "data"};
  for (const auto& [key, value] : wanted.items()) keys.push_back(key);
  for (const std::string& key : keys)
    if (stored.value(key, SortedJson()) != wanted[key]) return difference_in(key, stored, wanted);
  return "";
}

std::string value_in(const Tensors& file, const char* key) {
  const auto found = file.metadata.find(key);
  return found == file.metadata.end() ? std::string() : found->second;
}

SortedJson parsed_in(const Tensors& file, const std::filesystem::path& path, const char* key) {
  return parse_json<SortedJson>(value_in(file, key), path.string() + ": " + key);
}

void require_same_run(const Tensors& file, const std::filesystem::path& path, const Experiment& experiment,
                      const std::vector<std::string>& open = {}) {
  SortedJson wanted = run_fingerprint(experiment), stored = with_defaults(parsed_in(file, path, "gcnh.run"), wanted);
  for (SortedJson* print : {&wanted, &stored}) print->emplace("parts", 0);
  for (const std::string& name : open) {
    stored.erase(name);
    wanted.erase(name);
  }
  require(stored == wanted, path.string(), " belongs to another run (", difference(stored, wanted),
          "); take another `out`, or `force` instead of `resume` to replace it");
}

// What body returns; a file that surprises it is no checkpoint.
template <class Body>
auto reading(const std::filesystem::path& path, const Body& body) {
  try {
    return body(read_safetensors(path));
  } catch (const Error&) {
    throw;
  } catch (const std::exception& e) {
    fail(Status::data, path.string(), ": not a checkpoint of gcnh (", e.what(), ")");
  }
}

}  // namespace

void save_progress(const std::filesystem::path& path, const Experiment& experiment, int split, const Checkpoint& c) {
  Tensors tensors;
  tensors.metadata["gcnh.steps"] = std::to_string(c.steps);
  insert(tensors, "param.", c.parameters);
  insert(tensors, "adam.", c.moments);
  const TrainState& state = c.state;
  write(path, experiment, to_json(split, {state.best_epoch, state.best}, state.seconds, c.engine, state.history),
        state.best_parameters, std::move(tensors));
}

void save_outcome(const std::filesystem::path& path, const Experiment& experiment, const SplitOutcome& o) {
  TrainedModel model = trained_model(experiment, o);
  model.parameters.clear();  // they are written as the best ones
  Tensors tensors = model_tensors(model);
  tensors.metadata["gcnh.done"] = "true";
  SortedJson split = to_json(o.split, o.best, o.seconds, o.engine, o.history);
  split["test_accuracy"] = o.test_accuracy ? SortedJson(*o.test_accuracy) : SortedJson();
  if (o.val) split["val"] = measures_json(*o.val);
  if (o.test) split["test"] = measures_json(*o.test);
  split["test_classes"] = classes_json(o.test_classes);
  if (o.decision) split["decision"] = decision_json(*o.decision);
  split["readings"] = o.readings;
  write(path, experiment, split, o.weights, std::move(tensors));
}

bool is_checkpoint(const Tensors& file) { return file.metadata.contains("gcnh.split"); }

void keep_network(Tensors& file, const std::string& where) {
  require(value_in(file, "gcnh.done") == "true", where,
          ": the training of this split is not finished; continue its run with `resume`, then it has a model");
  require(file.metadata.contains("gcnh.format"), where,
          ": the checkpoint of an earlier version of gcnh, which kept no whole model in it; the run's own is "
          "model.safetensors");
  NamedMatrices kept = extract(file, kBest);
  for (const char* name : {"scaling.mean", "scaling.deviation"})
    if (auto tensor = file.matrices.extract(name)) kept.insert(std::move(tensor));
  file.matrices = std::move(kept);
}

void check_checkpoint(const std::filesystem::path& path, const Experiment& experiment,
                      const std::vector<std::string>& open) {
  reading(path, [&](const Tensors& file) { require_same_run(file, path, experiment, open); });
}

std::optional<Checkpoint> load_checkpoint(const std::filesystem::path& path, const Experiment& experiment, int split) {
  if (!std::filesystem::exists(path)) return std::nullopt;
  return reading(path, [&](const Tensors& file) {
    require_same_run(file, path, experiment);
    const SortedJson result = parsed_in(file, path, "gcnh.split");
    require(result.at("split") == split, path.string(), " is of split ", result.at("split").dump(), ", not of ", split,
            "; give the file its own name again, or take it away");
    Checkpoint out;
    out.state = state_from(result);
    result.at("engine").get_to(out.engine);
    out.state.best_parameters = extract(file, kBest);
    if (value_in(file, "gcnh.done") == "true") {
      out.finished = finished_from(result);
      return out;
    }
    out.parameters = extract(file, "param.");
    out.moments = extract(file, "adam.");
    out.steps = std::stoll(value_in(file, "gcnh.steps"));
    return out;
  });
}

}  // namespace gcnh
