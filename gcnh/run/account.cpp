#include "gcnh/run/account.h"

#include <fmt/chrono.h>
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "gcnh/base/error.h"

namespace gcnh {
namespace {

using Parts = Account::Parts;

// The answer, its rival, and the others from the highest logit on.
std::vector<int> ranked_classes(const std::vector<double>& logits, const AccountOptions& options) {
  std::vector<int> out(logits.size());
  std::iota(out.begin(), out.end(), 0);
  std::stable_sort(out.begin(), out.end(), [&](int a, int b) { return logits[a] > logits[b]; });
  const auto move_to = [&](std::ptrdiff_t place, int k) {
    const auto found = std::find(out.begin() + place, out.end(), k);
    if (found != out.end()) std::rotate(out.begin() + place, found, found + 1);
  };
  if (options.answer) move_to(0, *options.answer);
  if (options.rival) move_to(1, *options.rival);
  if (options.two_classes) out.resize(std::min<std::size_t>(2, out.size()));
  return out;
}

Parts row_of(const Matrix& m, std::size_t row) {
  const Real* values = m.row(static_cast<Index>(row));
  return {values, values + m.cols()};
}

void add(const Parts& parts, Parts& to) {
  to.resize(parts.size());
  for (std::size_t k = 0; k < parts.size(); ++k) to[k] += parts[k];
}

std::string label_of(const Dataset& d, Index node) { return d.labels[node] < 0 ? "" : d.classes[d.labels[node]]; }

// What tables say of nodes, by the name of the feature that it became.
class Cells {
 public:
  explicit Cells(const Dataset& d) {
    if (!d.columns) return;
    for (const Column& column : *d.columns)
      if (!column.numbers.empty()) columns_[column.spec.name] = &column;
  }
  std::string text(const std::string& feature, Index node) const {
    const auto found = columns_.find(feature);
    if (found == columns_.end()) return "";
    const double number = found->second->numbers[node];
    if (std::isnan(number)) return "missing";
    if (found->second->spec.kind != ColumnKind::date || std::abs(number) > 1e6) return fmt::format("{:.6g}", number);
    return fmt::format("{:%Y-%m-%d}", fmt::gmtime(static_cast<std::time_t>(number) * 86400));
  }

 private:
  std::map<std::string, const Column*> columns_;
};

// Positions by how much of a lead they make, the largest first.
template <class LeadOf>
std::vector<std::size_t> by_lead(std::size_t begin, std::size_t end, const LeadOf& lead_of) {
  std::vector<std::size_t> out(end - begin);
  std::iota(out.begin(), out.end(), begin);
  std::stable_sort(out.begin(), out.end(),
                   [&](std::size_t a, std::size_t b) { return std::abs(lead_of(a)) > std::abs(lead_of(b)); });
  return out;
}

// Tells of the sources and features of one explanation.
class Teller {
 public:
  Teller(const Explanation& e, const Dataset& d, const AccountOptions& options)
      : e_(e),
        d_(d),
        names_(options.feature_names ? *options.feature_names : d.feature_names),
        top_(options.top),
        cells_(d) {
    for (std::size_t s = 0; s < e.sources.size(); ++s) {
      parts_.push_back(row_of(e.constants, s));
      for (std::size_t f = e.sources[s].begin; f < e.sources[s].end; ++f) add(row_of(e.parts, f), parts_.back());
    }
  }

  void tell(Account& out) const {
    out.other_parts.resize(e_.classes.size());
    out.sources.push_back(source(0));
    for (std::size_t s : by_lead(1, parts_.size(), [&](std::size_t i) { return Account::lead(parts_[i]); })) {
      if (is_listed(out.sources.size() - 1)) {
        out.sources.push_back(source(s));
      } else {
        ++out.others;
        add(parts_[s], out.other_parts);
      }
    }
  }

 private:
  bool is_listed(std::size_t before) const { return top_ == 0 || before < top_; }

  Account::Source source(std::size_t s) const {
    const Explanation::Source& from = e_.sources[s];
    Account::Source out{
        d_.id(from.node),        label_of(d_, from.node), from.hops, parts_[s], row_of(e_.constants, s), {}, 0,
        Parts(e_.classes.size())};
    const auto lead = [&](std::size_t f) { return Account::lead(row_of(e_.parts, f)); };
    for (std::size_t f : by_lead(from.begin, from.end, lead)) {
      if (is_listed(out.features.size())) {
        out.features.push_back(feature(f, from.node));
      } else {
        ++out.other_features;
        add(row_of(e_.parts, f), out.other_parts);
      }
    }
    return out;
  }

  Account::Feature feature(std::size_t f, Index node) const {
    const auto [number, value] = e_.features[f];
    const std::string name = names_.empty() ? join("feature ", number) : names_[number];
    return {name, cells_.text(name, node), static_cast<double>(value), row_of(e_.parts, f)};
  }

  const Explanation& e_;
  const Dataset& d_;
  const std::vector<std::string>& names_;
  std::size_t top_;
  Cells cells_;
  std::vector<Parts> parts_;  // of the sources
};

}  // namespace

Account make_account(Explainer& explainer, const Dataset& d, Index node, std::span<const Real> log_probabilities,
                     const AccountOptions& options) {
  require(d.num_classes() >= 2, d.name, ": one class alone; there is nothing to explain");
  check_nodes(d, std::span(&node, 1));
  for (const std::optional<int>& k : {options.answer, options.rival})
    if (k) check_classes(d, std::span(&*k, 1));
  require(std::ssize(log_probabilities) == d.num_classes(), d.name, ": ", log_probabilities.size(),
          " log-probabilities for ", d.num_classes(), " classes");
  const std::vector<int> classes = ranked_classes(explainer.logits(node), options);
  const Explanation e = explainer.explain(node, classes);
  Account out;
  out.id = d.id(node);
  out.label = label_of(d, node);
  for (std::size_t k = 0; k < classes.size(); ++k) {
    out.classes.push_back(d.classes[classes[k]]);
    out.probabilities.push_back(std::exp(static_cast<double>(log_probabilities[classes[k]])));
    out.remainder.push_back(e.remainder(k));
  }
  out.logits = e.logits;
  out.bias = e.bias;
  out.is_exact = explainer.is_exact();
  Teller(e, d, options).tell(out);
  return out;
}

Account::Change make_change(const Flip& flip, const Dataset& dataset) {
  Account::Change out{{}, dataset.classes[flip.after], flip.is_exact};
  for (Index v : flip.neighbours) out.edges.push_back(dataset.id(v));
  return out;
}

}  // namespace gcnh
