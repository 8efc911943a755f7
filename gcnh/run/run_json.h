// What a run tells: one JSON object for tools (keys are stable), and the learning curves as JSON lines.
#pragma once

#include <string>
#include <vector>

#include "gcnh/graph/dataset.h"
#include "gcnh/graph/homophily.h"
#include "gcnh/run/experiment.h"
#include "gcnh/run/outcome.h"

namespace gcnh {

// With a command line: also how and where it ran (command, version, simd, cpu).
// With the JSON of a final model: also that.
std::string run_json(const Experiment& experiment, const RunResult& result, const std::string& command = "",
                     const std::string& final = "");
// One line per split and epoch: split, epoch, train_loss, val_loss, val_accuracy, val_metric where the metric is
// another one, and the model's readings.
std::string curves_jsonl(const RunResult& result);
std::string inspect_json(const Dataset& dataset, const Homophily& homophily);

// A model as it would be trained on a graph.
struct ModelSize {
  std::string model;
  std::size_t parameters;
  OptionValues options;
};
std::string models_json(const std::string& data, const std::vector<ModelSize>& sizes);

}  // namespace gcnh
