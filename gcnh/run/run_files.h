// What a run folder tells about its data and its answers; reports are made of it.
#pragma once

#include <functional>
#include <span>
#include <string>

#include "gcnh/run/experiment.h"
#include "gcnh/run/outcome.h"

namespace gcnh {

// Sizes, classes, degrees, homophily in four measures, label informativeness, and where the edges of each class lead.
std::string data_json(const Experiment& experiment);

// Log-probabilities of nodes, a row each, by what was kept of a split.
using Answers = std::function<Matrix(const SplitOutcome& split, std::span<const Index> nodes)>;
// Those of the trained model. They refer to the experiment.
Answers model_answers(const Experiment& experiment);
Answers model_answers(Experiment&& experiment) = delete;

// Rows of both tables end with the node's degree and the share of its labelled neighbours that have its class; on the
// map a fingerprint of its features follows, by which the node is known again.
struct RunTables {
  std::string predictions;  // split, id, label, predicted, p_<class>...: the test nodes of every split
  // id, label, predicted, role, s_<class>...: log-probabilities of the model that the run keeps, and whether its split
  // trained on the node, validated, or tested. All nodes, or a sample of every class.
  std::string map;
};
RunTables run_tables(const Experiment& experiment, const RunResult& result, const Answers& answers,
                     std::size_t most_on_map = 5000);

}  // namespace gcnh
