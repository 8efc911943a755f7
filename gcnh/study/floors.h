// Floors that nothing is trained for: what a model must beat to be worth its training. Logistic regression, the third
// floor, is a model like others (gcnh/models/logreg.cpp).
#pragma once

#include <string>
#include <vector>

#include "gcnh/run/recipe.h"
#include "gcnh/run/run_files.h"

namespace gcnh::study {

struct Floor {
  std::string name = {};
  std::string summary = {};
  bool sees_graph = false;
  Grid grid = {};  // options that the validation nodes choose between; none: empty
  // Log-probabilities of all nodes, (nodes, classes), from the labels of the split's training nodes.
  Matrix (*answer)(const Dataset& dataset, const Split& split, const OptionValues& options) = nullptr;
};

// majority   p_k = (training nodes of class k + 1) / (training nodes + classes), for every node
// labelprop  F <- a D^-1 A F + (1 - a) Y, so many times; Y has a 1 for the class of each training node, whose rows of F
//            stay as they are; D the row sums of A. Rows of F become shares; nodes that no label has reached get what
//            majority gives, and so do all others to one part in a hundred, so that no class is impossible.
//            Zhu and Ghahramani, CMU-CALD-02-107, 2002; Zhou et al., NeurIPS 2003.
const std::vector<Floor>& floors();

// Floors among models, too.
bool is_floor(const std::string& name);

// The data, splits, metric and seed of an experiment with the floor in the model's place, and what it reaches. Options
// are those with the best mean validation value over the splits; the test nodes are read for them alone.
struct FloorRun {
  Experiment experiment = {};
  RunResult result = {};
};
FloorRun run_floor(const Floor& floor, const Experiment& like);

// What a run folder asks the floor for.
Answers answers_of(const Floor& floor, const Experiment& experiment);

}  // namespace gcnh::study
