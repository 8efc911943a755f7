#include "gcnh/run/calibration.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace gcnh {
namespace {

// row <- log softmax(row / t)
void log_softmax(double t, std::span<Real> row) {
  const double largest = *std::max_element(row.begin(), row.end());
  double sum = 0;
  for (Real value : row) sum += std::exp((value - largest) / t);
  const double shift = std::log(sum);
  for (Real& value : row) value = static_cast<Real>((value - largest) / t - shift);
}

}  // namespace

Matrix calibrated(Matrix logp, double temperature) {
  if (temperature != 1)
    for (Index i = 0; i < logp.rows(); ++i)
      log_softmax(temperature, {logp.row(i), static_cast<std::size_t>(logp.cols())});
  return logp;
}

Matrix mean_answers(std::span<const double> sums, std::span<const int> counts) {
  const std::size_t classes = sums.size() / counts.size();
  Matrix out(static_cast<Index>(counts.size()), static_cast<Index>(classes));
  for (std::size_t i = 0; i < counts.size(); ++i) {
    Real* row = out.row(static_cast<Index>(i));
    for (std::size_t k = 0; k < classes; ++k) row[k] = static_cast<Real>(sums[i * classes + k] / counts[i]);
    log_softmax(1, {row, classes});
  }
  return out;
}

Matrix joint_answers(std::vector<Matrix> members) {
  if (members.size() == 1 || members[0].empty()) return std::move(members[0]);
  std::vector<double> sums(members[0].size(), 0);
  for (const Matrix& m : members)
    for (std::size_t at = 0; at < sums.size(); ++at) sums[at] += m.values()[at];
  return mean_answers(sums,
                      std::vector<int>(static_cast<std::size_t>(members[0].rows()), static_cast<int>(members.size())));
}

}  // namespace gcnh
