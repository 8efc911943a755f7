// The nodes two steps away, which H2GCN aggregates apart from the neighbours.
#pragma once

#include "gcnh/base/csr.h"

namespace gcnh {

// Row u lists the nodes that take exactly two steps from u: reached by two entries of A, neither u nor in row u. Values
// of A do not matter. Takes time in proportion to the number of two-step paths, and memory for the result only.
Csr second_ring(const Csr& a);

}  // namespace gcnh
