// Notation: E edges; m[k][l] edge ends of class k whose other end is of class l, every edge seen from both ends, so
// that the m add up to 2E; D[k] = sum over l of m[k][l], the degrees of class k.
#include "gcnh/graph/homophily.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "gcnh/graph/adjacency.h"

namespace gcnh {
namespace {

constexpr double kUndefined = std::numeric_limits<double>::quiet_NaN();

double ratio(double part, double whole) { return whole == 0 ? kUndefined : part / whole; }

// The m and D above.
struct Ends {
  std::vector<std::vector<double>> m;
  std::vector<double> degree;
  double total = 0;  // 2E
};

Ends count_ends(const Csr& graph, const Dataset& data) {
  const std::size_t num_classes = data.classes.size();
  Ends ends{std::vector(num_classes, std::vector<double>(num_classes)), std::vector<double>(num_classes), 0};
  for (Index u = 0; u < graph.rows; ++u) {
    for (Index v : graph.row(u)) {
      if (data.labels[u] >= 0 && data.labels[v] >= 0) ends.m[data.labels[u]][data.labels[v]] += 1;
    }
  }
  for (std::size_t k = 0; k < num_classes; ++k) {
    for (double count : ends.m[k]) ends.degree[k] += count;
    ends.total += ends.degree[k];
  }
  return ends;
}

std::vector<double> same_class_shares(const Csr& graph, const std::vector<int>& labels) {
  std::vector<double> out(graph.rows, kUndefined);
  for (Index u = 0; u < graph.rows; ++u) {
    if (labels[u] < 0) continue;
    double labelled = 0, same = 0;
    for (Index v : graph.row(u)) {
      labelled += labels[v] >= 0 ? 1 : 0;
      same += labels[v] == labels[u] ? 1 : 0;
    }
    out[u] = ratio(same, labelled);
  }
  return out;
}

// Share of the edges within one class. Zhu et al., NeurIPS 2020, arXiv:2006.11468.
double edge_measure(const Ends& ends) {
  double same = 0;
  for (std::size_t k = 0; k < ends.m.size(); ++k) same += ends.m[k][k];
  return ratio(same, ends.total);
}

// Mean over the nodes with labelled neighbours of the share that has the node's class. Pei et al., ICLR 2020,
// arXiv:2002.05287.
double node_measure(const std::vector<double>& shares) {
  double sum = 0, count = 0;
  for (double share : shares) {
    if (std::isnan(share)) continue;
    sum += share;
    count += 1;
  }
  return ratio(sum, count);
}

// 1/(C-1) sum_k max(0, m[k][k]/D[k] - n_k/n): how far classes exceed what random edges would give, blind to class
// sizes. Lim et al., NeurIPS 2021, arXiv:2110.14446.
double class_insensitive_measure(const Ends& ends, const std::vector<int>& labels) {
  std::vector<double> size(ends.m.size());
  double labelled = 0;
  for (int label : labels) {
    if (label < 0) continue;
    size[label] += 1;
    labelled += 1;
  }
  if (ends.total == 0) return kUndefined;
  double sum = 0;
  for (std::size_t k = 0; k < ends.m.size(); ++k) {
    if (ends.degree[k] > 0) sum += std::max(0.0, ends.m[k][k] / ends.degree[k] - size[k] / labelled);
  }
  return ratio(sum, static_cast<double>(ends.m.size()) - 1);
}

// (h_edge - s) / (1 - s) with s = sum_k D[k]^2 / (2E)^2, the edge homophily expected when edges are rewired at random
// with the degrees kept. Platonov et al., NeurIPS 2023, arXiv:2209.06177.
double adjusted_measure(const Ends& ends) {
  double expected = 0;
  for (double degree : ends.degree) expected += std::pow(ratio(degree, ends.total), 2);
  return ratio(edge_measure(ends) - expected, 1 - expected);
}

double entropy_term(double p) { return p > 0 ? -p * std::log(p) : 0; }

// LI = 2 - H(m / 2E) / H(D / 2E): what the class at one end of an edge tells about the class at the other, as a share
// of all there is to tell. Platonov et al., NeurIPS 2023, arXiv:2209.06177.
double informativeness_measure(const Ends& ends) {
  if (ends.total == 0) return kUndefined;
  double joint = 0, single = 0;
  for (std::size_t k = 0; k < ends.m.size(); ++k) {
    for (double count : ends.m[k]) joint += entropy_term(count / ends.total);
    single += entropy_term(ends.degree[k] / ends.total);
  }
  return 2 - ratio(joint, single);
}

}  // namespace

Homophily measure_homophily(const Dataset& data) {
  const Csr graph = simple_graph(data.adjacency);
  const Ends ends = count_ends(graph, data);
  return {edge_measure(ends), node_measure(same_class_shares(graph, data.labels)),
          class_insensitive_measure(ends, data.labels), adjusted_measure(ends), informativeness_measure(ends)};
}

std::vector<double> node_homophily(const Dataset& data) {
  return same_class_shares(simple_graph(data.adjacency), data.labels);
}

Matrix class_compatibility(const Dataset& data) {
  const Ends ends = count_ends(simple_graph(data.adjacency), data);
  Matrix out(data.num_classes(), data.num_classes());
  for (Index k = 0; k < out.rows(); ++k) {
    if (ends.degree[k] == 0) continue;
    for (Index l = 0; l < out.cols(); ++l) out(k, l) = static_cast<Real>(ends.m[k][l] / ends.degree[k]);
  }
  return out;
}

Degrees measure_degrees(const Dataset& data) {
  const Csr graph = simple_graph(data.adjacency);
  std::vector<Index> degrees(graph.rows);
  for (Index u = 0; u < graph.rows; ++u) degrees[u] = static_cast<Index>(graph.row(u).size());
  if (degrees.empty()) return {};
  std::sort(degrees.begin(), degrees.end());
  const std::size_t n = degrees.size();
  const auto isolated = std::upper_bound(degrees.begin(), degrees.end(), 0) - degrees.begin();
  return {degrees.front(), static_cast<double>(graph.nnz()) / static_cast<double>(n),
          (degrees[(n - 1) / 2] + degrees[n / 2]) / 2.0, degrees.back(), static_cast<Index>(isolated)};
}

Weights measure_weights(const Dataset& data) {
  const Csr& a = data.adjacency;
  if (a.nnz() == 0) return {};
  double sum = 0;
  Real min = a.value(0), max = min;
  for (Offset e = 0; e < a.nnz(); ++e) {
    sum += static_cast<double>(a.value(e));
    min = std::min(min, a.value(e));
    max = std::max(max, a.value(e));
  }
  return {static_cast<double>(min), sum / static_cast<double>(a.nnz()), static_cast<double>(max)};
}

}  // namespace gcnh
