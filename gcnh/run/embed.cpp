#include "gcnh/run/embed.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "gcnh/base/error.h"
#include "gcnh/io/text.h"
#include "gcnh/run/explain.h"
#include "gcnh/run/pca.h"
#include "gcnh/run/predict.h"

namespace gcnh {
namespace {

std::size_t find_layer(const std::string& name, std::size_t outputs, const std::string& model) {
  const std::size_t hidden = outputs - 1;  // the last one are the logits
  if (name == "logits") return hidden;
  if (name.empty()) return hidden > 0 ? hidden - 1 : hidden;
  const auto number = parse_number<int>(name);
  if (!number || *number < 1 || static_cast<std::size_t>(*number) > hidden)
    fail(Status::usage, "layer: ", quote(name), "; this ", model, " has ",
         hidden == 0   ? "no hidden layer"
         : hidden == 1 ? "hidden layer 1"
                       : join("hidden layers 1 to ", hidden),
         ", and logits");
  return static_cast<std::size_t>(*number - 1);
}

std::vector<std::vector<double>> rows_of(const Matrix& m) {
  std::vector<std::vector<double>> out;
  for (Index i = 0; i < m.rows(); ++i) out.emplace_back(m.row(i), m.row(i) + m.cols());
  return out;
}

void take_components(int count, NodeEmbedding& out) {
  if (count < 1 || count > out.points.cols())
    fail(Status::usage, "components: ", count, "; allowed: 1 to ", out.points.cols(), ", the layer's width");
  const Components found = principal_components(rows_of(out.points), count);
  out.share = found.share;
  out.columns.clear();
  for (int k = 1; k <= count; ++k) out.columns.push_back("pc_" + std::to_string(k));
  out.points = Matrix(out.points.rows(), count);
  for (Index i = 0; i < out.points.rows(); ++i)
    for (Index k = 0; k < count; ++k) out.points(i, k) = static_cast<Real>(found.points[i][k]);
}

std::vector<int> answers_of_all_nodes(const TrainedModel& model, const Dataset& dataset) {
  std::vector<Index> nodes(dataset.num_nodes());
  std::iota(nodes.begin(), nodes.end(), 0);
  return decided_answers(model, predict(model, dataset, nodes));
}

}  // namespace

NodeEmbedding embed(const TrainedModel& model, const Dataset& dataset, const std::string& layer, int components) {
  std::vector<Matrix> outputs = layer_outputs(model, dataset);
  const std::size_t chosen = find_layer(layer, outputs.size(), model.model);
  const bool is_logits = chosen + 1 == outputs.size();
  NodeEmbedding out;
  out.points = std::move(outputs[chosen]);
  for (Index u = 0; u < out.points.rows(); ++u)
    require(
        std::all_of(out.points.row(u), out.points.row(u) + out.points.cols(), [](Real x) { return std::isfinite(x); }),
        dataset.name, ": the model has no finite numbers for node ", quote(dataset.id(u)),
        "; its features are far from those of training");
  out.answers = answers_of_all_nodes(model, dataset);
  for (Index k = 0; k < out.points.cols(); ++k)
    out.columns.push_back(is_logits ? "logit_" + dataset.classes[k] : "e_" + std::to_string(k));
  if (components != 0) take_components(components, out);
  return out;
}

std::vector<Similar> most_similar(const Matrix& points, Index node, std::size_t count) {
  require(node >= 0 && node < points.rows(), "node ", node, " outside 0..", points.rows() - 1);
  const auto product = [&](Index a, Index b) {
    double sum = 0;
    for (Index k = 0; k < points.cols(); ++k)
      sum += static_cast<double>(points(a, k)) * static_cast<double>(points(b, k));
    return sum;
  };
  std::vector<Similar> out;
  const double own = product(node, node);
  for (Index v = 0; v < points.rows(); ++v) {
    const double lengths = std::sqrt(own * product(v, v));
    if (v != node) out.push_back({v, lengths > 0 ? product(node, v) / lengths : 0});
  }
  std::stable_sort(out.begin(), out.end(),
                   [](const Similar& a, const Similar& b) { return a.similarity > b.similarity; });
  out.resize(std::min(out.size(), count));
  return out;
}

}  // namespace gcnh
