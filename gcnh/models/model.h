// What every model is: trained matrices and a forward pass written in ops. A model is bound to the dataset it was made
// for, because it builds its operators from the graph once; its parameters can be loaded into a model of another graph.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "gcnh/base/options.h"
#include "gcnh/base/random.h"
#include "gcnh/graph/dataset.h"
#include "gcnh/models/explanation.h"
#include "gcnh/models/layers.h"
#include "gcnh/models/readings.h"
#include "gcnh/models/stepper.h"

namespace gcnh {

// While it lives, models that this thread makes have at most so many numbers to train; one that asks for more is a data
// error before memory is taken for them. For options from a file, which anybody may have written.
class ParameterLimit {
 public:
  explicit ParameterLimit(std::size_t numbers);
  ~ParameterLimit();
  ParameterLimit(const ParameterLimit&) = delete;
  ParameterLimit& operator=(const ParameterLimit&) = delete;

 private:
  std::size_t previous_;
};

class Model {
 public:
  // The dataset outlives the model. Parameters are drawn from the stream.
  Model(const Dataset& d, const Rng& rng) : dataset_(d), input_(d.features), rng_(rng) {}
  virtual ~Model() = default;

  // Logits of the listed nodes, (rows, classes).
  virtual Var forward(Tape& t, std::span<const Index> rows) = 0;

  // Numbers worth showing to people; for GCNH the learned weights of the centre node, one per layer. Tables, JSON and
  // reports show those that the model's type declares.
  virtual Readings readings() const { return {}; }

  // A way to take steps that is faster than the tape, for models that have one; else null, and `obstacle` says why.
  virtual std::unique_ptr<Stepper> fast_stepper(const StepOptions& options, std::string& obstacle);

  // A way to take answers apart that is better than gradients, for models that have one; else null. It refers to the
  // model and holds for its parameters of now.
  virtual std::unique_ptr<Explainer> own_explainer() { return nullptr; }
  // Backward passes without dropout add their gradient with respect to the features to this one (Input::watch).
  void watch_features(Matrix* gradient) { input_.watch(gradient); }

  const Dataset& dataset() const { return dataset_; }
  std::deque<Param>& params() { return params_; }
  const std::deque<Param>& params() const { return params_; }
  std::size_t num_parameters() const { return num_parameters_; }

 protected:
  const Input& input() const { return input_; }
  // What the next trained matrix is drawn from; each has a stream of its own.
  Rng next_stream() const { return rng_.fork(params_.size()); }
  // A new trained matrix, uniform in [-bound, bound].
  Param* add_param(const std::string& name, Index rows, Index cols, double bound);
  // The same, normal with mean 0 and the given standard deviation.
  Param* add_normal_param(const std::string& name, Index rows, Index cols, double deviation);
  // The layers of a network from the features over layers - 1 hidden ones to the classes.
  struct Shape {
    std::string name;  // layers.0, layers.1, ...
    Index in, out;
  };
  std::vector<Shape> stack(int layers, Index hidden) const;
  // With a head the last one is hidden, too.
  std::vector<Shape> stack(int layers, Index hidden, Head head) const;
  // From hidden layers of this width to the classes; empty where there is no head.
  Linear add_head(Head head, int layers, Index width);
  // Weight and bias under name.weight and name.bias, both uniform in [-1/sqrt(fan), 1/sqrt(fan)].
  Linear add_linear(const std::string& name, Index in, Index out, Index fan);
  // How wide so many matrices are side by side. Whatever reads them has a trained number for each column.
  Index side_by_side(Index matrices, Index width) const;
  // What is added of a layer's input.
  Shortcut add_shortcut(const std::string& name, Residual kind, Index in, Index out);
  // A norm of so many columns: it begins with scales of 1, shifts and running means of 0, running variances of 1.
  Normalizer add_norm(const std::string& name, Norm kind, Index width);

 private:
  Param& new_param(const std::string& name, Index rows, Index cols);
  void require_room(std::size_t numbers) const;  // below the limit, for so many more

