// Pictures of why a node gets its class.
#pragma once

#include <string>

#include "gcnh/report/chart.h"
#include "gcnh/run/account.h"

namespace gcnh::report {

// A bar per part: how far it puts the answer ahead of the class that it is compared with, or behind.
Chart account_chart(const Account& account, const std::string& name);

// That chart, and below it the node among those that have a say: thick lines lead to neighbours, thin ones further
// away, larger marks mean larger parts.
std::string account_svg(const Account& account);

}  // namespace gcnh::report
