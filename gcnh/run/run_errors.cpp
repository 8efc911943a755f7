#include "gcnh/run/run_errors.h"

#include <algorithm>
#include <cmath>

#include "gcnh/base/parallel.h"
#include "gcnh/explain/explain.h"
#include "gcnh/io/file.h"
#include "gcnh/io/json.h"
#include "gcnh/run/account_json.h"
#include "gcnh/run/split_data.h"
#include "gcnh/train/stepper.h"

namespace gcnh {
namespace {

using json = nlohmann::ordered_json;

constexpr Offset kMostEntries = 5'000'000;
constexpr std::size_t kNodesTold = 8;  // besides the one itself, and features of each

// Rows of wrong answers, the surest first.
std::vector<Index> surest_errors(const Matrix& logp, const std::vector<int>& labels) {
  std::vector<Index> out;
  for (Index i = 0; i < logp.rows(); ++i)
    if (labels[i] >= 0 && argmax(logp, i) != labels[i]) out.push_back(i);
  std::stable_sort(out.begin(), out.end(),
                   [&](Index a, Index b) { return logp(a, argmax(logp, a)) > logp(b, argmax(logp, b)); });
  return out;
}

bool is_finite(const Account& a) {
  return std::all_of(a.remainder.begin(), a.remainder.end(), [](double x) { return std::isfinite(x); });
}

}  // namespace

std::string errors_json(const Experiment& e, const RunResult& result, const Answers& answers, std::size_t count) {
  const SplitOutcome& kept = result.best();
  const std::vector<Index>& nodes = e.dataset->splits[kept.split].test;
  json out = {{"split", kept.split}, {"errors", json::array()}};
  if (e.dataset->num_classes() >= 2 && !nodes.empty()) {
    Pool pool(e.threads);
    const PoolScope scope(&pool);
    const auto data = split_dataset(e, kept.split);
    const Matrix logp = answers(kept, nodes);
    std::vector<Index> errors = surest_errors(logp, labels_of(data->labels, nodes));
    errors.resize(data->features.nonzeros() > kMostEntries ? 0 : std::min(errors.size(), count));
    const auto model = find_model_type(e.model).make(*data, e.model_options, Rng(0));
    set_parameters(*model, kept.weights);
    const auto explainer = make_explainer(*model);
    for (Index i : errors) {
      const std::span<const Real> row(logp.row(i), logp.cols());
      const Account account =
          make_account(*explainer, *data, nodes[i], row, {std::nullopt, data->labels[nodes[i]], kNodesTold, true});
      if (is_finite(account)) out["errors"].push_back(account_json(account));
    }
  }
  return out.dump(1, ' ', false, json::error_handler_t::replace) + "\n";
}

std::vector<Account> read_errors(const std::filesystem::path& path) {
  const json j = parse_json<json>(read_file(path), path.string());
  std::vector<Account> out;
  for (const json& error : j.at("errors")) out.push_back(account_from(error, path.string()));
  return out;
}

}  // namespace gcnh
