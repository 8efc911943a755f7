#include "gcnh/ops/tape.h"

#include <algorithm>
#include <cassert>

namespace gcnh {

void Tape::start(bool training, const Rng& rng) {
  used_ = 0;
  steps_.clear();
  layers_.clear();
  training_ = records_ = training;
  rng_ = rng;
  dropouts_ = 0;
}

Var Tape::node(Index rows, Index cols, std::initializer_list<Var> inputs) {
  if (used_ == nodes_.size()) nodes_.emplace_back();
  Node& n = nodes_[used_++];
  n.value.resize(rows, cols);
  const bool wanted = records_ && std::any_of(inputs.begin(), inputs.end(), [](Var v) { return v->has_grad(); });
  n.grad.resize(wanted ? rows : 0, wanted ? cols : 0);
  n.grad.fill(0);
  n.places = nullptr;
  n.has_right_ghosts = true;
  if (!share_) return &n;
  for (Var v : inputs) {
    if (!n.places) n.places = v->places;
    n.has_right_ghosts = n.has_right_ghosts && v->has_right_ghosts;
  }
  return &n;
}

void Tape::backward(Var loss) {
  assert(loss->rows() == 1 && loss->cols() == 1 && loss->has_grad());
  loss->grad(0, 0) = 1;
  backward();
}

void Tape::backward() {
  for (auto step = steps_.rbegin(); step != steps_.rend(); ++step) (*step)();
}

}  // namespace gcnh
