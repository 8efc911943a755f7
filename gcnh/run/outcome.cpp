#include "gcnh/run/outcome.h"

#include <algorithm>
#include <cmath>

#include "gcnh/base/error.h"

namespace gcnh {

const SplitOutcome& RunResult::best() const {
  return *std::min_element(splits.begin(), splits.end(), [](const SplitOutcome& a, const SplitOutcome& b) {
    const Score &x = a.best.score, &y = b.best.score;
    return x.accuracy != y.accuracy ? x.accuracy > y.accuracy : x.loss < y.loss;
  });
}

MeanStd mean_std(const std::vector<double>& values) {
  const double n = static_cast<double>(values.size());
  double sum = 0, squares = 0;
  for (double v : values) sum += v;
  for (double v : values) squares += (v - sum / n) * (v - sum / n);
  return {sum / n, std::sqrt(squares / n)};
}

std::vector<double> val_accuracies(std::span<const SplitOutcome> splits) {
  std::vector<double> out;
  for (const SplitOutcome& s : splits) out.push_back(s.best.score.accuracy);
  return out;
}

std::vector<double> test_accuracies(std::span<const SplitOutcome> splits) {
  std::vector<double> out;
  for (const SplitOutcome& s : splits) {
    require(s.test_accuracy.has_value(), "the test nodes of split ", s.split, " were not read");
    out.push_back(*s.test_accuracy);
  }
  return out;
}

Readings mean_readings(std::span<const SplitOutcome> splits) {
  Readings out;
  std::map<std::string, double> count;
  for (const SplitOutcome& s : splits)
    for (const auto& [name, values] : s.readings) ++count[name];
  for (const SplitOutcome& s : splits) {
    for (const auto& [name, values] : s.readings) {
      std::vector<double>& mean = out.try_emplace(name, values.size()).first->second;
      for (std::size_t i = 0; i < std::min(mean.size(), values.size()); ++i) mean[i] += values[i] / count[name];
    }
  }
  return out;
}

}  // namespace gcnh
