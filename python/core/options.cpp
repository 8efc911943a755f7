// The options that the library declares, for the classes that are generated from them.
#include "python/core/core.h"

namespace gcnh::python {
namespace {

using CheckOptions = std::function<void(const OptionValues&)>;

// Whether an option takes whole numbers alone; it says so when it is given another.
bool is_whole(const OptionInfo& info, const CheckOptions& check) {
  try {
    check({{info.name, "1.5"}});
  } catch (const Error& error) {
    return std::string_view(error.what()).find("whole number") != std::string_view::npos;
  }
  return false;
}

py::list options(const std::vector<OptionInfo>& infos, const CheckOptions& check) {
  py::list out;
  for (const OptionInfo& info : infos) {
    py::dict option;
    option["name"] = info.name;
    option["default"] = info.value;
    option["help"] = info.help;
    option["words"] = texts_of(info.words);
    option["whole"] = is_whole(info, check);
    out.append(option);
  }
  return out;
}

py::list train_options() {
  return options(describe<TrainOptions>(), [](const OptionValues& values) {
    TrainOptions out;
    assign(out, values);
  });
}

py::dict model_type(const ModelType& type) {
  py::dict out;
  out["name"] = type.name;
  out["summary"] = type.summary;
  out["options"] = options(type.options, type.check);
  out["sees_graph"] = type.sees_graph;
  out["is_floor"] = type.is_floor;
  py::dict readings;
  for (const ReadingInfo& info : type.readings) readings[py::str(info.name)] = info.help;
  out["readings"] = readings;
  return out;
}

py::list model_type_list() {
  py::list out;
  for (const ModelType& type : model_types()) out.append(model_type(type));
  return out;
}

py::dict recipe(const std::string& name, const std::string& model, const std::string& data) {
  return to_dict(recipe_options(name, model, data));
}

}  // namespace

py::dict to_dict(const OptionValues& values) {
  py::dict out;
  for (const auto& [name, value] : values) out[py::str(name)] = value;
  return out;
}

void add_options(py::module_& m) {
  m.def("model_types", &model_type_list, "Every model with its options, in the order of the registry.");
  m.def("train_options", &train_options, "Options of the trainer.");
  m.def("recipe", &recipe, py::arg("name"), py::arg("model"), py::arg("data"), "Options of a recipe, as text.");
}

}  // namespace gcnh::python
