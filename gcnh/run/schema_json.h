// A schema in a model file (docs/formats.md).
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "gcnh/graph/schema.h"

namespace gcnh {

nlohmann::json schema_json(const Schema& schema);

// Throws a data error that begins with `where` unless it is one that fit_schema could have made.
Schema schema_from(const nlohmann::json& columns, const std::string& where);
// The same, of a file with these tensors: one of them has as many rows or columns as the schema has features.
Schema schema_from(const nlohmann::json& columns, const std::map<std::string, Matrix>& tensors,
                   const std::string& where);

}  // namespace gcnh