  const Dataset& dataset_;
  Input input_;
  Rng rng_;
  std::deque<Param> params_;  // addresses stay valid
  std::size_t num_parameters_ = 0;
};

// Options of a network of equal layers, for models that have no more of them or begin with these.
struct StackOptions {
  int layers = 2;
  int hidden = 16;
  double dropout = 0.5;

  void visit(auto&& f, const char* layers_help, const char* dropout_help) {
    f("layers", layers, layers_help, at_least(1));
    f("hidden", hidden, "width of the hidden layers", at_least(1));
    f("dropout", dropout, dropout_help, share());
  }
};

// A model by name: what the command line, recipes and model files know of it.
struct ModelType {
  std::string name;
  std::string summary;
  std::vector<OptionInfo> options;
  std::function<std::unique_ptr<Model>(const Dataset&, const OptionValues&, const Rng&)> factory;
  std::function<void(const OptionValues&)> check;  // throws a usage error for values that its options do not take
  // What the model reads of a graph besides edges and features, and the options that decide it; absent for most.
  std::function<Derived(const OptionValues&, const Dataset&)> derive = {};
  std::vector<std::string> derive_options = {};
  // Why a model that was trained with these options is of no use on another graph; empty for those that are.
  std::function<std::string(const OptionValues&)> bound_to_graph = [](const OptionValues&) { return ""; };
  // Why it cannot be trained on parts of a graph with these options, in words that follow "needs the whole graph";
  // empty where it can. Absent: with none.
  std::function<std::string(const OptionValues&)> needs_whole = {};
  // False for a model of the features alone: what others gain over it comes from the edges.
  bool sees_graph = true;
  // So simple that a model which does not beat it has learned nothing of use; comparisons always have it beside them.
  bool is_floor = false;
  // Whether weights that edges were given matter to it with these options; where it sees the graph.
  std::function<bool(const OptionValues&)> reads_weights = [](const OptionValues&) { return true; };
  // And their direction, with any.
  bool reads_direction = true;
  // Whether it tells the two directions of an edge apart where the view keeps them so (Dataset::pointing_to).
  bool keeps_apart = false;
  // The rows of the dataset's adjacency list the nodes that receive from a node, where those of others list the nodes
  // that it receives from.
  bool rows_list_receivers = false;
  // Time of an epoch beside what sizes and widths alone let expect; searches are planned with it (study/plan.h).
  double cost = 1;
  // What readings() gives.
  std::vector<ReadingInfo> readings = {};

  // The dataset outlives the model.
  std::unique_ptr<Model> make(const Dataset& d, const OptionValues& values, const Rng& rng) const {
    return factory(d, values, rng);
  }
  std::unique_ptr<Model> make(Dataset&&, const OptionValues&, const Rng&) const = delete;
};

// All models, in the order of registry.cpp.
const std::vector<ModelType>& model_types();
const ModelType& find_model_type(const std::string& name);

// The view that these words describe. Files of version 0.1.0 call the direction undirected or directed, the second as
// the model took the edges that were written.
View view_from(const ModelType& type, OptionValues values);
// make_dataset, with what the model type derives from the graph.
Dataset make_dataset_for(const ModelType& type, const OptionValues& options, Tables tables, const View& view);
// Whether a dataset made for some options serves others, too.
bool derives_alike(const ModelType& type, const OptionValues& a, const OptionValues& b);

// ModelType::needs_whole of models whose only such option is the norm.
std::string trimmings_that_need_whole(const OptionValues& values);

template <class M>
ModelType describe_model(const char* name, const char* summary) {
  return {name, summary, describe<typename M::Options>(),
          [](const Dataset& d, const OptionValues& values, const Rng& rng) {
            typename M::Options options;
            assign(options, values);
            return std::make_unique<M>(d, options, rng);
          },
          [](const OptionValues& values) {
            typename M::Options options;
            assign(options, values);
          }};
}

}  // namespace gcnh
