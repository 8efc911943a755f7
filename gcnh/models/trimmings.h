// What layers of any kind can wear: norms of what they give, what they read added to it, and which of them is
// classified.
#pragma once

#include <vector>

#include "gcnh/ops/ops.h"

namespace gcnh {

enum class Norm { none, l2, layer, batch };
inline Words words_of(Norm) {
  return {{"none"},
          {"l2", "rows of unit length"},
          {"layer", "rows of mean 0 and variance 1, then scaled and shifted"},
          {"batch", "the same with columns"}};
}

struct Normalizer {
  Norm kind = Norm::none;
  // (1, k), of layer and batch: by what columns are scaled and shifted; of batch: the running mean and variance
  Param *scale = nullptr, *shift = nullptr, *mean = nullptr, *variance = nullptr;

  Var operator()(Tape& t, Var x) const {
    if (kind == Norm::none) return x;
    if (kind == Norm::l2) return unit_rows(t, x);
    Var y = kind == Norm::layer ? standard_rows(t, x) : standard_columns(t, x, mean->value, variance->value);
    return scale_and_shift(t, y, scale, shift);
  }
};

enum class Residual { none, add, linear };
inline Words words_of(Residual) {
  return {{"none"}, {"add", "itself, where it is as wide"}, {"linear", "a linear map of it"}};
}

enum class Jump { last, concat, max };
inline Words words_of(Jump) {
  return {{"last", "the last"}, {"concat", "all, side by side"}, {"max", "the largest of all"}};
}

inline Var jump(Tape& t, Jump kind, const std::vector<Var>& outputs) {
  if (kind == Jump::concat) return concat(t, outputs);
  return kind == Jump::max ? largest_of(t, outputs) : outputs.back();
}

// What follows the last layer of a model whose layers give the logits.
enum class Head { none, last, concat, max };
inline Words words_of(Head) {
  return {{"none", "nothing: the last layer gives the logits"},
          {"last", "a linear layer of the last"},
          {"concat", "of all, side by side"},
          {"max", "of the largest of all"}};
}
inline Jump jump_to(Head head) {
  return head == Head::concat ? Jump::concat : head == Head::max ? Jump::max : Jump::last;
}

// Options of models that wear all of it.
struct Trimmings {
  Norm norm = Norm::none;
  Residual residual = Residual::none;
  Head head = Head::none;

  void visit(auto&& f) {
    f("norm", norm, "what becomes of a hidden layer before it is activated");
    f("residual", residual, "what is added of what a layer reads");
    f("jump", head, "what follows the last layer");
  }
};

}  // namespace gcnh
