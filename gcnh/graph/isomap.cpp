// Landmark Isomap. With D2 the squared path lengths between landmarks and J = I - 11'/l, the two largest eigenpairs
// (lambda, v) of B = -J D2 J / 2 place the landmarks at sqrt(lambda) v. Any node with squared lengths d2 to the
// landmarks goes to -v' (d2 - mean of D2) / (2 sqrt(lambda)), which for a landmark is the same place.
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "gcnh/base/random.h"
#include "gcnh/graph/embedding.h"

namespace gcnh {
namespace {

constexpr Index kMostLandmarks = 256;
constexpr std::uint64_t kLandmarkSeed = 2003;
constexpr double kSmallEigenvalue = 1e-9;  // relative to the largest: below it an axis holds rounding errors only
constexpr Index kUnreached = -1;

// Breadth-first search that keeps its memory from start to start.
class PathLengths {
 public:
  explicit PathLengths(const Csr& graph) : graph_(graph), length_(graph.rows) {}

  // Number of edges to every node; kUnreached where no path leads.
  const std::vector<Index>& from(Index start) {
    std::fill(length_.begin(), length_.end(), kUnreached);
    length_[start] = 0;
    queue_ = {start};
    for (std::size_t next = 0; next < queue_.size(); ++next) {
      const Index u = queue_[next];
      for (Index v : graph_.row(u)) {
        if (length_[v] != kUnreached) continue;
        length_[v] = length_[u] + 1;
        queue_.push_back(v);
      }
    }
    return length_;
  }

 private:
  const Csr& graph_;
  std::vector<Index> length_;
  std::vector<Index> queue_;
};

// All nodes of a small graph, an even sample of a large one.
std::vector<Index> choose_landmarks(Index num_nodes) {
  std::vector<Index> nodes(num_nodes);
  std::iota(nodes.begin(), nodes.end(), 0);
  if (num_nodes <= kMostLandmarks) return nodes;
  shuffle(nodes, Rng(kLandmarkSeed));
  nodes.resize(kMostLandmarks);
  return nodes;
}

// Turns path lengths into squares, with a finite length for nodes in different components.
struct Squared {
  Index far = 0;
  double operator()(Index length) const {
    const double d = length == kUnreached ? far : length;
    return d * d;
  }
};

}  // namespace

Embedding isomap(const Csr& graph) {
  const std::vector<Index> landmarks = choose_landmarks(graph.rows);
  const auto count = static_cast<Index>(landmarks.size());
  PathLengths lengths(graph);
  Squared squared;
  Eigen::MatrixXd between(count, count);
  for (Index i = 0; i < count; ++i) {
    const std::vector<Index>& length = lengths.from(landmarks[i]);
    squared.far = std::max(squared.far, *std::max_element(length.begin(), length.end()) + 1);
    for (Index j = 0; j < count; ++j) between(i, j) = length[landmarks[j]];
  }
  between = between.unaryExpr([&](double length) { return squared(static_cast<Index>(length)); });

  // B = -J D2 J / 2
  const Eigen::VectorXd mean = between.rowwise().mean();
  Eigen::MatrixXd b = between.colwise() - mean;
  b.rowwise() -= mean.transpose();
  b.array() += mean.mean();
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(b * -0.5);

  // weights = -v / (2 sqrt(lambda)), one column per axis; an axis without extent stays 0
  Eigen::MatrixX2d weights = Eigen::MatrixX2d::Zero(count, 2);
  const double largest = solver.eigenvalues()(count - 1);
  for (Index axis = 0; axis < std::min<Index>(2, count); ++axis) {
    const double lambda = solver.eigenvalues()(count - 1 - axis);
    if (lambda > kSmallEigenvalue * largest)
      weights.col(axis) = solver.eigenvectors().col(count - 1 - axis) * (-0.5 / std::sqrt(lambda));
  }
  Embedding out{Geometry::plane, std::vector<Point>(graph.rows)};
  for (Index i = 0; i < count; ++i) {
    const std::vector<Index>& length = lengths.from(landmarks[i]);
    for (Index u = 0; u < graph.rows; ++u) {
      const double d2 = squared(length[u]) - mean(i);
      out.points[u].x += weights(i, 0) * d2;
      out.points[u].y += weights(i, 1) * d2;
    }
  }
  return out;
}

}  // namespace gcnh
