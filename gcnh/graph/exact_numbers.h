// The numbers of a table, where its features, which are of type Real, say less.
#pragma once

#include <vector>

#include "gcnh/graph/dataset.h"

namespace gcnh {

// Whether a Real says the number: it is equal, or its shortest decimal is, as 0.1 is of the Real next to it.
bool is_exact(double x);

// The features of a table that are its numbers, as they were read.
class ExactNumbers {
 public:
  explicit ExactNumbers(const Tables& tables);

  // The number of a feature that a Real says too little of; else null.
  const double* find(Index node, Index feature) const;
  // One of the columns with such a number, the first one; null: features say it all.
  const Column* lossy() const;

 private:
  std::vector<const Column*> column_of_;  // of every feature; null: it is not a number of the table
};

}  // namespace gcnh
