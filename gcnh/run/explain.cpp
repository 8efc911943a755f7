#include "gcnh/run/explain.h"

#include <algorithm>

#include "gcnh/base/error.h"
#include "gcnh/explain/explain.h"
#include "gcnh/run/account_json.h"
#include "gcnh/run/predict.h"
#include "gcnh/train/stepper.h"

namespace gcnh {

// A network of the model, and the data as it reads them.
struct TrainedExplainer::Network {
  std::shared_ptr<const Dataset> data;
  std::unique_ptr<Model> model;
};

namespace {

using json = nlohmann::ordered_json;

// Calls f with each network of the model, made, and the data as it reads them.
template <class F>
void for_each_network(const TrainedModel& model, const Dataset& dataset, const F& f) {
  const std::shared_ptr<const Dataset> shared(&dataset, [](const Dataset*) {});
  const auto make = [&](const TrainedModel& m, std::shared_ptr<const Dataset> data) {
    auto out = network_of(m, *data);
    f(std::move(data), std::move(out));
  };
  make(model, shared);
  if (model.others.empty()) return;
  const std::vector<TrainedModel> all = members(model);
  for (std::size_t i = 1; i < all.size(); ++i) make(all[i], member_dataset(all[i], shared));
}

// a | b
Matrix side_by_side(const Matrix& a, const Matrix& b) {
  Matrix out(b.rows(), a.cols() + b.cols());
  for (Index i = 0; i < out.rows(); ++i) {
    std::copy_n(a.row(i), a.cols(), out.row(i));
    std::copy_n(b.row(i), b.cols(), out.row(i) + a.cols());
  }
  return out;
}

// An answer cannot be compared with itself.
void check_rival(std::optional<int> rival, const Dataset& d, std::span<const Index> nodes,
                 const std::vector<int>& answers) {
  for (std::size_t i = 0; i < nodes.size(); ++i)
    if (rival == answers[i])
      fail(Status::usage, "against: '", d.classes[static_cast<std::size_t>(answers[i])], "' is the answer for node '",
           d.id(nodes[i]), "' itself; give another class to compare it with");
}

}  // namespace

TrainedExplainer::TrainedExplainer(const TrainedModel& model, const Dataset& dataset) {
  std::vector<NamedExplainer> parts;
  for_each_network(model, dataset, [&](std::shared_ptr<const Dataset> data, std::unique_ptr<Model> network) {
    parts.push_back({gcnh::make_explainer(*network), data->feature_names});
    networks_.push_back({std::move(data), std::move(network)});
  });
  names_ = dataset.feature_names;
  if (parts.size() == 1) {
    inner_ = std::move(parts[0].explainer);
    return;
  }
  auto mean = std::make_unique<MeanExplainer>(std::move(parts));
  names_ = mean->feature_names();
  inner_ = std::move(mean);
}

TrainedExplainer::~TrainedExplainer() = default;

std::unique_ptr<TrainedExplainer> make_explainer(const TrainedModel& model, const Dataset& dataset) {
  check_fitted(model, dataset);
  return std::make_unique<TrainedExplainer>(model, dataset);
}

std::string obstacle_to_change(const TrainedModel& model) {
  const ModelType& type = find_model_type(model.model);
  if (!type.sees_graph) return model.model + " does not look at edges";
  if (model.decision && model.decision->has_rule())
    return "answers follow costs or weights of classes, not the highest logit";
  return type.bound_to_graph(model.options);
}

std::vector<Account> explain(const TrainedModel& model, const Dataset& dataset, std::span<const Index> nodes,
                             const ExplainOptions& options) {
  const Matrix logp = predict(model, dataset, nodes);
  const std::vector<int> answers = decided_answers(model, logp);
  check_rival(options.account.rival, dataset, nodes, answers);
  const auto explainer = make_explainer(model, dataset);
  using Direction = View::Direction;
  const bool undirected = model.view.direction == Direction::both || model.view.direction == Direction::separate;
  const ExplainerOn on = [&](const Dataset& changed) { return std::make_unique<TrainedExplainer>(model, changed); };
  std::vector<Account> out;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const Real* row = logp.row(static_cast<Index>(i));
    AccountOptions account = options.account;
    account.feature_names = &explainer->feature_names();
    account.answer = answers[i];
    out.push_back(make_account(*explainer, dataset, nodes[i], std::span(row, logp.cols()), account));
    if (options.change && obstacle_to_change(model).empty())
      out.back().change = make_change(find_flip(dataset, on, nodes[i], undirected), dataset);
  }
  return out;
}

std::string explain_json(const TrainedModel& model, const std::string& data, const std::vector<Account>& accounts) {
  json out = {{"model", model.model},
              {"data", data},
              {"temperature", model.decision ? model.decision->temperature : 1},
              {"nodes", json::array()}};
  if (const std::string why = obstacle_to_change(model); !why.empty()) out["no_change"] = why;
  for (const Account& account : accounts) out["nodes"].push_back(account_json(account));
  return out.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

std::vector<Matrix> layer_outputs(const TrainedModel& model, const Dataset& dataset) {
  check_fitted(model, dataset);
  std::vector<Matrix> out;
  const auto share = static_cast<Real>(1.0 / static_cast<double>(model.others.size() + 1));
  for_each_network(model, dataset, [&](const std::shared_ptr<const Dataset>&, const std::unique_ptr<Model>& network) {
    std::vector<Matrix> own = layer_outputs(*network);
    if (out.empty()) out.assign(own.size(), Matrix());
    for (std::size_t l = 0; l + 1 < own.size(); ++l) out[l] = side_by_side(out[l], own[l]);
    if (out.back().empty()) out.back() = Matrix(own.back().rows(), own.back().cols());
    for (std::size_t i = 0; i < own.back().size(); ++i) out.back().values()[i] += share * own.back().values()[i];
  });
  return out;
}

}  // namespace gcnh
