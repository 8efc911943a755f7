#include "gcnh/run/predict.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <utility>

#include "gcnh/base/error.h"
#include "gcnh/graph/content_hash.h"
#include "gcnh/graph/encode.h"
#include "gcnh/io/text.h"
#include "gcnh/models/model.h"
#include "gcnh/run/calibration.h"
#include "gcnh/run/schema_json.h"
#include "gcnh/train/make_stepper.h"

namespace gcnh {
namespace {

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
          after("; not used by the model:", names_without(found, model.feature_names)));
  tables.features = tables.features.visit([&](const auto& x) { return reorder_columns(x, order); });
  tables.feature_names = model.feature_names;
}

// A graph with weights is another graph than the same one without; where there are no edges, there is nothing to weigh.
void match_weights(const TrainedModel& model, const Tables& tables) {
  const ModelType& type = find_model_type(model.model);
  if (tables.edges.empty() || !type.sees_graph || !type.reads_weights(model.options)) return;
  const bool weighted = !tables.edge_weights.empty();
  require(weighted || !model.weighted, tables.name, ": the model was trained on edges with weights; `weight` names ",
          "their column");
  require(!weighted || model.weighted, tables.name, ": the model was trained on edges without weights; leave ",
          "`weight` out");
}

// Numbers the classes as the model does. Nodes of others count as unlabelled; the text says so where there are any.
std::string rename_classes(Dataset& d, const std::vector<std::string>& classes) {
  std::vector<int> number;
  for (const std::string& name : d.classes) {
    const auto found = std::find(classes.begin(), classes.end(), name);
    number.push_back(found == classes.end() ? -1 : static_cast<int>(found - classes.begin()));
  }
  Index strangers = 0;
  for (int& label : d.labels) {
    if (label < 0) continue;
    label = number[label];
    strangers += label < 0;
  }
  const std::string names = names_without(d.classes, classes);
  d.classes = classes;
  return strangers == 0 ? "" : join(counted(strangers, "node"), " of classes that the model does not know:", names);
}

// Of everything that the form of a dataset depends on.
std::uint64_t form_of(const TrainedModel& model) {
  const nlohmann::json form = {model.model,
                               model.options,
                               to_values(model.view),
                               model.classes,
                               model.num_features,
                               model.feature_names,
                               schema_json(model.schema),
                               to_word(model.scaling.kind),
                               model.scaling.mean.values(),
                               model.scaling.deviation.values()};
  return text_hash(form.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
}

// Log-probabilities by the first network.
Matrix answers_of_network(const TrainedModel& model, const Dataset& dataset, std::span<const Index> nodes) {
  const auto built = network_of(model, dataset);
  TapeStepper stepper(*built, 0, 0);
  Matrix out = stepper.log_probabilities(nodes);
  for (Index i = 0; i < out.rows(); ++i)
    for (Index k = 0; k < out.cols(); ++k)
      require(std::isfinite(out(i, k)), dataset.name, ": the model has no finite answer for node ",
              quote(dataset.id(nodes[static_cast<std::size_t>(i)])), "; its features are far from those of training");
  return out;
}

}  // namespace

std::unique_ptr<Model> network_of(const TrainedModel& model, const Dataset& dataset) {
  auto out = find_model_type(model.model).make(dataset, model.options, Rng(0));
  try {
    set_parameters(*out, model.parameters);
  } catch (const Error& e) {
    if (model.file.empty()) throw;
    fail(e.status(), model.file, ": ", e.what());
  }
  return out;
}

Schema joint_schema(const TrainedModel& model) {
  Schema out = model.schema;
  for (const Member& member : model.others) {
    for (std::size_t c = 0; c < out.columns.size() && c < member.schema.columns.size(); ++c) {
      ColumnCode& code = out.columns[c];
      const ColumnCode& more = member.schema.columns[c];
      code.has_indicator |= more.has_indicator;
      code.low = std::min(code.low, more.low), code.high = std::max(code.high, more.high);
      std::vector<std::string> all;
      std::vector<std::string> a = code.values, b = more.values;
      std::sort(a.begin(), a.end());
      std::sort(b.begin(), b.end());
      std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(all));
      code.values = std::move(all);
    }
  }
  return out;
}

FeatureSpec feature_spec(const TrainedModel& model) {
  FeatureSpec out;
  for (const ColumnCode& code : model.schema.columns) out.columns.push_back(code.spec);
  out.may_lack = true;  // encoding tells all that does not fit
  out.others = out.columns.empty() ? OtherColumns::num : OtherColumns::ignore;
  return out;
}

