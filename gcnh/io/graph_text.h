// The parts of a graph as text, for convert_graph. What they are read by: csv.h, edge_list_rows.h, matrix_file.h,
// svmlight.h.
#pragma once

#include <string>
#include <vector>

#include "gcnh/graph/exact_numbers.h"

namespace gcnh {

// A word per node for a file of labels, empty where it has none.
std::vector<std::string> label_words(const Tables& tables);

// The same, a word per line. Throws when a class cannot stand in one.
std::string label_lines(const Tables& tables);
// Names of classes where they are integers, else their numbers.
std::vector<std::string> label_numbers(const Tables& tables);

std::string node_id(const Tables& tables, Index node);

// The shortest text that is read as the same number.
std::string real_text(Real value);

// Names for the columns of a node table, all different: features as they are called, `id`, `label`, and for the splits
// `split`, or `split_0`, `split_1`, ...; one whose name is taken gets a _ behind it.
struct NodeColumnNames {
  std::vector<std::string> features;
  std::string id, label;
  std::vector<std::string> splits;
  std::size_t renamed = 0;  // of the features
};
NodeColumnNames name_node_columns(const Tables& tables, bool case_matters = true);

// Throws when a table of all features of all nodes, zeros too, would be absurdly large.
void check_cells(const Tables& tables);

// Tables with a line of names. All features of a node, zeros too, have a cell.
std::string node_table(const Tables& tables, const NodeColumnNames& names);
std::string edge_table(const Tables& tables);
// The features of a node, with a comma before each; numbers of a table in full where `exact` knows them.
void add_cells(const Features& features, Index node, std::string& out, const ExactNumbers* exact = nullptr);

// A plain list: a comment, then the ids of both ends and the weight. Throws when an id cannot stand in it.
std::string edge_list_text(const Tables& tables);

std::string matrix_market_text(const Features& features);
std::string matrix_market_text(const Tables& tables);  // its edges, with their weights

// The labels are words that are integers, none of them empty.
std::string svmlight_text(const Features& features, const std::vector<std::string>& labels);

}  // namespace gcnh
