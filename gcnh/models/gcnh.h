// GCNH's options, parameters and operators, for its forward pass (gcnh.cpp) and for the fused step
// (train/fused_stepper.h).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gcnh/models/model.h"

namespace gcnh {

class Gcnh : public Model {
 public:
  static constexpr Real kSlope = Real(0.01);  // of LeakyReLU

  struct Options {
    int layers = 1;
    int hidden = 32;
    std::string aggregation = "sum";
    bool max_floor = false;
    std::string encoders = "separate";
    std::string beta = "learned";
    double dropout = 0.25;

    void visit(auto&& f) {
      f("layers", layers, "layers of the network");
      f("hidden", hidden, "width of a layer");
      f("aggregation", aggregation, "how neighbours are joined: sum | mean | max");
      f("max_floor", max_floor, "max aggregation never falls below 0, as in the published code");
      f("encoders", encoders, "separate | shared weights for a node and its neighbours");
      f("beta", beta, "weight of the node itself: learned | pointwise (one per hidden unit) | a number in 0..1");
      f("dropout", dropout, "share of each layer's output dropped in training");
    }
  };

  struct Layer {
    Linear self;
    Linear neighbours;       // the same as self when the encoders are shared
    Param* theta = nullptr;  // absent when beta is fixed
  };

  Gcnh(const Dataset& d, const Options& options, const Rng& rng);

  Var forward(Tape& t, std::span<const Index> rows) override;
  std::map<std::string, std::vector<double>> readings() const override;

  const Options& options() const { return options_; }
  const std::vector<Layer>& layers() const { return layers_; }
  const Linear& classifier() const { return classifier_; }
  const Propagator& neighbours() const { return neighbours_; }
  bool shared() const { return options_.encoders == "shared"; }
  // The weight of the centre node in layer l, one per hidden unit.
  Matrix beta(std::size_t l) const;

 private:
  void check_options();
  Var encode(Tape& t, const Linear& w, Var h) const;

  Options options_;
  Input input_;
  Propagator neighbours_;
  std::optional<Real> fixed_beta_;
  std::vector<Layer> layers_;
  Linear classifier_;
};

}  // namespace gcnh
