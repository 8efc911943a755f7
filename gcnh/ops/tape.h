// A thin tape: each op computes its value with kernels and leaves one backward step. Forward overwrites, backward only
// adds.
#pragma once

#include <deque>
#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gcnh/base/matrix.h"
#include "gcnh/base/random.h"

namespace gcnh {

class Share;
using Places = std::vector<Offset>;  // rows of the whole, or entries

// A value of the computation and, where something below it is trained, its gradient of the same shape.
struct Node {
  Matrix value;
  Matrix grad;
  // Of a part of a graph (ops/share.h): where its rows stand in the whole, if that is known, and whether the rows of
  // ghosts are what their owners have.
  const Places* places = nullptr;
  bool has_right_ghosts = true;

  Index rows() const { return value.rows(); }
  Index cols() const { return value.cols(); }
  bool has_grad() const { return !grad.empty(); }
};
using Var = Node*;

// A trained matrix. Its gradient lives as long as it does and is 0 between steps.
struct Param : Node {
  Param(std::string param_name, Index rows, Index cols)
      : Node{Matrix(rows, cols), Matrix(rows, cols)}, name(std::move(param_name)) {}
  std::string name;
  std::optional<double> weight_decay;  // absent: the trainer's
  bool is_running = false;             // forward passes of a training move it, and no optimiser
};

class Tape {
 public:
  // Starts a training pass: gradients are recorded and dropout draws from the stream.
  void start_training(const Rng& rng) { start(true, rng); }
  // Starts an evaluation pass: no gradients, no dropout.
  void start_evaluation() { start(false, Rng(0)); }
  // An evaluation pass that records gradients: how an answer depends on what it was made from.
  void start_gradients() {
    start(false, Rng(0));
    records_ = true;
  }
  bool training() const { return training_; }

  // For a tape that computes a part of a graph; outlives it.
  void set_share(Share* share) { share_ = share; }
  Share* share() const { return share_; }  // null: it computes all of it

  // A new value of the given shape, contents unspecified. It has a (zeroed) gradient when one of the inputs has. Of a
  // part, its rows are those of its inputs unless the op says otherwise.
  Var node(Index rows, Index cols, std::initializer_list<Var> inputs);
  // Memory that lives as long as the nodes: what a backward step keeps from its forward.
  Matrix& scratch(Index rows, Index cols) { return node(rows, cols, {})->value; }

  // Leaves the step that takes y's gradient to its inputs, where it has one. Returns y.
  template <class Step>
  Var on_backward(Var y, Step&& step) {
    if (y->has_grad()) steps_.push_back(std::forward<Step>(step));
    return y;
  }
  // Adds d(loss)/d(everything) to all gradients; loss is (1, 1).
  void backward(Var loss);
  // The same from gradients that stand in values already.
  void backward();

  // Notes a value as the output of the next hidden layer, for whoever wants to look inside. Returns it.
  Var layer(Var h) {
    layers_.push_back(h);
    return h;
  }
  const std::vector<Var>& layers() const { return layers_; }  // of this pass, first layer first

  // The stream of the next dropout of this pass.
  Rng next_dropout() { return rng_.fork(dropouts_++); }

 private:
  void start(bool training, const Rng& rng);

  std::deque<Node> nodes_;  // reused from pass to pass, so equal passes do not allocate
  std::size_t used_ = 0;
  std::vector<std::function<void()>> steps_;
  std::vector<Var> layers_;
  Share* share_ = nullptr;
  bool training_ = false;
  bool records_ = false;  // gradients
  Rng rng_{0};
  std::uint64_t dropouts_ = 0;
};

}  // namespace gcnh
