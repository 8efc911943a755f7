// Accounts as JSON (docs/formats.md), for source files that write or read it.
#pragma once

#include <nlohmann/json.hpp>

#include "gcnh/run/account.h"

namespace gcnh {

nlohmann::ordered_json account_json(const Account& account);
// Reads it back. Throws what the parser throws, and a data error that begins with `where` unless all lists have one
// number per class.
Account account_from(const nlohmann::ordered_json& j, const std::string& where);

}  // namespace gcnh
