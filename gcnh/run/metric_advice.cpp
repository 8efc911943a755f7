#include "gcnh/run/metric_advice.h"

#include <fmt/core.h>

#include <algorithm>
#include <numeric>

#include "gcnh/train/metrics.h"

namespace gcnh {

std::optional<MetricAdvice> advise_metric(std::span<const Offset> class_sizes) {
  if (class_sizes.size() < 2) return std::nullopt;
  const Offset largest = *std::max_element(class_sizes.begin(), class_sizes.end());
  const Offset all = std::accumulate(class_sizes.begin(), class_sizes.end(), Offset{0});
  const double share = static_cast<double>(largest) / static_cast<double>(all);
  if (!(share > kLopsided)) return std::nullopt;
  const Metric first = class_sizes.size() == 2 ? Metric::roc_auc : Metric::balanced_accuracy;
  const Metric second = class_sizes.size() == 2 ? Metric::balanced_accuracy : Metric::macro_f1;
  const std::string percent = fmt::format("{:.0f} %", 100 * share);
  return MetricAdvice{percent, "an accuracy of " + percent + " takes no learning",
                      to_word(first) + " or " + to_word(second)};
}

}  // namespace gcnh
