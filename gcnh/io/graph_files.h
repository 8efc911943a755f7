// A graph from a file of nodes and a file of edges, each of any kind that its content tells: tables, plain lists of
// edges, matrices (Matrix Market, SciPy, NumPy), svmlight.
#pragma once

#include "gcnh/graph/dataset.h"
#include "gcnh/io/csv.h"

namespace gcnh {

// Of a database, the tables `nodes` and `edges` unless there are queries. Nodes of a table go by their ids, all others
// by their row, from 0. Matrices of edges always go by the row.
Tables read_graph_files(const CsvSource& source);

}  // namespace gcnh
