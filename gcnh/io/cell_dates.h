// Dates and times of day as people write them.
#pragma once

#include <optional>
#include <string_view>

#include "gcnh/graph/columns.h"

namespace gcnh {

// Days since 1970: 2024-02-29, 2024/2/29, 29.2.2024, by the order 29/2/2024 or 2-29-2024, 29 Feb 2024, Feb 29, 2024,
// 29/2/24, 2024-02 (its first day) and a time of day behind it (2024-02-29T12:30:05Z, 12:30 PM, 12:30 UTC), also behind
// a day of the week (Mon, 06 Jan 2020 05:38:00 +0000; Mon Jan 06 05:38:00 +0000 2020). DateOrder::time: the time alone,
// as a part of a day, or a duration in days (133:00:41, 0 days 01:23:00).
std::optional<double> parse_date(std::string_view cell, DateOrder order = DateOrder::dmy);

}  // namespace gcnh
