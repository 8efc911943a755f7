// A model on a graph, ready to be trained. A Setup is what somebody asked for; prepare() makes an Experiment of it, in
// which nothing is left open.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "gcnh/base/options.h"
#include "gcnh/graph/dataset.h"
#include "gcnh/graph/scaling.h"
#include "gcnh/run/decision.h"
#include "gcnh/train/trainer.h"

namespace gcnh {

struct Setup {
  std::string model = "gcnh";
  std::string view = "clean";  // clean | paper
  std::string direction = {};  // both | out | in; empty: what the recipe says, else the view
  std::string recipe = {};     // empty: the defaults of model and trainer
  std::string scale = "auto";  // a word of Scale; auto: what the recipe says, else standard when dense
  OptionValues options = {};   // win over the recipe
  double train_share = 0.48;   // of random splits, for data that brings none
  double val_share = 0.32;
  int num_splits = 10;
  std::vector<int> splits = {};  // numbers of those to train on; empty: all
  std::string engine = "auto";   // auto | tape | fused
  std::uint64_t seed = 1;
  int threads = 0;        // 0: all cores
  int parts = 0;          // that the graph is cut into for each training; 0: it stays whole
  bool read_test = true;  // off: the test nodes stay unread
};

// Copies are cheap: they share the dataset.
struct Experiment {
  std::shared_ptr<const Dataset> dataset = {};  // under the view, scaled and split
  std::string hash = {};                        // fingerprint of the dataset
  std::string view_name = {};                   // clean | paper
  View view = {};
  Scaling scaling = {};  // of a table with columns the kind alone: it is fitted split by split

  std::string model = "gcnh";
  OptionValues model_options = {};  // all of them
  TrainOptions train = {};
  std::string engine = "auto";
  std::uint64_t seed = 1;
  int threads = 1;
  int parts = 0;                                              // as in Setup
  std::shared_ptr<const std::vector<int>> part_of_node = {};  // where there are parts
  std::vector<int> splits = {};
  Aims aims = {};          // of decisions, which are fitted after the training
  bool is_trained = true;  // off for what has no trainer, whose options then say nothing
  bool read_test = true;   // off while choosing between experiments: the test nodes stay unread, or there are none
  // On the data, for the report: a rule and what it found.
  std::vector<std::pair<std::string, std::string>> remarks = {};
};

// Throws a usage error for options that do not exist, and a data error for data that nothing can be learned from.
// Values of a model's options are looked at when it is made (check_trainable).
Experiment prepare(const Setup& setup, Tables tables);

// Throws a usage error for a direction that does not exist, or that the model would pass over without a word. prepare()
// looks, too, but has the data by then.
void check_direction(const Setup& setup);

// Random splits with the shares of the setup. They depend on labels, shares and number only, so that every model, seed
// and machine is compared on the same ones.
std::vector<Split> random_splits(const Setup& setup, const Dataset& dataset);

// Whether the model, or the trainer, has such an option.
bool has_option(const std::string& model, const std::string& name);

// The experiment with some options changed. Throws a usage error for an option it does not have, and for one that would
// need another dataset: what a model derives from the graph is made for the options of prepare().
Experiment with_options(Experiment experiment, const OptionValues& options);

// Every option of the model and the trainer, and the scaling of the features.
OptionValues all_options(const Experiment& experiment);

// Throws a usage error unless these splits exist, and a data error when one of them cannot be trained on.
void check_splits(const Dataset& dataset, const std::vector<int>& splits);

// Throws a data error unless every split has validation nodes, by which options and models are chosen.
void require_validation(const Experiment& experiment);

// Throws what training would throw for options out of their range, before anything is trained or written.
void check_trainable(const Experiment& experiment);

// So many threads as asked for; 0: one per core, shared by the ranks on this machine.
int num_threads(int wanted);

}  // namespace gcnh
