// A trained model on disk: safetensors whose metadata carries the contract (options, classes, features, view, scaling),
// so that it can be applied to other data safely.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "gcnh/base/options.h"
#include "gcnh/graph/schema.h"
#include "gcnh/io/safetensors.h"
#include "gcnh/run/decision.h"
#include "gcnh/run/experiment.h"
#include "gcnh/run/outcome.h"

namespace gcnh {

// How the model of a whole run was made (run/final.h): trained once more on all labels, or all models of the splits.
enum class FinalKind { refit, ensemble };
inline Words words_of(FinalKind) {
  return {{"refit", "one network, trained on all labels"}, {"ensemble", "the networks of the splits"}};
}

// A network of an ensemble. What its training nodes showed is its own.
struct Member {
  Schema schema = {};
  NamedMatrices parameters = {};
};

struct TrainedModel {
  std::string model = {};
  OptionValues options = {};
  View view = {};
  Scaling scaling = {};
  std::vector<std::string> classes = {};
  Index num_features = 0;
  std::vector<std::string> feature_names = {};  // empty: features are known by number
  Schema schema = {};                           // of a table's columns; empty: the features are numbers as they are
  std::uint64_t graph = 0;                      // fingerprint of the graph it was trained on
  bool weighted = false;                        // whether the edges of that graph had weights
  NamedMatrices parameters = {};
  OptionValues table = {};  // columns of the tables it was trained on, by role: id, label, source, target, weight
  std::string file = {};    // that it was read from, which errors name

  // Of final models alone.
  std::optional<FinalKind> final = {};
  int epochs = 0;                             // that a refit was trained; of an ensemble the median
  Index labels = 0;                           // nodes that it was trained on, all networks together
  std::vector<Member> others = {};            // of an ensemble, besides the first, which the fields above are
  std::optional<Decision> decision = {};      // for calibrated answers, sets and costs
  Index known_nodes = 0;                      // of the graph it was trained on
  std::vector<std::uint64_t> known_ids = {};  // hashes of their ids, ascending; empty: they are known by number

  bool knows(const Dataset& dataset, Index node) const;  // whether the graph of its training had that node
};

// The model that a run keeps: the one of its best split.
TrainedModel trained_model(const Experiment& experiment, const RunResult& result);
// The one of a split.
TrainedModel trained_model(const Experiment& experiment, const SplitOutcome& split);

// The networks of a model, each as a model that answers for itself; their logits' mean is the model's.
std::vector<TrainedModel> members(const TrainedModel& model);

// What `known_ids` holds of the nodes of a dataset: 48 bits each.
std::vector<std::uint64_t> id_hashes(const Dataset& dataset);

// A model as a file holds it.
Tensors model_tensors(const TrainedModel& model);

void save_model(const std::filesystem::path& path, const TrainedModel& model);
// From a model file, or from the checkpoint of a finished split (run/checkpoint.h).
TrainedModel load_model(const std::filesystem::path& path);

// The path, or where it is the folder of a run or comparison, the model file in it: the final model rather than that
// of the best split.
std::filesystem::path model_file(const std::string& path);

}  // namespace gcnh
