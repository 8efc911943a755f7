// What the file of a final model holds beside a network: the other networks of an ensemble, decisions, and which nodes
// it knows (docs/formats.md). Every field is hostile until it is checked.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "gcnh/io/safetensors.h"
#include "gcnh/run/model_file.h"

namespace gcnh {

// The JSON of a metadata key that every such file has, and a tensor taken out of it; an empty one where there is none.
nlohmann::json metadata_json(const Tensors& file, const std::string& where, const char* key);
Matrix take_tensor(Tensors& file, const std::string& name);

void add_final(const TrainedModel& model, Tensors& file);

// Takes its tensors out of the file, so that those of the first network remain. `where` begins messages.
void take_final(Tensors& file, const std::string& where, TrainedModel& model);

}  // namespace gcnh
