// A model on a graph, ready to be trained: the graph under a view, scaled and split, and every option set.
#pragma once

#include <string>

#include "gcnh/graph/dataset.h"
#include "gcnh/graph/scaling.h"
#include "gcnh/train/report.h"
#include "gcnh/train/runner.h"

namespace gcnh {

// What a user says of an experiment.
struct Setup {
  std::string model = "gcnh";
  std::string view = "clean";  // clean | paper
  std::string recipe = {};     // empty: the defaults of model and trainer
  std::string scale = "auto";  // none | rows | standard | auto: what the recipe says, else standard when dense
  OptionValues options = {};   // win over the recipe
  double train_share = 0.48;   // of random splits, for data that brings none
  double val_share = 0.32;
  int num_splits = 10;
};

struct Experiment {
  Dataset dataset;
  DataCard card;
  std::string hash;  // fingerprint of the dataset
  View view;
  Scaling scaling;
  RunConfig config;  // all splits; seed, threads and folder are left to the caller
};

Experiment prepare(const Setup& setup, Tables tables);

// The experiment's configuration with some options changed. Throws a usage error for an option it does not have, and
// for one that would need another dataset: what a model derives from the graph is made for the options of prepare().
RunConfig with_options(const Experiment& experiment, const OptionValues& options);

}  // namespace gcnh
