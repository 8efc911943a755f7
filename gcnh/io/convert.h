// A graph as files of another form.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "gcnh/graph/dataset.h"

namespace gcnh {

struct Converted {
  std::vector<std::filesystem::path> files;  // that were written
  std::string flags;                         // that read them again; empty: nothing here does
  std::vector<std::string> notes;            // what the form has no place for
};

// The ending of the name chooses the form, and where it takes several files they are called after it: g.npz; g.csv
// (g-nodes.csv, g-edges.csv); g.svm (and g-edges.mtx); g.mtx (g-features.mtx, g-labels.txt, g-edges.mtx); g.gexf, for
// Gephi. Each file is replaced as a whole; throws before the first one when one of them is there, unless `replace`.
Converted convert_graph(const Tables& tables, const std::filesystem::path& to, bool replace);

}  // namespace gcnh