Dataset fit_to_model(const TrainedModel& model, Tables tables, std::vector<std::string>* notes,
                     std::vector<Index>* unseen) {
  check_tables(tables);
  const bool has_columns = !model.schema.columns.empty();
  require(!has_columns || !tables.columns.empty(), tables.name, ": ", counted(tables.features.cols(), "feature"),
          " without columns; the model was trained on a table of ",
          counted(std::ssize(model.schema.columns), "column"));
  if (!has_columns && model.view.columns == View::Columns::by_index) match_columns(model, tables);
  match_weights(model, tables);
  // A table of numbers that happens to hold many zeros; the model was trained on a filled one.
  if (model.scaling.kind == Scale::standard && tables.features.is_sparse())
    tables.features = filled(tables.features.sparse());
  const ModelType& type = find_model_type(model.model);
  const std::string bound = type.bound_to_graph(model.options);
  View view = model.view;
  if (bound.empty())
    view.unlabelled = View::Unlabelled::keep;  // whoever asks for predictions wants them for every node
  Dataset out = make_dataset_for(type, model.options, std::move(tables), view);
  require(bound.empty() || graph_hash(out) == model.graph, out.name, ": not the graph that the model was trained on; ",
          bound);
  if (has_columns) {
    Unseen met;
    if (!model.others.empty()) encode(joint_schema(model), *out.columns, out.num_nodes(), &met, out.name);
    out.features = encode(model.schema, *out.columns, out.num_nodes(), model.others.empty() ? &met : nullptr, out.name);
    out.feature_names = model.feature_names;
    if (notes) *notes = met.notes();
    if (unseen) *unseen = std::move(met.nodes);
  }
  require(out.features.cols() == model.num_features, out.name, ": ", counted(out.features.cols(), "feature"),
          ", the model was trained on ", model.num_features);
  apply_scaling(model.scaling, out.features);
  out.form = form_of(model);
  const std::string strangers = rename_classes(out, model.classes);
  if (notes && !strangers.empty()) notes->push_back(strangers);
  return out;
}

void check_fitted(const TrainedModel& model, const Dataset& dataset) {
  require(dataset.form == form_of(model), dataset.name,
          ": the dataset is not in the form that the model was trained on; make it with fit_to_model(model, tables)");
}

std::shared_ptr<const Dataset> member_dataset(const TrainedModel& member, std::shared_ptr<const Dataset> dataset) {
  if (member.schema.columns.empty()) return dataset;
  auto out = std::make_shared<Dataset>(*dataset);
  out->features = encode(member.schema, *out->columns, out->num_nodes(), nullptr, out->name);
  out->feature_names = member.feature_names;
  apply_scaling(member.scaling, out->features);
  out->form = form_of(member);
  return out;
}

Matrix predict(const TrainedModel& model, const Dataset& dataset, std::span<const Index> nodes) {
  check_fitted(model, dataset);
  check_nodes(dataset, nodes);
  std::vector<Matrix> answers = {answers_of_network(model, dataset, nodes)};
  if (!model.others.empty()) {
    const std::shared_ptr<const Dataset> shared(&dataset, [](const Dataset*) {});
    const std::vector<TrainedModel> all = members(model);
    for (std::size_t i = 1; i < all.size(); ++i)
      answers.push_back(answers_of_network(all[i], *member_dataset(all[i], shared), nodes));
  }
  return calibrated(joint_answers(std::move(answers)), model.decision ? model.decision->temperature : 1);
}

std::vector<int> decided_answers(const TrainedModel& model, const Matrix& logp) {
  const Decision decision = model.decision.value_or(Decision{});
  std::vector<int> out;
  for (Index i = 0; i < logp.rows(); ++i) out.push_back(decide(decision, logp, i));
  return out;
}

std::vector<std::string> node_status(const TrainedModel& model, const Dataset& d, std::span<const Index> unseen,
                                     Index node) {
  check_nodes(d, std::span(&node, 1));
  std::vector<std::string> out = {model.knows(d, node) ? "known" : "new"};
  const auto row = d.adjacency.row(node);
  if (std::all_of(row.begin(), row.end(), [&](Index other) { return other == node; })) out.push_back("isolated");
  if (std::binary_search(unseen.begin(), unseen.end(), node)) out.push_back("unseen values");
  return out;
}

}  // namespace gcnh
