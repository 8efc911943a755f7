// How sure a model may be: p = softmax(log p / T), with a temperature T fitted on nodes that the model was not trained
// on, so that its answers are right as often as they say: the mean probability of the answers is their share of right
// ones (expectation consistency; Clarte et al., UAI 2023). The nodes chose the epoch as well, which flatters the
// answers about them: they are right by about one standard error more often than others will be. So T = 1 stays where
// the share of right answers lies above the mean probability by half a standard error to one and a half, which also
// leaves to chance what few nodes cannot tell; otherwise T is the first that leads there.
#pragma once

#include <span>
#include <vector>

#include "gcnh/base/matrix.h"

namespace gcnh {

constexpr double kLeastTemperature = 0.1, kMostTemperature = 10;

double fit_temperature(const Matrix& logp, std::span<const int> labels);

// The same for a final model, whose judges are many nodes but answered by other networks, those of its rehearsal: their
// share of right answers is not the final model's. Of the temperatures whose squared error of p (Brier score) is not
// above the least by more than one standard error of the difference, it is the nearest to 1. Guo et al., ICML 2017,
// take the least log-loss, which a few sure errors decide; the rule of one standard error is that of Breiman et al.,
// Classification and Regression Trees, 1984.
double temperature_by_error(const Matrix& logp, std::span<const int> labels);

// log softmax(logp / temperature); the same bits for a temperature of 1.
Matrix calibrated(Matrix logp, double temperature);

// The log-probabilities of the mean of logits, of which log-probabilities are as good as the logits themselves: a row
// of them is less by one number, which the softmax takes away again. A single member's are its own.
Matrix joint_answers(std::vector<Matrix> members);
// The same where nodes have members of their own: sums (nodes, classes) of so many rows each.
Matrix mean_answers(std::span<const double> sums, std::span<const int> counts);

}  // namespace gcnh
