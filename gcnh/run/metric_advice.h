// Which metric suits classes of very different sizes, for whoever gives advice.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "gcnh/base/types.h"

namespace gcnh {

// Above this share of the largest class, naming nothing else is right on three nodes of five, and accuracies are
// crowded into what is left.
inline constexpr double kLopsided = 0.6;

struct MetricAdvice {
  std::string share;    // of the labels that the largest class has: "78 %"
  std::string why;      // accuracy does not suit them
  std::string metrics;  // that do: "roc_auc or balanced_accuracy"
};

// Nothing where accuracy will do. The sizes are those of the classes.
std::optional<MetricAdvice> advise_metric(std::span<const Offset> class_sizes);

}  // namespace gcnh
