#include "gcnh/run/node_answers.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>

#include "gcnh/base/parallel.h"
#include "gcnh/io/csv_write.h"
#include "gcnh/io/npy.h"
#include "gcnh/train/stepper.h"

namespace gcnh {
namespace {

using json = nlohmann::ordered_json;

double probability(const NodeAnswers& a, std::size_t i, int k) {
  return std::exp(static_cast<double>(a.logp(static_cast<Index>(i), k)));
}

// The classes that are told of: all, or the most probable first.
std::vector<int> told_classes(const NodeAnswers& a, std::size_t i) {
  std::vector<int> out(a.request.model.get().classes.size());
  std::iota(out.begin(), out.end(), 0);
  if (a.request.top == 0) return out;
  const Real* row = a.logp.row(static_cast<Index>(i));
  std::stable_sort(out.begin(), out.end(), [&](int x, int y) { return row[x] > row[y]; });
  out.resize(std::min(out.size(), static_cast<std::size_t>(a.request.top)));
  return out;
}

std::string csv_header(const NodeAnswers& a) {
  std::string out = "id,predicted";
  const std::vector<std::string>& classes = a.request.model.get().classes;
  const std::size_t top = std::min(classes.size(), static_cast<std::size_t>(a.request.top));
  for (std::size_t k = 1; k <= top; ++k) out += fmt::format(",class_{},p_{}", k, k);
  if (top == 0)
    for (const std::string& name : classes) out += "," + csv_field("p_" + name);
  return out + (a.request.model.get().decision ? ",set,status\n" : "\n");
}

// Names behind each other; one that holds the separator is quoted as in CSV.
std::string listed(const std::vector<std::string>& names) {
  std::string out;
  for (std::string name : names) {
    if (name.find_first_of(";\"") != std::string::npos) {
      for (std::size_t at = 0; (at = name.find('"', at)) != std::string::npos; at += 2) name.insert(at, "\"");
      name = "\"" + name + "\"";
    }
    out += (out.empty() ? "" : ";") + name;
  }
  return out;
}

std::vector<std::string> names_of(const NodeAnswers& a, const std::vector<int>& set) {
  std::vector<std::string> out;
  for (int k : set) out.push_back(a.request.model.get().classes[static_cast<std::size_t>(k)]);
  return out;
}

// As many digits as CSV has.
double rounded(double p) { return std::round(p * 1e6) / 1e6; }

}  // namespace

NodeAnswers answer(const AnswerRequest& request) {
  Pool pool(request.threads);
  const PoolScope scope(&pool);
  NodeAnswers out{request, predict(request.model, request.dataset, request.nodes), {}, {}, {}, 0};
  const std::optional<Decision>& decision = request.model.get().decision;
  const double level = request.level > 0 || !decision ? request.level : decision->level;
  const double bound = decision && decision->has_sets() ? set_bound(*decision, level) : 0;
  for (std::size_t i = 0; i < request.nodes.size(); ++i) {
    const Index row = static_cast<Index>(i);
    out.predicted.push_back(decision ? decide(*decision, out.logp, row) : argmax(out.logp, row));
    if (request.abstain > 0 && probability(out, i, out.predicted[i]) < request.abstain) {
      out.predicted[i] = -1;
      ++out.abstained;
    }
    if (!decision) continue;
    out.sets.push_back(decision->has_sets() ? set_of(bound, out.logp, row) : std::vector<int>());
    out.status.push_back(node_status(request.model, request.dataset, request.unseen, request.nodes[i]));
  }
  return out;
}

std::string to_csv(const NodeAnswers& a) {
  std::string out = csv_header(a);
  const std::vector<std::string>& classes = a.request.model.get().classes;
  for (std::size_t i = 0; i < a.predicted.size(); ++i) {
    out += csv_field(a.request.dataset.get().id(a.request.nodes[i])) + "," +
           (a.predicted[i] < 0 ? "" : csv_field(classes[static_cast<std::size_t>(a.predicted[i])]));
    for (int k : told_classes(a, i)) {
      if (a.request.top > 0) out += "," + csv_field(classes[static_cast<std::size_t>(k)]);
      out += fmt::format(",{:.6f}", probability(a, i, k));
    }
    if (!a.status.empty())
      out += "," + csv_field(listed(names_of(a, a.sets[i]))) + "," + csv_field(listed(a.status[i]));
    out += "\n";
  }
  return out;
}

std::string to_jsonl(const NodeAnswers& a) {
  std::string out;
  const std::vector<std::string>& classes = a.request.model.get().classes;
  const auto name = [&](int k) { return k < 0 ? json() : json(classes[static_cast<std::size_t>(k)]); };
  for (std::size_t i = 0; i < a.predicted.size(); ++i) {
    json line = {{"id", a.request.dataset.get().id(a.request.nodes[i])},
                 {"predicted", name(a.predicted[i])},
                 {"p", json::object()}};
    for (int k : told_classes(a, i)) line["p"][classes[static_cast<std::size_t>(k)]] = rounded(probability(a, i, k));
    if (!a.status.empty()) {
      line["set"] = names_of(a, a.sets[i]);
      line["status"] = a.status[i];
    }
    out += line.dump(-1, ' ', false, json::error_handler_t::replace) + "\n";
  }
  return out;
}

std::string to_npy(const NodeAnswers& a) {
  std::vector<float> shares;
  for (Real value : a.logp.values()) shares.push_back(static_cast<float>(std::exp(static_cast<double>(value))));
  return format_npy(make_npy(std::span<const float>(shares), {a.logp.rows(), a.logp.cols()}));
}

}  // namespace gcnh
