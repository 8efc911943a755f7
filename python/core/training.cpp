// Experiments: a model on a graph with every option settled; training one split of it.
#include <optional>

#include "python/core/core.h"
#include "python/core/experiment.h"
#include "python/core/watch.h"

namespace gcnh::python {
namespace {

py::dict to_dict(const EpochRecord& record) {
  py::dict out;
  out["train_loss"] = record.train_loss;
  out["val_loss"] = record.val_loss;
  out["val_accuracy"] = record.val_accuracy;
  out["val_metric"] = record.val_metric;
  for (const auto& [name, values] : record.readings) out[py::str(name)] = values;
  return out;
}

// What is kept of a training that was asked to stop.
SplitOutcome stopped(int split, const TrainState& state, const TrainOptions& options) {
  SplitOutcome out;
  out.split = split;
  out.epochs = state.epoch();
  out.best = {state.best_epoch, state.best};
  out.metric = options.metric;
  out.readings = state.history[static_cast<std::size_t>(state.best_epoch) - 1].readings;
  for (const auto& [name, matrix] : state.best_parameters) out.parameters += matrix.size();
  out.seconds = state.seconds;
  out.history = state.history;
  out.weights = state.best_parameters;
  return out;
}

Model kept_model(const Experiment& e, SplitOutcome outcome) {
  RunResult result;
  result.splits.push_back(std::move(outcome));
  Model out{trained_model(e, result), {}};
  out.outcome = std::move(result.splits.front());
  out.outcome.weights.clear();
  return out;
}

// (model, exception): one of them may be None. A callback takes the epoch's number and a dict of its numbers; one that
// returns True ends the training. After an exception, the model is that of the best epoch until then.
py::tuple train_split(const Experiment& e, const py::object& callback) {
  const int split = e.splits.front();
  std::optional<SplitOutcome> outcome;
  Watch watch;
  watch.run([&] {
    RunObserver observer;
    observer.on_epoch = [&](int, const TrainState& state) {
      if (!callback.is_none())
        watch.call([&] {
          if (callback(state.epoch(), to_dict(state.history.back())).cast<bool>()) watch.stop();
        });
      if (watch.should_stop() && !outcome) outcome = stopped(split, state, e.train);
    };
    observer.should_stop = [&] { return outcome.has_value(); };
    for_each_training(*e.dataset, e.threads, 1, [&](std::size_t) {
      std::optional<SplitOutcome> finished = run_split(e, split, observer);
      if (finished) outcome = std::move(finished);
    });
  });
  if (!outcome) return py::make_tuple(py::none(), watch.raised());
  require(outcome->best.epoch > 0, "the loss is not finite after epoch ", outcome->epochs + 1,
          "; lower lr or scale the features");
  return py::make_tuple(kept_model(e, std::move(*outcome)), watch.raised());
}

// The nodes of some, split by class into two sets.
py::tuple hold_out(const Array<int>& labels, int num_classes, double share, std::uint64_t seed) {
  const Split s = stratified_splits({labels.data(), static_cast<std::size_t>(labels.size())}, num_classes, 1 - share,
                                    share, 1, Rng(seed))
                      .front();
  return py::make_tuple(to_array(std::span<const Index>(s.train)), to_array(std::span<const Index>(s.val)));
}

}  // namespace

Setup to_setup(const py::dict& fields) {
  Setup out;
  const auto take = [&](const char* name, auto& field) { take_field(fields, name, field); };
  take("model", out.model);
  take("view", out.view);
  take("direction", out.direction);
  take("recipe", out.recipe);
  take("scale", out.scale);
  take("train_share", out.train_share);
  take("val_share", out.val_share);
  take("num_splits", out.num_splits);
  take("splits", out.splits);
  take("engine", out.engine);
  take("seed", out.seed);
  take("threads", out.threads);
  take("read_test", out.read_test);
  if (fields.contains("options"))
    for (const auto& [name, value] : fields["options"].cast<std::map<std::string, std::string>>())
      out.options[name] = value;
  return out;
}

void add_training(py::module_& m) {
  py::class_<Experiment>(m, "Experiment", "A model on a graph, ready to be trained.")
      .def(py::init([](const Graph& g, const py::dict& fields) {
             const Setup setup = to_setup(fields);
             const py::gil_scoped_release release;
             return prepare(setup, *g.tables);
           }),
           py::arg("graph"), py::arg("fields"))
      .def_readonly("model", &Experiment::model)
      .def_property_readonly("options", [](const Experiment& e) { return python::to_dict(all_options(e)); })
      .def("train_split", &train_split, py::arg("callback"));
  m.def("hold_out", &hold_out, py::arg("labels"), py::arg("num_classes"), py::arg("share"), py::arg("seed"));
}

}  // namespace gcnh::python
