// Files that are built into the reports: gcnh/report/assets/* and Debian's d3.
#pragma once

#include "gcnh/base/embedded.h"

namespace gcnh::report {

const EmbeddedFiles& assets();

}  // namespace gcnh::report
