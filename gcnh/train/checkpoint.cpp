#include "gcnh/train/checkpoint.h"

#include "gcnh/base/error.h"
#include "gcnh/io/json.h"
#include "gcnh/io/safetensors.h"
#include "gcnh/train/adam.h"

namespace gcnh {
namespace {

using nlohmann::json;

json to_json(const SplitResult& result) {
  json history = json::array();
  for (const EpochRecord& e : result.state.history)
    history.push_back({e.train_loss, e.val_loss, e.val_accuracy, e.readings});
  return {{"split", result.split},
          {"best_epoch", result.state.best_epoch},
          {"best_loss", result.state.best.loss},
          {"best_accuracy", result.state.best.accuracy},
          {"seconds", result.state.seconds},
          {"test_accuracy", result.test_accuracy},
          {"readings", result.readings},
          {"engine", result.engine},
          {"history", std::move(history)}};
}

SplitResult from_json(const json& j) {
  SplitResult out;
  j.at("split").get_to(out.split);
  j.at("best_epoch").get_to(out.state.best_epoch);
  j.at("best_loss").get_to(out.state.best.loss);
  j.at("best_accuracy").get_to(out.state.best.accuracy);
  j.at("seconds").get_to(out.state.seconds);
  j.at("test_accuracy").get_to(out.test_accuracy);
  j.at("readings").get_to(out.readings);
  j.at("engine").get_to(out.engine);
  for (const json& e : j.at("history")) {
    out.state.history.push_back({e.at(0), e.at(1), e.at(2)});
    if (e.size() > 3) e.at(3).get_to(out.state.history.back().readings);
  }
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

void write(const RunConfig& config, const SplitResult& result, Tensors tensors) {
  tensors.metadata["gcnh.run"] = run_fingerprint(config);
  tensors.metadata["gcnh.split"] = to_json(result).dump();
  insert(tensors, "best.", result.state.best_parameters);
  write_safetensors(checkpoint_path(config.out, result.split), tensors);
}

// A data fingerprint is a name and a hash.
std::string data_name(const json& fingerprint) {
  const std::string text = fingerprint.is_string() ? fingerprint.get<std::string>() : "";
  return text.substr(0, text.rfind(' '));
}

std::string difference_in(const std::string& key, const json& stored, const json& wanted) {
  const json there = stored.value(key, json());
  if (key == "data" && data_name(there) == data_name(wanted[key]))
    return "data: the tables, the view, the scaling, the number or the shares of the splits have changed since";
  return key + ": " + (there.is_null() ? "nothing" : there.dump()) + " there, " + wanted[key].dump() + " here";
}

// The setting in which two fingerprints differ: the model before its options, which other models have as well.
std::string difference(const json& stored, const json& wanted) {
  std::vector<std::string> keys = {"model", "data"};
  for (const auto& [key, value] : wanted.items()) keys.push_back(key);
  for (const std::string& key : keys)
    if (stored.value(key, json()) != wanted[key]) return difference_in(key, stored, wanted);
  return "";
}

}  // namespace

std::filesystem::path checkpoint_path(const std::filesystem::path& out, int split) {
  return out / "splits" / ("split-" + std::to_string(split) + ".safetensors");
}

std::string run_fingerprint(const RunConfig& config) {
  json j = {
      {"model", config.model}, {"engine", config.engine}, {"seed", config.seed}, {"data", config.data_fingerprint}};
  for (const auto& [name, value] : config.model_options) j[name] = value;
  for (const auto& [name, value] : to_values(config.train)) j[name] = value;
  return j.dump();
}

void save_progress(const RunConfig& config, Stepper& stepper, int split, const TrainState& state) {
  Tensors tensors;
  tensors.metadata["gcnh.steps"] = std::to_string(stepper.adam().steps());
  insert(tensors, "param.", parameters_of(stepper.model()));
  insert(tensors, "adam.", stepper.adam().moments());
  SplitResult unfinished;
  unfinished.split = split;
  unfinished.state = state;
  unfinished.engine = stepper.engine();
  write(config, unfinished, std::move(tensors));
}

void save_result(const RunConfig& config, const SplitResult& result) {
  Tensors tensors;
  tensors.metadata["gcnh.done"] = "true";
  write(config, result, std::move(tensors));
}

std::optional<Checkpoint> load_checkpoint(const RunConfig& config, int split) {
  const std::filesystem::path path = checkpoint_path(config.out, split);
  if (!std::filesystem::exists(path)) return std::nullopt;
  const Tensors tensors = read_safetensors(path);
  const auto value = [&](const char* key) {
    const auto found = tensors.metadata.find(key);
    return found == tensors.metadata.end() ? std::string() : found->second;
  };
  try {
    const auto parsed = [&](const char* key) { return parse_json<json>(value(key), path.string() + ": " + key); };
    const json stored = parsed("gcnh.run"), wanted = json::parse(run_fingerprint(config));
    require(stored == wanted, path.string(), " belongs to another run (", difference(stored, wanted),
            "); take another `out`, or `force` instead of `resume` to replace it");
    Checkpoint out{from_json(parsed("gcnh.split")), value("gcnh.done") == "true", {}, {}, 0};
    require(out.result.split == split, path.string(), " is of split ", out.result.split, ", not of ", split,
            "; give the file its own name again, or take it away");
    out.result.state.best_parameters = extract(tensors, "best.");
    if (out.done) return out;
    out.parameters = extract(tensors, "param.");
    out.moments = extract(tensors, "adam.");
    out.steps = std::stoll(value("gcnh.steps"));
    return out;
  } catch (const Error&) {
    throw;
  } catch (const std::exception& e) {
    fail(Status::data, path.string(), ": not a checkpoint of gcnh (", e.what(), ")");
  }
}

}  // namespace gcnh
