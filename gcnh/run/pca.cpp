#include "gcnh/run/pca.h"

#include <Eigen/Eigenvalues>

namespace gcnh {

Components principal_components(const std::vector<std::vector<double>>& rows, int wanted) {
  Components out;
  out.share.assign(static_cast<std::size_t>(wanted), 0);
  if (rows.empty() || rows[0].empty()) return out;
  const auto count = static_cast<Eigen::Index>(rows.size()), width = static_cast<Eigen::Index>(rows[0].size());
  Eigen::MatrixXd x(count, width);
  for (Eigen::Index i = 0; i < count; ++i)
    x.row(i) = Eigen::Map<const Eigen::RowVectorXd>(rows[static_cast<std::size_t>(i)].data(), width);
  x.rowwise() -= x.colwise().mean();
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(x.transpose() * x);
  const double total = solver.eigenvalues().cwiseMax(0).sum();
  out.points.assign(rows.size(), std::vector<double>(out.share.size()));
  for (int axis = 0; axis < wanted && axis < width; ++axis) {
    Eigen::VectorXd direction = solver.eigenvectors().col(width - 1 - axis);  // eigenvalues ascend
    Eigen::Index largest = 0;
    direction.cwiseAbs().maxCoeff(&largest);
    if (direction(largest) < 0) direction = -direction;
    const Eigen::VectorXd along = x * direction;
    for (Eigen::Index i = 0; i < count; ++i) out.points[static_cast<std::size_t>(i)][axis] = along(i);
    out.share[axis] = total > 0 ? std::max(0.0, solver.eigenvalues()(width - 1 - axis)) / total : 0;
  }
  return out;
}

}  // namespace gcnh
