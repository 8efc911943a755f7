// What is told of an explanation: names instead of numbers, the largest parts first, the rest added up.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gcnh/explain/flip.h"
#include "gcnh/graph/dataset.h"
#include "gcnh/models/explanation.h"

namespace gcnh {

// Every list of numbers has one per class, in the order of `classes`: the answer, the class that it is compared with,
// then the others from the likeliest on.
struct Account {
  using Parts = std::vector<double>;
  struct Feature {
    std::string name;
    std::string cell;  // of a table's column of numbers or dates, what stands there; else empty
    double value = 0;  // as the model sees it
    Parts parts;
  };
  // A node that has a say.
  struct Source {
    std::string id, label;          // label: its class, empty where none is known
    int hops = 0;                   // steps along the edges; 0: the node itself; -1: no path leads there
    Parts parts;                    // of all that it has to say
    Parts constant;                 // of these, what does not depend on its features
    std::vector<Feature> features;  // the largest
    std::size_t other_features = 0;
    Parts other_parts;
  };
  // The fewest edges whose removal changes the answer.
  struct Change {
    std::vector<std::string> edges = {};  // ids of the neighbours at their ends; empty: none were found
    std::string answer = {};              // what it would be then
    bool is_exact = false;                // no smaller set does; none at all, where none were found
  };

  std::string id = {}, label = {};
  std::vector<std::string> classes = {};
  Parts probabilities = {}, logits = {}, bias = {};
  // The node itself, then the others by how much they tell the first two classes apart.
  std::vector<Source> sources = {};
  std::size_t others = 0;  // nodes that are not listed
  Parts other_parts = {}, remainder = {};
  bool is_exact = false;  // the remainder is rounding
  std::optional<Change> change = {};

  const std::string& answer() const { return classes[0]; }
  const std::string& rival() const { return classes[1]; }
  bool is_wrong() const { return !label.empty() && label != answer(); }
  // How far parts put the answer ahead of the class that it is compared with.
  static double lead(const Parts& parts) { return parts[0] - parts[1]; }
};

struct AccountOptions {
  std::optional<int> answer = {};  // the class that was answered; absent: the one of the largest logit
  std::optional<int> rival = {};   // the class to compare with; absent: the likeliest of the others
  std::size_t top = 10;            // nodes besides the one itself, and features of each, to be listed; 0: all
  bool two_classes = false;        // parts of the answer and its rival alone
  const std::vector<std::string>* feature_names = nullptr;  // of the explanation; absent: the dataset's
};

// The log-probabilities are of all classes.
Account make_account(Explainer& explainer, const Dataset& dataset, Index node, std::span<const Real> log_probabilities,
                     const AccountOptions& options = {});
Account::Change make_change(const Flip& flip, const Dataset& dataset);

}  // namespace gcnh
