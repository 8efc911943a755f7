#include "gcnh/run/explain.h"

#include "gcnh/explain/explain.h"
#include "gcnh/run/account_json.h"
#include "gcnh/run/predict.h"
#include "gcnh/train/stepper.h"

namespace gcnh {
namespace {

std::unique_ptr<Model> network(const TrainedModel& model, const Dataset& dataset) {
  auto out = find_model_type(model.model).make(dataset, model.options, Rng(0));
  set_parameters(*out, model.parameters);
  return out;
}

// An explainer with the network that it refers to.
class TrainedExplainer : public Explainer {
 public:
  explicit TrainedExplainer(std::unique_ptr<Model> model) : model_(std::move(model)), inner_(make_explainer(*model_)) {}

  std::vector<double> logits(Index node) override { return inner_->logits(node); }
  Explanation explain(Index node, std::span<const int> classes) override { return inner_->explain(node, classes); }
  std::optional<NeighbourSum> neighbour_sum(Index node) override { return inner_->neighbour_sum(node); }
  bool is_exact() const override { return inner_->is_exact(); }

 private:
  std::unique_ptr<Model> model_;
  std::unique_ptr<Explainer> inner_;
};

}  // namespace

std::unique_ptr<Explainer> make_explainer(const TrainedModel& model, const Dataset& dataset) {
  return std::make_unique<TrainedExplainer>(network(model, dataset));
}

std::string obstacle_to_change(const TrainedModel& model) {
  const ModelType& type = find_model_type(model.model);
  if (!type.sees_graph) return model.model + " does not look at edges";
  return type.bound_to_graph;
}

std::vector<Account> explain(const TrainedModel& model, const Dataset& dataset, std::span<const Index> nodes,
                             const ExplainOptions& options) {
  const Matrix logp = predict(model, dataset, nodes);
  const auto explainer = make_explainer(model, dataset);
  const bool undirected = model.view.direction == View::Direction::both;
  const ExplainerOn on = [&](const Dataset& changed) { return make_explainer(model, changed); };
  std::vector<Account> out;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const Real* row = logp.row(static_cast<Index>(i));
    out.push_back(make_account(*explainer, dataset, nodes[i], std::span(row, logp.cols()), options.account));
    if (options.change && obstacle_to_change(model).empty())
      out.back().change = make_change(find_flip(dataset, on, nodes[i], undirected), dataset);
  }
  return out;
}

std::string explain_json(const TrainedModel& model, const std::string& data, const std::vector<Account>& accounts) {
  using json = nlohmann::ordered_json;
  json out = {{"model", model.model}, {"data", data}, {"nodes", json::array()}};
  for (const Account& account : accounts) out["nodes"].push_back(account_json(account));
  return out.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

std::vector<Matrix> layer_outputs(const TrainedModel& model, const Dataset& dataset) {
  return layer_outputs(*network(model, dataset));
}

}  // namespace gcnh
