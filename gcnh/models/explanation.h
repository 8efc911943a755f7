// Why a model says what it says of a node: its logits as sums of parts,
//   logit_k = bias_k + sum over nodes v of (constant_vk + sum over features j of v of part_vjk) + remainder_k
// and what takes them apart.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "gcnh/base/matrix.h"

namespace gcnh {

struct Explanation {
  // A node whose features have a say, and where they stand in `features`.
  struct Source {
    Index node;
    int hops;  // steps along the edges from the node that is explained; -1: no path leads there
    std::size_t begin, end;
  };
  struct Feature {
    Index feature;
    Real value;
  };

  Index node = 0;
  std::vector<int> classes;     // k: whose logits they are, one column each
  std::vector<double> logits;   // as the model gives them
  std::vector<double> bias;     // what belongs to no node
  std::vector<Source> sources;  // the node itself, then the others
  Matrix constants;             // (sources, classes): biases that a node brings, whatever its features are
  std::vector<Feature> features;
  Matrix parts;  // (features, classes)

  // All that a source has to say of the k-th class.
  double part_of(std::size_t source, std::size_t k) const {
    double sum = static_cast<double>(constants(static_cast<Index>(source), static_cast<Index>(k)));
    for (std::size_t f = sources[source].begin; f < sources[source].end; ++f)
      sum += static_cast<double>(parts(static_cast<Index>(f), static_cast<Index>(k)));
    return sum;
  }
  // What the parts leave open: rounding, where they are exact.
  double remainder(std::size_t k) const {
    double rest = logits[k] - bias[k];
    for (std::size_t s = 0; s < sources.size(); ++s) rest -= part_of(s, k);
    return rest;
  }
};

// The logits of a node that are linear in its neighbours' messages, of all classes:
//   logit = base + sum over neighbours v of weight_v message_v / d,  d = sum of the weights + epsilon, or 1
struct NeighbourSum {
  std::vector<double> base = {};
  std::vector<Index> neighbours = {};
  std::vector<double> weights = {};
  std::vector<std::vector<double>> messages = {};  // by neighbour and class
  bool is_mean = false;                            // d is the sum of the weights
  double epsilon = 0;
};

class Explainer {
 public:
  virtual ~Explainer() = default;

  // Logits of a node, of all classes. These three throw a data error for a node or class that the dataset lacks.
  virtual std::vector<double> logits(Index node) = 0;
  virtual Explanation explain(Index node, std::span<const int> classes) = 0;
  // The same for models whose answer is such a sum.
  virtual std::optional<NeighbourSum> neighbour_sum(Index) { return std::nullopt; }
  // Whether the parts add up to the logit but for rounding, whatever the input.
  virtual bool is_exact() const = 0;
};

}  // namespace gcnh
