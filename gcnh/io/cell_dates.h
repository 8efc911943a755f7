// Dates and times of day as people write them.
#pragma once

#include <optional>
#include <string_view>

#include "gcnh/graph/columns.h"

namespace gcnh {

// Days since 1970: 2024-02-29, 2024/2/29, 29.2.2024, by the order 29/2/2024 or 2-29-2024, 29 Feb 2024, Feb 29, 2024,
// 29/2/24, 2024-02 (its first day) and a time of day behind it (2024-02-29T12:30:05Z, 12:30 PM). DateOrder::time: the
// time alone, as a part of a day.
std::optional<double> parse_date(std::string_view cell, DateOrder order = DateOrder::dmy);

}  // namespace gcnh
