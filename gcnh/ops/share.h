// What a tape has to know where it computes a part of a graph and not all of it: which rows of the whole its rows are,
// since dropout draws by them, and how to come by the rows of ghosts.
//
// A value whose rows were computed row by row from right ones has right rows of ghosts, too: the features are there,
// and so are the first layer's encodings. What propagation gives is right for own nodes alone. Its input is borrowed:
// once per value, owners send the rows of ghosts, and the backward pass brings their gradients to the owners, who add
// them up in the order of the parts. Rows that are not right have no gradient, so that what stands in them is of no
// account. The gradient of a ghost's features goes into this part's sum of the weights' gradient, where it belongs.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "gcnh/graph/propagator.h"
#include "gcnh/ops/tape.h"

namespace gcnh {

struct Part;
class PartTeam;

class Share {
 public:
  // Both outlive it.
  Share(const Part& part, PartTeam& team);

  // Where rows stand in the whole: those of nodes, and of the list that is computed now.
  const Places& nodes() const { return nodes_; }
  const Places& listed() const { return listed_; }
  void set_listed(Places places) { listed_ = std::move(places); }
  // The entries of an adjacency with a loop at every node, among those of the whole.
  const Places& entries(const Csr& looped);
  // Where the entries of a row of sparse features begin.
  const std::vector<Offset>& feature_entries() const;

  void borrow(Matrix& x);                                        // the rows of ghosts from their owners
  void give_back(Matrix& grad);                                  // those of ghosts, which become 0, to their owners
  std::int64_t rows_received() const { return rows_received_; }  // by either, since it was made

 private:
  const Part& part_;
  PartTeam& team_;
  Places nodes_, listed_;
  std::map<const Csr*, Places> entries_;
  std::int64_t rows_received_ = 0;
};

// The factors of the next dropout, for a matrix with the rows of x.
void draw_dropout(Tape& t, double p, Var x, Matrix& factor);

// For ops; they do nothing on a tape without a share. Before x is read along edges:
void borrow(Tape& t, Var x);
// What y is: a value of all nodes; of the listed ones; what propagation along p gives; of the entries of p.
Var of_nodes(Tape& t, Var y);
Var of_listed(Tape& t, Var y);
Var propagated(Tape& t, const Propagator& p, Var y);
Var of_entries(Tape& t, const Propagator& p, Var y);

}  // namespace gcnh
