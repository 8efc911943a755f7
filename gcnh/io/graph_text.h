// The parts of a graph as text, for convert_graph. What they are read by: csv.h, matrix_file.h, svmlight.h, labels.h.
#pragma once

#include <string>
#include <vector>

#include "gcnh/graph/dataset.h"

namespace gcnh {

// A word per node for a file of labels, empty where it has none.
std::vector<std::string> label_words(const Tables& tables);

// id, label, features, and a column per split: `split`, or `split_0`, `split_1`, ... Names of features are kept, so
// these columns get other names where a feature has theirs.
struct NodeTable {
  std::string text;
  std::string id, label;
  std::vector<std::string> splits;  // names of columns
};
NodeTable node_table(const Tables& tables);
std::string edge_table(const Tables& tables);

std::string matrix_market_text(const Features& features);
std::string matrix_market_text(const Tables& tables);  // its edges, with their weights

// The labels are words that are integers, none of them empty.
std::string svmlight_text(const Features& features, const std::vector<std::string>& labels);

// For Gephi: nodes with their class, edges as they are written.
std::string gexf_text(const Tables& tables);

}  // namespace gcnh
