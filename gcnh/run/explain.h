// Why a trained model answers as it does, what would change its answers, and what is inside of it.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "gcnh/run/account.h"
#include "gcnh/run/model_file.h"

namespace gcnh {

// The model on a dataset that comes from fit_to_model, which make_explainer makes sure of, and outlives it. Of an
// ensemble, the mean of its networks.
class TrainedExplainer : public Explainer {
 public:
  TrainedExplainer(const TrainedModel& model, const Dataset& dataset);
  TrainedExplainer(const TrainedModel& model, Dataset&& dataset) = delete;
  ~TrainedExplainer() override;

  // What the features of an explanation are numbers of; empty: the column numbers.
  const std::vector<std::string>& feature_names() const { return names_; }

  std::vector<double> logits(Index node) override { return inner_->logits(node); }
  Explanation explain(Index node, std::span<const int> classes) override { return inner_->explain(node, classes); }
  std::optional<NeighbourSum> neighbour_sum(Index node) override { return inner_->neighbour_sum(node); }
  bool is_exact() const override { return inner_->is_exact(); }

 private:
  struct Network;
  std::vector<Network> networks_;
  std::unique_ptr<Explainer> inner_;
  std::vector<std::string> names_;
};
std::unique_ptr<TrainedExplainer> make_explainer(const TrainedModel& model, const Dataset& dataset);
std::unique_ptr<TrainedExplainer> make_explainer(const TrainedModel& model, Dataset&& dataset) = delete;

struct ExplainOptions {
  AccountOptions account = {};
  bool change = true;  // look for edges whose removal changes the answer, where the model can be asked
};

// Accounts of the answers for these nodes.
std::vector<Account> explain(const TrainedModel& model, const Dataset& dataset, std::span<const Index> nodes,
                             const ExplainOptions& options = {});

// Why edges are not looked for; empty where they are.
std::string obstacle_to_change(const TrainedModel& model);

// For tools; keys are stable (docs/formats.md).
std::string explain_json(const TrainedModel& model, const std::string& data, const std::vector<Account>& accounts);

// What the layers give for all nodes: the hidden ones, first layer first, and last the logits. Of an ensemble, the
// numbers of all networks side by side, and the mean of their logits.
std::vector<Matrix> layer_outputs(const TrainedModel& model, const Dataset& dataset);

}  // namespace gcnh
