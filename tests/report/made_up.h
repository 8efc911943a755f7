// Runs without training, for what reports make of them.
#pragma once

#include <cmath>

#include "gcnh/report/sections.h"

namespace gcnh::testing {

inline report::Run made_up(const std::string& model, double val, const std::vector<double>& test) {
  report::Run run;
  run.model = run.name = run.file = model;
  run.data.name = "d";
  run.data.view = "clean";
  run.data.test_per_train = 0.4;
  run.test_nodes.resize(test.size());
  for (std::size_t i = 0; i < test.size(); ++i) {
    SplitOutcome s;
    s.split = static_cast<int>(i);
    s.best.score.accuracy = val;
    s.test_accuracy = test[i];
    run.result.splits.push_back(s);
  }
  return run;
}

// A row of probabilities per node.
inline TestAnswers made_up_answers(const std::vector<std::vector<double>>& probabilities, std::vector<int> labels) {
  TestAnswers out;
  out.labels = std::move(labels);
  out.logp = Matrix(static_cast<Index>(probabilities.size()), static_cast<Index>(probabilities[0].size()));
  for (Index i = 0; i < out.logp.rows(); ++i)
    for (Index k = 0; k < out.logp.cols(); ++k) out.logp(i, k) = static_cast<Real>(std::log(probabilities[i][k]));
  return out;
}

// Many of them, with ties.
inline TestAnswers random_answers(Index nodes, int classes, std::uint64_t seed) {
  std::vector<std::vector<double>> probabilities;
  std::vector<int> labels;
  std::uint64_t state = seed;
  const auto draw = [&](std::uint64_t below) {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    return static_cast<int>((state >> 33) % below);
  };
  for (Index i = 0; i < nodes; ++i) {
    labels.push_back(draw(static_cast<std::uint64_t>(classes)));
    std::vector<double> row;
    double sum = 0;
    for (int k = 0; k < classes; ++k) row.push_back(1 + draw(7) + (k == labels.back() ? 2 : 0)), sum += row.back();
    for (double& p : row) p /= sum;
    probabilities.push_back(row);
  }
  return made_up_answers(probabilities, labels);
}

}  // namespace gcnh::testing
