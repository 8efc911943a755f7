// A graph from two tables: nodes with an id, a label and numeric features, and edges naming two ids.
#pragma once

#include <string>
#include <vector>

#include "gcnh/graph/dataset.h"

namespace gcnh {

struct CsvSource {
  std::string nodes, edges;       // files; .tsv: tab-separated
  std::string id = "id";          // columns of the node table; all others are features
  std::string label = "label";    // empty: there is no label column
  bool label_required = true;     // false: the label column may be absent, as in data that asks for predictions
  std::string source = "source";  // columns of the edge table; a note names the others
  std::string target = "target";
  std::string weight = "";               // column of weights above 0; empty: all edges weigh 1
  std::vector<std::string> split = {};   // columns with train, val, test or nothing, one for every split
  std::vector<std::string> ignore = {};  // columns of the node table that are neither of these nor features
};

// Classes are sorted, as numbers when all of them are integers. A blank label means unlabelled.
Tables read_csv(const CsvSource& source);

}  // namespace gcnh
