// What rules look at and how they say what they found; one source file per family.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gcnh/check/check.h"

namespace gcnh {

// Tables, and what several rules need of them.
class CheckInput {
 public:
  CheckInput(const Tables& tables, const Setup& setup);

  const Tables& tables;
  bool brings_splits;
  bool has_own_scale;               // somebody chose how features are scaled
  bool keeps_direction;             // somebody chose a direction of the edges
  bool wants_val, wants_test;       // random splits are to have such nodes
  std::vector<Split> splits;        // of labelled nodes: those of the tables, or those that prepare() would make
  std::vector<Offset> class_sizes;  // labelled nodes
  Offset num_labelled = 0;

  const Csr& edge_counts() const;  // how often each edge is written, made when first asked for
  const Csr& graph() const;        // undirected, repeats merged, no loops
  std::string id(Index node) const;
  std::string class_name(Index number) const;
  std::string feature_name(Index column) const;
  // How to leave a column out: features that are a matrix have no flag for it.
  std::string how_to_ignore() const;
  // How to take the labels from elsewhere.
  std::string how_to_relabel() const;

 private:
  mutable std::optional<Csr> edge_counts_, graph_;
};

using Look = std::vector<Remark> (*)(const CheckInput&);  // findings without the name of the rule

struct Rule {
  std::string name;
  std::string sentence;
  Look look;
  enum class When { always, small, asked } brief = When::asked;  // small: graphs of up to a million edges
};

std::vector<Rule> known_data_rules();
std::vector<Rule> duplicate_rules();
std::vector<Rule> label_leak_rules();
std::vector<Rule> label_rules();
std::vector<Rule> edge_rules();
std::vector<Rule> column_rules();
std::vector<Rule> feature_rules();
std::vector<Rule> number_rules();
std::vector<Rule> split_rules();

inline std::vector<Remark> in_order(std::string found) { return {{"", Severity::ok, std::move(found)}}; }
inline std::vector<Remark> warn(std::string found, std::string why, std::string fix) {
  return {{"", Severity::warning, std::move(found), std::move(why), std::move(fix)}};
}
inline std::vector<Remark> complain(std::string found, std::string why, std::string fix) {
  return {{"", Severity::error, std::move(found), std::move(why), std::move(fix)}};
}

std::string in_percent(double share);  // "4.9 %"
inline double share_of(double part, double whole) { return whole > 0 ? part / whole : 0; }
// "a, b, c and 4 more"
std::string some_of(const std::vector<std::string>& names);

}  // namespace gcnh
