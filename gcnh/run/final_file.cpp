#include "gcnh/run/final_file.h"

#include <algorithm>
#include <cmath>

#include "gcnh/base/error.h"
#include "gcnh/graph/content_hash.h"
#include "gcnh/io/json.h"
#include "gcnh/run/schema_json.h"

namespace gcnh {
namespace {

using SortedJson = nlohmann::json;

constexpr const char* kKnown = "known.ids";
constexpr const char* kScores = "decision.scores";
constexpr std::uint64_t kHalf = 1 << 24;  // the whole numbers below are exact in a float

std::string prefix_of(std::size_t member) { return "member." + std::to_string(member) + "."; }

// A hash of 48 bits as two numbers.
Matrix halves_of(const std::vector<std::uint64_t>& hashes) {
  Matrix out(static_cast<Index>(hashes.size()), 2);
  for (std::size_t i = 0; i < hashes.size(); ++i) {
    out(static_cast<Index>(i), 0) = static_cast<Real>(hashes[i] / kHalf);
    out(static_cast<Index>(i), 1) = static_cast<Real>(hashes[i] % kHalf);
  }
  return out;
}

std::vector<std::uint64_t> whole_of(const Matrix& halves, const std::string& where) {
  require(halves.cols() == 2, where, ": tensor '", kKnown, "' has ", halves.cols(), " columns, not 2");
  std::vector<std::uint64_t> out;
  for (Index i = 0; i < halves.rows(); ++i) {
    for (Real half : {halves(i, 0), halves(i, 1)})
      require(half >= 0 && half < static_cast<Real>(kHalf) && half == std::floor(half), where, ": tensor '", kKnown,
              "' holds ", half, "; half a hash is a whole number below ", kHalf);
    out.push_back(static_cast<std::uint64_t>(halves(i, 0)) * kHalf + static_cast<std::uint64_t>(halves(i, 1)));
  }
  require(std::is_sorted(out.begin(), out.end()), where, ": tensor '", kKnown, "' is not ascending");
  return out;
}

Index count_in(const SortedJson& j, const char* key, int least, const std::string& where) {
  const SortedJson& count = j.at(key);
  require(count.is_number_integer() && count >= least && count < std::numeric_limits<Index>::max(), where, ": ", key,
          " ", count.dump());
  return count.get<Index>();
}

SortedJson decision_json(const Decision& d) {
  SortedJson out = {{"temperature", d.temperature}, {"level", d.level}};
  if (!d.weights.empty()) out["weights"] = d.weights;
  for (Index k = 0; k < d.costs.rows(); ++k)
    out["costs"].push_back(std::vector<double>(d.costs.row(k), d.costs.row(k) + d.costs.cols()));
  return out;
}

Matrix costs_from(const SortedJson& rows, std::size_t num_classes, const std::string& where) {
  Matrix out(static_cast<Index>(num_classes), static_cast<Index>(num_classes));
  require(rows.size() == num_classes, where, ": costs of ", rows.size(), " classes, the model has ", num_classes);
  for (std::size_t k = 0; k < num_classes; ++k) {
    require(rows[k].size() == num_classes, where, ": costs: row ", k, " has ", rows[k].size(), " numbers");
    for (std::size_t j = 0; j < num_classes; ++j)
      out(static_cast<Index>(k), static_cast<Index>(j)) = rows[k][j].get<Real>();
  }
  return out;
}

Decision decision_from(const SortedJson& j, const Matrix& scores, std::size_t num_classes, const std::string& where) {
  Decision out;
  j.at("temperature").get_to(out.temperature);
  j.at("level").get_to(out.level);
  if (j.contains("weights")) j.at("weights").get_to(out.weights);
  if (j.contains("costs")) out.costs = costs_from(j.at("costs"), num_classes, where);
  out.scores.assign(scores.values().begin(), scores.values().end());
  check_decision(out, num_classes, where);
  return out;
}

// The tensors of member N are those of its name, of which there is at least one.
NamedMatrices take_member(Tensors& file, std::size_t number, const std::string& where) {
  const std::string prefix = prefix_of(number);
  NamedMatrices out;
  for (auto at = file.matrices.lower_bound(prefix); at != file.matrices.end() && at->first.starts_with(prefix);) {
    out[at->first.substr(prefix.size())] = std::move(at->second);
    at = file.matrices.erase(at);
  }
  require(!out.empty(), where, ": gcnh.final: no tensors of member ", number);
  return out;
}

void take_members(Tensors& file, const SortedJson& j, const std::string& where, TrainedModel& model) {
  const Index count = count_in(j, "members", 1, where);
  const bool has_columns = count > 1 && !model.schema.columns.empty();
  require(!has_columns || j.at("schemas").size() + 1 == static_cast<std::size_t>(count), where,
          ": as many schemas as members are needed");
  for (Index i = 1; i < count; ++i) {
    Member member;
    member.parameters = take_member(file, static_cast<std::size_t>(i), where);
    if (has_columns)
      member.schema = schema_from(j.at("schemas").at(static_cast<std::size_t>(i - 1)), member.parameters, where);
    model.others.push_back(std::move(member));
  }
}

}  // namespace

nlohmann::json metadata_json(const Tensors& file, const std::string& where, const char* key) {
  const auto found = file.metadata.find(key);
  require(found != file.metadata.end(), where, ": not a model of gcnh: metadata key '", key, "' is missing");
  const std::string place = join(where, ": metadata key '", key, "'");
  try {
    return parse_json<SortedJson>(found->second, place);
  } catch (const SortedJson::parse_error&) {
    fail(Status::data, place, " is not JSON");
  }
}

Matrix take_tensor(Tensors& file, const std::string& name) {
  auto node = file.matrices.extract(name);
  return node ? std::move(node.mapped()) : Matrix();
}

std::vector<std::uint64_t> id_hashes(const Dataset& d) {
  std::vector<std::uint64_t> out;
  for (const std::string& id : d.ids) out.push_back(text_hash(id) % (kHalf * kHalf));
  std::sort(out.begin(), out.end());
  return out;
}

bool TrainedModel::knows(const Dataset& d, Index node) const {
  check_nodes(d, std::span(&node, 1));
  if (d.ids.empty() || known_ids.empty()) return d.ids.empty() == known_ids.empty() && node < known_nodes;
  return std::binary_search(known_ids.begin(), known_ids.end(), text_hash(d.ids[node]) % (kHalf * kHalf));
}

void add_final(const TrainedModel& model, Tensors& file) {
  file.metadata["gcnh.format"] = "3";
  SortedJson j = {{"kind", to_word(*model.final)},
            {"epochs", model.epochs},
            {"labels", model.labels},
            {"nodes", model.known_nodes},
            {"members", 1 + model.others.size()}};
  for (std::size_t i = 0; i < model.others.size(); ++i) {
    for (const auto& [name, matrix] : model.others[i].parameters) file.matrices[prefix_of(i + 1) + name] = matrix;
    if (!model.schema.columns.empty()) j["schemas"].push_back(schema_json(model.others[i].schema));
  }
  file.metadata["gcnh.final"] = j.dump();
  if (!model.known_ids.empty()) file.matrices[kKnown] = halves_of(model.known_ids);
  if (!model.decision) return;
  file.metadata["gcnh.decision"] = decision_json(*model.decision).dump();
  if (!model.decision->has_sets()) return;
  Matrix scores(1, static_cast<Index>(model.decision->scores.size()));
  std::copy(model.decision->scores.begin(), model.decision->scores.end(), scores.data());
  file.matrices[kScores] = std::move(scores);
}

void take_final(Tensors& file, const std::string& where, TrainedModel& model) {
  const SortedJson j = metadata_json(file, where, "gcnh.final");
  const std::string place = where + ": gcnh.final";
  FinalKind kind{};
  parse_text("gcnh.final: kind", j.at("kind").get<std::string>(), kind);
  model.final = kind;
  model.epochs = count_in(j, "epochs", 1, place);
  model.labels = count_in(j, "labels", 1, place);
  model.known_nodes = count_in(j, "nodes", 1, place);
  if (const Matrix halves = take_tensor(file, kKnown); !halves.empty()) model.known_ids = whole_of(halves, where);
  const Matrix scores = take_tensor(file, kScores);
  if (file.metadata.contains("gcnh.decision"))
    model.decision = decision_from(metadata_json(file, where, "gcnh.decision"), scores, model.classes.size(),
                                   where + ": gcnh.decision");
  take_members(file, j, place, model);
  require(kind == FinalKind::ensemble || model.others.empty(), place, ": a refit of ", 1 + model.others.size(),
          " members; it has 1");
}

}  // namespace gcnh
