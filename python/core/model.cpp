// Trained models: applied, written and read.
#include "python/core/answers.h"
#include "python/core/core.h"

namespace gcnh::python {
namespace {

py::dict parameters(const Model& model) {
  py::dict out;
  for (const auto& [name, matrix] : model.trained.parameters) out[py::str(name)] = to_array(Matrix(matrix));
  return out;
}

}  // namespace

py::dict to_dict(const Readings& readings) {
  py::dict out;
  for (const auto& [name, values] : readings) out[py::str(name)] = to_array(std::span<const double>(values));
  return out;
}

py::dict history_of(const SplitOutcome& outcome) {
  const auto column = [&](auto member) {
    std::vector<double> values;
    for (const EpochRecord& record : outcome.history) values.push_back(record.*member);
    return to_array(std::span<const double>(values));
  };
  py::dict out;
  out["train_loss"] = column(&EpochRecord::train_loss);
  out["val_loss"] = column(&EpochRecord::val_loss);
  out["val_accuracy"] = column(&EpochRecord::val_accuracy);
  out["val_metric"] = column(&EpochRecord::val_metric);
  if (outcome.history.empty()) return out;
  for (const auto& [name, values] : outcome.history.front().readings) {
    const auto width = static_cast<py::ssize_t>(values.size());
    py::array_t<double> curve({std::ssize(outcome.history), width});
    double* to = curve.mutable_data();
    for (const EpochRecord& record : outcome.history) {
      const std::vector<double>& row = record.readings.at(name);
      to = std::copy(row.begin(), row.end(), to);
    }
    out[py::str(name)] = curve;
  }
  return out;
}

void add_model(py::module_& m) {
  py::class_<Model>(m, "Model", "A trained model with its contract.")
      .def_static(
          "load",
          [](const std::string& path) {
            return Model{load_model(model_file(path)), {}};
          },
          py::arg("path"), py::call_guard<py::gil_scoped_release>())
      .def(
          "save", [](const Model& self, const std::string& path) { save_model(path, self.trained); }, py::arg("path"),
          py::call_guard<py::gil_scoped_release>())
      .def_property_readonly("model", [](const Model& self) { return self.trained.model; })
      .def_property_readonly("options", [](const Model& self) { return to_dict(self.trained.options); })
      .def_property_readonly("view", [](const Model& self) { return to_dict(to_values(self.trained.view)); })
      .def_property_readonly("scale", [](const Model& self) { return to_word(self.trained.scaling.kind); })
      .def_property_readonly("classes", [](const Model& self) { return self.trained.classes; })
      .def_property_readonly("num_features", [](const Model& self) { return self.trained.num_features; })
      .def_property_readonly("feature_names", [](const Model& self) { return self.trained.feature_names; })
      .def_property_readonly("has_columns", [](const Model& self) { return !self.trained.schema.columns.empty(); })
      .def_property(
          "table", [](const Model& self) { return to_dict(self.trained.table); },
          [](Model& self, const std::map<std::string, std::string>& names) {
            self.trained.table = {names.begin(), names.end()};
          })
      .def_property_readonly("parameters", &parameters)
      .def_property_readonly("history", [](const Model& self) { return history_of(self.outcome); })
      .def_property_readonly("best_epoch", [](const Model& self) { return self.outcome.best.epoch; })
      .def_property_readonly("best_score", [](const Model& self) { return self.outcome.best.score.metric; })
      .def_property_readonly("epochs", [](const Model& self) { return self.outcome.epochs; })
      .def_property_readonly("readings", [](const Model& self) { return to_dict(self.outcome.readings); })
      .def_property_readonly("engine", [](const Model& self) { return self.outcome.engine; })
      .def_property_readonly("seconds", [](const Model& self) { return self.outcome.seconds; })
      .def_property_readonly("level",
                             [](const Model& self) {
                               const std::optional<Decision>& decision = self.trained.decision;
                               return decision && decision->has_sets() ? std::optional(decision->level) : std::nullopt;
                             })
      .def_property_readonly("final",
                             [](const Model& self) {
                               return self.trained.final ? std::optional(to_word(*self.trained.final)) : std::nullopt;
                             })
      .def("answer_all", &answer_all, py::arg("graph"), py::arg("level"))
      .def("embed_all", &embed_all, py::arg("graph"), py::arg("layer"))
      .def("explain_nodes", &explain_nodes, py::arg("graph"), py::arg("nodes"), py::arg("against"), py::arg("top"),
           py::arg("change"));
}

}  // namespace gcnh::python
