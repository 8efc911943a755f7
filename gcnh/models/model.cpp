#include "gcnh/models/model.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace gcnh {
namespace {

thread_local std::size_t limit_of_thread = std::numeric_limits<std::size_t>::max();

}  // namespace

ParameterLimit::ParameterLimit(std::size_t numbers) : previous_(std::exchange(limit_of_thread, numbers)) {}
ParameterLimit::~ParameterLimit() { limit_of_thread = previous_; }

Matrix Mix::weights(Index k) const {
  Matrix b(1, k, fixed);
  for (Index j = 0; theta && j < k; ++j) {
    const auto at = [&](Index c) { return theta->value(c, theta->cols() == 1 ? 0 : j); };
    Real others = theta->rows() == 1 ? std::exp(-at(0)) : 0;  // beside 1 for the first part
    for (Index c = 1; c < theta->rows(); ++c) others += std::exp(at(c) - at(0));
    b(0, j) = 1 / (1 + others);
  }
  return b;
}

std::unique_ptr<Stepper> Model::fast_stepper(const StepOptions&, std::string& obstacle) {
  obstacle = "this model has no fused step";
  return nullptr;
}

void Model::require_room(std::size_t numbers) const {
  require(numbers <= limit_of_thread - std::min(limit_of_thread, num_parameters_), "more than ",
          counted(static_cast<std::int64_t>(limit_of_thread), "number"), " to train");
}

Param& Model::new_param(const std::string& name, Index rows, Index cols) {
  const std::size_t numbers = static_cast<std::size_t>(rows) * static_cast<std::size_t>(cols);
  require_room(numbers);
  num_parameters_ += numbers;
  return params_.emplace_back(name, rows, cols);
}

Param* Model::add_param(const std::string& name, Index rows, Index cols, double bound) {
  const Rng stream = next_stream();
  Param& p = new_param(name, rows, cols);
  for (std::size_t i = 0; i < p.value.size(); ++i)
    p.value.values()[i] = static_cast<Real>(bound * (2 * stream.uniform(i) - 1));
  return &p;
}

Param* Model::add_normal_param(const std::string& name, Index rows, Index cols, double deviation) {
  const Rng stream = next_stream();
  Param& p = new_param(name, rows, cols);
  for (std::size_t i = 0; i < p.value.size(); ++i)
    p.value.values()[i] = static_cast<Real>(deviation * stream.normal(i));
  return &p;
}

std::vector<Model::Shape> Model::stack(int layers, Index hidden) const {
  std::vector<Shape> out;
  for (int l = 0; l < layers; ++l)
    out.push_back({"layers." + std::to_string(l), l == 0 ? dataset_.features.cols() : hidden,
                   l + 1 == layers ? dataset_.num_classes() : hidden});
  return out;
}

std::vector<Model::Shape> Model::stack(int layers, Index hidden, Head head) const {
  std::vector<Shape> out = stack(layers, hidden);
  if (head != Head::none) out.back().out = hidden;
  return out;
}

Linear Model::add_head(Head head, int layers, Index width) {
  const Index in = head == Head::concat ? layers * width : width;
  return head == Head::none ? Linear{} : add_linear("classifier", in, dataset_.num_classes(), in);
}

Linear Model::add_linear(const std::string& name, Index in, Index out, Index fan) {
  const double bound = 1 / std::sqrt(static_cast<double>(fan));
  Param* weight = add_param(name + ".weight", in, out, bound);
  return {weight, add_param(name + ".bias", 1, out, bound)};
}

Index Model::side_by_side(Index matrices, Index width) const {
  require_room(static_cast<std::size_t>(matrices) * static_cast<std::size_t>(width));
  return matrices * width;
}

Shortcut Model::add_shortcut(const std::string& name, Residual kind, Index in, Index out) {
  return kind == Residual::linear ? Shortcut{kind, add_linear(name, in, out, in)} : Shortcut{kind};
}

Normalizer Model::add_norm(const std::string& name, Norm kind, Index width) {
  const auto filled = [&](const char* part, Real value) {
    Param* out = add_param(name + part, 1, width, 0);
    out->value.fill(value);
    return out;
  };
  Normalizer out{kind};
  if (kind == Norm::none || kind == Norm::l2) return out;
  out.scale = filled(".weight", 1);
  out.shift = filled(".bias", 0);
  if (kind == Norm::layer) return out;
  out.mean = filled(".mean", 0);
  out.variance = filled(".variance", 1);
  out.mean->is_running = out.variance->is_running = true;
  return out;
}

// A part does not know the means of columns.
std::string trimmings_that_need_whole(const OptionValues& values) {
  return values.at("norm") == "batch" ? " with norm batch; take another norm" : "";
}

View view_from(const ModelType& type, OptionValues values) {
  if (const auto word = values.find("direction"); word != values.end()) {
    if (word->second == "undirected") word->second = "both";
    if (word->second == "directed") word->second = type.rows_list_receivers ? "in" : "out";
  }
  View out;
  assign(out, values);
  return out;
}

Dataset make_dataset_for(const ModelType& type, const OptionValues& options, Tables tables, const View& view) {
  using Direction = View::Direction;
  View rows = view;
  if (type.rows_list_receivers && view.direction == Direction::in) rows.direction = Direction::out;
  if (type.rows_list_receivers && view.direction == Direction::out) rows.direction = Direction::in;
  Dataset out = make_dataset(std::move(tables), rows);
  if (type.derive) out.derived = type.derive(options, out);
  return out;
}

bool derives_alike(const ModelType& type, const OptionValues& a, const OptionValues& b) {
  const auto same = [&](const std::string& option) { return a.at(option) == b.at(option); };
  return std::all_of(type.derive_options.begin(), type.derive_options.end(), same);
}

}  // namespace gcnh
