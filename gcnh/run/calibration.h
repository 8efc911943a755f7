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

// Whether the nodes chose the epoch of the network. Those that judge a final model in its rehearsal did not, and T = 1
// stays within half a standard error to either side.
enum class Flattery { chose_the_epoch, none };

double fit_temperature(const Matrix& logp, std::span<const int> labels, Flattery = Flattery::chose_the_epoch);

// log softmax(logp / temperature); the same bits for a temperature of 1.
Matrix calibrated(Matrix logp, double temperature);

// The log-probabilities of the mean of logits, of which log-probabilities are as good as the logits themselves: a row
// of them is less by one number, which the softmax takes away again. A single member's are its own.
Matrix joint_answers(std::vector<Matrix> members);
// The same where nodes have members of their own: sums (nodes, classes) of so many rows each.
Matrix mean_answers(std::span<const double> sums, std::span<const int> counts);

}  // namespace gcnh
