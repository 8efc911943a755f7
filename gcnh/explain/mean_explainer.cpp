// The mean of several explanations: a mean of logits is the sum of the means of their parts.
#include <algorithm>
#include <map>

#include "gcnh/base/error.h"
#include "gcnh/explain/explain.h"

namespace gcnh {
namespace {

using Parts = std::vector<double>;

void add(double scale, const Real* from, std::size_t count, Parts& to) {
  to.resize(count);
  for (std::size_t k = 0; k < count; ++k) to[k] += scale * static_cast<double>(from[k]);
}

void add(double scale, const Parts& from, Parts& to) {
  to.resize(from.size());
  for (std::size_t k = 0; k < from.size(); ++k) to[k] += scale * from[k];
}

// What members say of one node.
struct JointSource {
  int hops = 0;
  Parts constant;
  struct Feature {
    Real value = 0;
    Parts parts;
  };
  std::map<Index, Feature> features;
};

Matrix to_matrix(const std::vector<const Parts*>& rows, std::size_t width) {
  Matrix out(static_cast<Index>(rows.size()), static_cast<Index>(width));
  for (std::size_t i = 0; i < rows.size(); ++i)
    std::transform(rows[i]->begin(), rows[i]->end(), out.row(static_cast<Index>(i)),
                   [](double x) { return static_cast<Real>(x); });
  return out;
}

}  // namespace

MeanExplainer::MeanExplainer(std::vector<NamedExplainer> members) : members_(std::move(members)) {
  require(!members_.empty(), "an ensemble without networks");
  std::map<std::string, Index> known;
  for (const NamedExplainer& member : members_) {
    std::vector<Index>& number = number_.emplace_back();
    for (const std::string& name : member.feature_names) {
      const auto [at, is_new] = known.try_emplace(name, static_cast<Index>(names_.size()));
      if (is_new) names_.push_back(name);
      number.push_back(at->second);
    }
  }
}

std::vector<double> MeanExplainer::logits(Index node) {
  Parts out;
  for (NamedExplainer& m : members_) add(1 / static_cast<double>(members_.size()), m.explainer->logits(node), out);
  return out;
}

Explanation MeanExplainer::explain(Index node, std::span<const int> classes) {
  const double share = 1 / static_cast<double>(members_.size());
  Explanation out;
  out.node = node;
  out.classes.assign(classes.begin(), classes.end());
  std::vector<Index> order;  // of the nodes, the one that is explained first
  std::map<Index, JointSource> joint;
  for (std::size_t i = 0; i < members_.size(); ++i) {
    const Explanation e = members_[i].explainer->explain(node, classes);
    add(share, e.logits, out.logits);
    add(share, e.bias, out.bias);
    for (std::size_t s = 0; s < e.sources.size(); ++s) {
      const Explanation::Source& from = e.sources[s];
      if (!joint.contains(from.node)) order.push_back(from.node);
      JointSource& to = joint[from.node];
      to.hops = from.hops;
      add(share, e.constants.row(static_cast<Index>(s)), classes.size(), to.constant);
      for (std::size_t f = from.begin; f < from.end; ++f) {
        const auto [number, value] = e.features[f];
        JointSource::Feature& feature = to.features[number_[i].empty() ? number : number_[i][number]];
        if (feature.parts.empty()) feature.value = value;  // scaled by the first that has it
        add(share, e.parts.row(static_cast<Index>(f)), classes.size(), feature.parts);
      }
    }
  }
  std::vector<const Parts*> constants, parts;
  for (Index v : order) {
    const JointSource& source = joint[v];
    const std::size_t begin = out.features.size();
    for (const auto& [number, feature] : source.features) {
      out.features.push_back({number, feature.value});
      parts.push_back(&feature.parts);
    }
    out.sources.push_back({v, source.hops, begin, out.features.size()});
    constants.push_back(&source.constant);
  }
  out.constants = to_matrix(constants, classes.size());
  out.parts = to_matrix(parts, classes.size());
  return out;
}

std::optional<NeighbourSum> MeanExplainer::neighbour_sum(Index node) {
  const double share = 1 / static_cast<double>(members_.size());
  std::optional<NeighbourSum> out;
  for (NamedExplainer& m : members_) {
    const std::optional<NeighbourSum> own = m.explainer->neighbour_sum(node);
    if (!own) return std::nullopt;
    if (!out) {
      out = own;  // neighbours and weights are those of the graph
      out->base.clear();
      for (Parts& message : out->messages) message.clear();
    }
    add(share, own->base, out->base);
    for (std::size_t v = 0; v < own->messages.size(); ++v) add(share, own->messages[v], out->messages[v]);
  }
  return out;
}

bool MeanExplainer::is_exact() const {
  return std::all_of(members_.begin(), members_.end(), [](const NamedExplainer& m) { return m.explainer->is_exact(); });
}

}  // namespace gcnh
