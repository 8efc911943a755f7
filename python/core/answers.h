// What a trained model says of the nodes of a graph.
#pragma once

#include "python/core/core.h"

namespace gcnh::python {

// Of all nodes, as a dict: `logp`, the log-probabilities, `predicted`, class numbers, and of models that decide `sets`
// of class numbers at that level (0: the model's own). Nodes that the model's view takes out of the graph have NaN and
// -1.
py::dict answer_all(const Model& model, const Graph& g, double level);

// Numbers of a layer for all nodes, NaN for those that are taken out.
py::array embed_all(const Model& model, const Graph& g, const std::string& layer);

// What `gcnh explain --json` prints of these nodes, and a picture of each. A class of -1 is the likeliest rival.
py::tuple explain_nodes(const Model& model, const Graph& g, const std::vector<Index>& nodes, int against, int top,
                        bool change);

}  // namespace gcnh::python
