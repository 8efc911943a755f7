// The list of models. To add one: write models/<name>.cpp with a function <name>_model(), and add its line here.
#include <algorithm>

#include "gcnh/models/model.h"

#define GCNH_MODELS(MODEL) \
  MODEL(gcnh)              \
  MODEL(mlp)               \
  MODEL(gcn)               \
  MODEL(gat)               \
  MODEL(geomgcn)           \
  MODEL(h2gcn)             \
  MODEL(gprgnn)            \
  MODEL(ggcn)              \
  MODEL(odsd)              \
  MODEL(logreg)            \
  /* the list ends here */

namespace gcnh {

#define GCNH_DECLARE(name) ModelType name##_model();
GCNH_MODELS(GCNH_DECLARE)

const std::vector<ModelType>& model_types() {
#define GCNH_CALL(name) name##_model(),
  static const std::vector<ModelType> types = {GCNH_MODELS(GCNH_CALL)};
  return types;
}

const ModelType& find_model_type(const std::string& name) {
  std::vector<std::string> names;
  for (const ModelType& type : model_types()) {
    if (type.name == name) return type;
    names.push_back(type.name);
  }
  fail(Status::usage, "unknown model '", name, "'; models: ", list_words(names), did_you_mean(name, names));
}

std::vector<ReadingInfo> known_readings() {
  std::vector<ReadingInfo> out;
  for (const ModelType& type : model_types())
    for (const ReadingInfo& info : type.readings)
      if (std::none_of(out.begin(), out.end(), [&](const ReadingInfo& other) { return other.name == info.name; }))
        out.push_back(info);
  return out;
}

}  // namespace gcnh
