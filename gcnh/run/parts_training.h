// One training over several parts of its graph, which all ranks of the job have their share of: rank 0 cuts the graph,
// sends every rank its parts and takes the steps; the others follow.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "gcnh/comm/comm.h"
#include "gcnh/graph/part.h"
#include "gcnh/models/stepper.h"
#include "gcnh/run/experiment.h"

namespace gcnh {

// All that a rank needs for its share.
struct PartsTask {
  std::uint64_t training = 0;  // a number of its own
  int count = 1;               // of all parts
  int threads = 1;
  std::string model;
  OptionValues options;
  std::uint64_t init = 0;  // key of the stream that parameters are drawn from
  std::vector<Real> class_weights;
  std::vector<Part> parts;  // of this rank
};

// Rank 0's side: steps of a training of the experiment on this dataset, which outlives it; parameters are drawn from
// `init`. The graph is cut as the experiment says.
std::unique_ptr<Stepper> parts_stepper(const Experiment& experiment, const Dataset& dataset, const StepOptions& options,
                                       const Rng& init);

// The side of the others: returns when the training is over.
void follow_parts(Comm& comm, PartsTask task);

}  // namespace gcnh
