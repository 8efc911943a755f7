#include "gcnh/run/experiment.h"

#include <fmt/core.h>

#include <algorithm>
#include <numeric>
#include <thread>

#include "gcnh/comm/comm.h"
#include "gcnh/graph/content_hash.h"
#include "gcnh/graph/partition.h"
#include "gcnh/graph/splits.h"
#include "gcnh/io/text.h"
#include "gcnh/models/model.h"
#include "gcnh/run/recipe.h"
#include "gcnh/train/class_weights.h"
#include "gcnh/train/make_stepper.h"

namespace gcnh {
namespace {

constexpr std::uint64_t kSplitSeed = 48'32'20;

// A direction that was asked for goes before that of the recipe, and this one before the view's.
View choose_view(Setup setup, const std::string& dataset, const OptionValues& recipe) {
  require_one_of("view", setup.view, {"clean", "paper"});
  View out = setup.view == "clean" ? View{} : recipe_view("paper", setup.model, dataset);
  if (setup.direction.empty() && recipe.contains("direction")) setup.direction = recipe.at("direction");
  check_direction(setup);
  if (!setup.direction.empty()) parse_text("direction", setup.direction, out.direction);
  return out;
}

// "; gcnh, mlp and gcn can be trained in parts"
std::string models_of_parts() {
  std::vector<std::string> names;
  for (const ModelType& type : model_types())
    if (type.needs_whole) names.push_back(type.name);
  std::string out = "; " + names.front();
  for (std::size_t i = 1; i < names.size(); ++i) out += (i + 1 < names.size() ? ", " : " and ") + names[i];
  return out + " can be trained in parts";
}

// Parts are trained on the tape, by models that need no more of the graph than a part has.
void check_parts(const Setup& setup, const Experiment& e) {
  if (setup.parts == 0) return;
  if (setup.parts < 0) fail(Status::usage, "parts: ", setup.parts, " is below 0");
  if (e.view.direction == View::Direction::separate)
    fail(Status::usage, "parts: direction separate needs the whole graph; take another direction");
  if (e.engine == "fused") fail(Status::usage, "engine: the fused step needs the whole graph, not parts; take auto");
  const ModelType& type = find_model_type(e.model);
  const std::string why = type.needs_whole ? type.needs_whole(e.model_options) : models_of_parts();
  if (!why.empty()) fail(Status::usage, "parts: model '", e.model, "' needs the whole graph", why);
}

void check_learnable(const Dataset& dataset) {
  require(dataset.features.cols() > 0, dataset.name,
          ": no features; give the nodes at least one column besides id and label");
  require(dataset.num_classes() > 1, dataset.name, ": a single class; there is nothing to tell apart");
}

[[noreturn]] void refuse_option(const std::string& model, const std::string& name) {
  std::vector<std::string> known;
  for (const auto& infos : {find_model_type(model).options, describe<TrainOptions>()})
    for (const OptionInfo& info : infos) known.push_back(info.name);
  fail(Status::usage, "model '", model, "' has no option '", name, "'", did_you_mean(name, known),
       "; it has: ", list_words(known));
}

void check_metric(const Dataset& d, const std::vector<int>& splits, Metric metric) {
  if (!needs_two_classes(metric)) return;
  for (int s : splits) {
    for (const auto& [set, nodes] : {std::pair("validation", &d.splits[s].val), {"test", &d.splits[s].test}}) {
      if (nodes->empty()) continue;
      const int first = d.labels[nodes->front()];
      if (std::any_of(nodes->begin(), nodes->end(), [&](Index u) { return d.labels[u] != first; })) continue;
      fail(Status::usage, "metric: ", to_word(metric), " is not defined on split ", s, ", whose ", set,
           " nodes are all of class ", quote(d.classes[first]), "; take accuracy, or other splits");
    }
  }
}

// Sets that were asked for have nodes.
void check_shares(const Setup& setup, const Dataset& d) {
  const bool wants_val = setup.val_share > 0, wants_test = leaves_test(setup.train_share, setup.val_share);
  for (const Split& split : d.splits)
    require((!split.val.empty() || !wants_val) && (!split.test.empty() || !wants_test), d.name,
            ": too few labelled nodes for a split with these shares: ", split.train.size(), " to train, ",
            split.val.size(), " to validate, ", split.test.size(), " to test; label more, or change `ratio`");
}

std::vector<int> consecutive(std::size_t count) {
  std::vector<int> out(count);
  std::iota(out.begin(), out.end(), 0);
  return out;
}

}  // namespace

Experiment prepare(const Setup& setup, Tables tables) {
  const ModelType& type = find_model_type(setup.model);
  Experiment out;
  out.model = setup.model;
  out.view_name = setup.view;
  OptionValues values;
  if (!setup.recipe.empty()) values = recipe_options(setup.recipe, setup.model, tables.name);
  out.view = choose_view(setup, tables.name, values);
  check_engine(setup.engine);
  out.engine = setup.engine;
  out.seed = setup.seed;
  out.threads = num_threads(setup.threads);
  out.read_test = setup.read_test;

  for (const auto& [option, value] : setup.options) {
    if (!has_option(setup.model, option)) refuse_option(setup.model, option);
    values[option] = value;
  }
  for (const OptionInfo& info : type.options)
    out.model_options[info.name] = values.contains(info.name) ? values.at(info.name) : info.value;
  check_parts(setup, out);
  if (!tables.metric.empty()) values.insert({"metric", tables.metric});
  assign(out.train, values);

  Dataset dataset = make_dataset_for(type, out.model_options, std::move(tables), out.view);
  check_learnable(dataset);
  const auto recipe_scale = values.find("scale");
  const bool use_recipe = setup.scale == "auto" && recipe_scale != values.end();
  Scale scale{};
  parse_text("scale", use_recipe ? recipe_scale->second : setup.scale, scale);
  if (dataset.columns) {
    out.scaling.kind = scale;  // of auto every column makes its own
  } else {
    out.scaling = fit_scaling(scale, dataset.features);
    apply_scaling(out.scaling, dataset.features);
  }
  if (dataset.splits.empty()) {
    dataset.splits = random_splits(setup, dataset);
    check_shares(setup, dataset);
  }
  out.hash = fmt::format("{:016x}", content_hash(dataset));
  out.splits = setup.splits.empty() ? consecutive(dataset.splits.size()) : setup.splits;
  check_splits(dataset, out.splits);
  check_metric(dataset, out.splits, out.train.metric);
  class_weights(out.train.class_weights, dataset, dataset.splits[out.splits.front()].train);  // names every class
  out.parts = setup.parts;
  if (out.parts > 0) out.part_of_node = std::make_shared<const std::vector<int>>(partition(dataset, out.parts));
  out.dataset = std::make_shared<const Dataset>(std::move(dataset));
  return out;
}

void check_direction(const Setup& setup) {
  if (setup.direction.empty()) return;
  View view;
  parse_text("direction", setup.direction, view.direction);
  const bool apart = view.direction == View::Direction::separate;
  const auto takes = [&](const ModelType& type) {
    return type.reads_direction && (!apart || type.keeps_apart || !type.sees_graph);
  };
  const ModelType& own = find_model_type(setup.model);
  if (view.direction == View::Direction::both || takes(own)) return;
  std::vector<std::string> others;
  for (const ModelType& type : model_types())
    if (takes(type)) others.push_back(type.name);
  fail(Status::usage, "model '", setup.model, "' ",
       own.reads_direction ? "does not keep the directions of edges apart; separate"
                           : "takes every edge both ways; a direction",
       " is for ", list_words(others));
}

std::vector<Split> random_splits(const Setup& setup, const Dataset& dataset) {
  if (setup.num_splits < 1) fail(Status::usage, "num_splits: ", setup.num_splits, " is below 1");
  return stratified_splits(dataset.labels, dataset.num_classes(), setup.train_share, setup.val_share, setup.num_splits,
                           Rng(kSplitSeed));
}

bool has_option(const std::string& model, const std::string& name) {
  for (const auto& infos : {find_model_type(model).options, describe<TrainOptions>()})
    for (const OptionInfo& info : infos)
      if (info.name == option_name(name)) return true;
  return false;
}

Experiment with_options(Experiment e, const OptionValues& options) {
  const OptionValues before = e.model_options;
  OptionValues train = to_values(e.train);
  for (const auto& [name, value] : options) {
    if (e.model_options.contains(name)) {
      e.model_options[name] = value;
    } else if (train.contains(name)) {
      train[name] = value;
    } else {
      refuse_option(e.model, name);
    }
  }
  assign(e.train, train);
  if (!derives_alike(find_model_type(e.model), before, e.model_options))
    fail(Status::usage, "model '", e.model, "' reads other ", e.dataset->derived.name,
         " with these options; give such an option a fixed value and make a search for each");
  return e;
}

OptionValues all_options(const Experiment& e) {
  OptionValues out = e.model_options;
  if (!e.is_trained) return out;
  out.merge(to_values(e.train));
  out["scale"] = to_word(e.scaling.kind);
  return out;
}

void check_splits(const Dataset& dataset, const std::vector<int>& splits) {
  if (splits.empty()) fail(Status::usage, "splits: none chosen");
  const int available = static_cast<int>(dataset.splits.size());
  for (int s : splits) {
    if (s < 0 || s >= available) fail(Status::usage, "splits: ", s, " is outside 0..", available - 1);
    if (std::count(splits.begin(), splits.end(), s) > 1) fail(Status::usage, "splits: ", s, " is listed twice");
    check_split(dataset.splits[s], dataset.labels, s);
  }
}

void require_validation(const Experiment& e) {
  for (int s : e.splits)
    require(!e.dataset->splits[s].val.empty(), "split ", s, ": no validation nodes, by which options and models are ",
            "chosen; give `ratio` a second share above 0, or train a single model");
}

void check_trainable(const Experiment& e) {
  check_ranges(e.train);
  const std::vector<Index>& nodes = e.dataset->splits[e.splits.front()].train;
  const auto model = find_model_type(e.model).make(*e.dataset, e.model_options, Rng(e.seed));
  make_stepper(e.engine, *model,
               {e.train.lr, e.train.weight_decay, e.train.batch_size(nodes.size()) == nodes.size(),
                class_weights(e.train.class_weights, *e.dataset, nodes)},
               e.train.adam);
}

int num_threads(int wanted) {
  const int cores = static_cast<int>(std::thread::hardware_concurrency());
  return wanted > 0 ? wanted : std::max(1, cores / current_comm().size_here());
}

}  // namespace gcnh
