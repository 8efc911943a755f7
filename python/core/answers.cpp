#include "python/core/answers.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <numeric>
#include <optional>

namespace gcnh::python {
namespace {

// The graph as the model takes it.
struct FittedGraph {
  Dataset dataset;
  std::vector<Index> unseen;  // nodes with values that training had not
  std::vector<Index> rows;    // by node of the graph, its number in the dataset; -1: the model's view takes it out

  std::vector<Index> nodes() const {
    std::vector<Index> out(dataset.num_nodes());
    std::iota(out.begin(), out.end(), 0);
    return out;
  }
};

FittedGraph fit_graph(const Model& model, const Graph& g) {
  FittedGraph out;
  out.dataset = fit_to_model(model.trained, *g.tables, nullptr, &out.unseen);
  const bool is_whole = out.dataset.num_nodes() == g.tables->num_nodes();
  Index next = 0;
  for (int label : g.tables->labels) out.rows.push_back(is_whole || label >= 0 ? next++ : -1);
  return out;
}

// A row per node of the graph.
Matrix with_all_rows(const FittedGraph& fitted, Matrix found) {
  const auto all = static_cast<Index>(fitted.rows.size());
  if (found.rows() == all) return found;
  Matrix out(all, found.cols(), std::numeric_limits<Real>::quiet_NaN());
  for (Index u = 0; u < all; ++u)
    if (const Index row = fitted.rows[u]; row >= 0) std::copy_n(found.row(row), found.cols(), out.row(u));
  return out;
}

template <class T>
std::vector<T> with_all_rows(const FittedGraph& fitted, const std::vector<T>& found, const T& none) {
  std::vector<T> out;
  for (Index row : fitted.rows) out.push_back(row < 0 ? none : found[static_cast<std::size_t>(row)]);
  return out;
}

// Some nodes at a time, so that Ctrl-C need not wait for all of them.
std::vector<Account> explain_watched(const TrainedModel& model, const Dataset& d, std::span<const Index> rows,
                                     const ExplainOptions& options) {
  constexpr std::size_t kAtATime = 32;
  std::vector<Account> out;
  for (std::size_t begin = 0; begin < rows.size(); begin += kAtATime) {
    std::vector<Account> some =
        explain(model, d, rows.subspan(begin, std::min(kAtATime, rows.size() - begin)), options);
    std::move(some.begin(), some.end(), std::back_inserter(out));
    const py::gil_scoped_acquire gil;
    if (PyErr_CheckSignals() != 0) throw py::error_already_set();
  }
  return out;
}

}  // namespace

py::dict answer_all(const Model& model, const Graph& g, double level) {
  Matrix logp;
  std::vector<int> predicted;
  std::optional<std::vector<std::vector<int>>> sets;
  {
    const py::gil_scoped_release release;
    const FittedGraph fitted = fit_graph(model, g);
    const std::vector<Index> nodes = fitted.nodes();
    NodeAnswers found = answer({model.trained, fitted.dataset, nodes, fitted.unseen, 0, level, 0});
    logp = with_all_rows(fitted, std::move(found.logp));
    predicted = with_all_rows(fitted, found.predicted, -1);
    if (model.trained.decision) sets = with_all_rows(fitted, found.sets, {});
  }
  py::dict out;
  out["logp"] = to_array(std::move(logp));
  out["predicted"] = to_array(std::span<const int>(predicted));
  out["sets"] = sets;
  return out;
}

py::array embed_all(const Model& model, const Graph& g, const std::string& layer) {
  Matrix out;
  {
    const py::gil_scoped_release release;
    const FittedGraph fitted = fit_graph(model, g);
    out = with_all_rows(fitted, embed(model.trained, fitted.dataset, layer).points);
  }
  return to_array(std::move(out));
}

py::tuple explain_nodes(const Model& model, const Graph& g, const std::vector<Index>& nodes, int against, int top,
                        bool change) {
  std::string json;
  std::vector<std::string> pictures;
  {
    const py::gil_scoped_release release;
    const FittedGraph fitted = fit_graph(model, g);
    std::vector<Index> rows;
    for (Index node : nodes) {
      rows.push_back(fitted.rows[static_cast<std::size_t>(node)]);
      require(rows.back() >= 0, g.tables->name, ": node '",
              g.tables->ids.empty() ? std::to_string(node) : g.tables->ids[node],
              "' has no label, and the model's view takes such nodes out of the graph");
    }
    ExplainOptions options;
    options.change = change;
    options.account.top = static_cast<std::size_t>(top);
    if (against >= 0) options.account.rival = against;
    const std::vector<Account> accounts = explain_watched(model.trained, fitted.dataset, rows, options);
    json = explain_json(model.trained, fitted.dataset.name, accounts);
    for (const Account& account : accounts) pictures.push_back(report::account_svg(account));
  }
  return py::make_tuple(json, pictures);
}

}  // namespace gcnh::python
