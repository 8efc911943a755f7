#include "gcnh/train/stepper.h"

#include <algorithm>

#include "gcnh/base/error.h"
#include "gcnh/kernels/kernels.h"
#include "gcnh/models/model.h"

namespace gcnh {

std::vector<int> labels_of(const std::vector<int>& labels, std::span<const Index> nodes) {
  std::vector<int> out;
  for (Index node : nodes) out.push_back(labels[node]);
  return out;
}

int argmax(const Matrix& m, Index row) {
  const Real* values = m.row(row);
  return static_cast<int>(std::max_element(values, values + m.cols()) - values);
}

Score score(const Matrix& logp, std::span<const int> labels, Metric metric) {
  Index correct = 0;
  for (Index i = 0; i < logp.rows(); ++i) correct += argmax(logp, i) == labels[i];
  const double accuracy = static_cast<double>(correct) / logp.rows();
  return {kernels::nll(logp, labels), accuracy, metric == Metric::accuracy ? accuracy : measure(metric, logp, labels)};
}

NamedMatrices parameters_of(const Model& model) {
  NamedMatrices out;
  copy_parameters(model, out);
  return out;
}

void copy_parameters(const Model& model, NamedMatrices& to) {
  for (const Param& p : model.params()) to[p.name] = p.value;
}

void set_parameters(Model& model, const NamedMatrices& values) {
  for (Param& p : model.params()) {
    const auto found = values.find(p.name);
    require(found != values.end(), "parameter '", p.name, "' is missing");
    require(found->second.same_shape(p.value), "parameter '", p.name, "' is ", found->second.rows(), " x ",
            found->second.cols(), ", the model expects ", p.rows(), " x ", p.cols());
    p.value = found->second;
  }
  require(values.size() == model.params().size(), values.size(), " parameters given, the model has ",
          model.params().size());
}

}  // namespace gcnh
