// What a training would take on many ranks, without the ranks: real parts, the local work of single parts timed on one
// core, and a model of the network, in which a message of b bytes takes alpha + b / beta.
//   step(P)       = compute(P) + (1 - overlap) halo(P) + sum(P)
//   compute(P)    = the longest of the timed parts' steps, ghosts included; those with the most to do are timed
//   halo(P)       = 2 (L - 1) max over parts of (lenders alpha + max(ghosts, lent) h 4 / beta): every layer but the
//                   first borrows rows going forward and returns their gradients
//   sum(P)        = 2 ceil(log2 P) (alpha + 4 parameters / beta): gradients up a tree, parameters down
//   efficiency(P) = step(1) / (P step(P))
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "gcnh/graph/part_sizes.h"

namespace gcnh::study {

struct ScaleOptions {
  int layers = 2;
  int hidden = 64;
  double alpha = 2;
  double beta = 12.5;
  double overlap = 0;
  int timed_parts = 2;
  int steps = 3;

  void visit(auto&& f) {
    f("layers", layers, "of the GCNH that is trained", at_least(1));
    f("hidden", hidden, "width of its hidden layers", at_least(1));
    f("alpha", alpha, "what a message takes, in microseconds", at_least(0));
    f("beta", beta, "what a rank's network carries, in GB/s", above(0));
    f("overlap", overlap, "share of the halo's time behind which a rank computes", within(0, 1));
    f("timed_parts", timed_parts, "how many parts are timed, those with the most to do", at_least(1));
    f("steps", steps, "of each part, the median of which counts; one more comes first", at_least(1));
  }
};

struct ScalePoint {
  int parts = 1;
  Offset halo_rows = 0;
  double halo_per_node = 0;
  Index largest_part = 0, most_ghosts = 0;
  int most_lenders = 0;
  double imbalance = 1;                             // of stored entries
  double compute = 0, halo = 0, sum = 0, step = 0;  // seconds
  double speedup = 1, efficiency = 1;
};

struct ScaleForecast {
  std::size_t parameters = 0;
  std::vector<ScalePoint> points;  // of a single part first
};

// The point that parts of these sizes make, whose slowest step takes so long; speedup and efficiency are left at 1.
ScalePoint price(std::span<const PartSize> sizes, double compute, std::size_t parameters, const ScaleOptions& options);

// Of full-batch steps on the first split. `told` is called with every point as soon as it is there.
ScaleForecast forecast_scale(const Dataset& dataset, const ScaleOptions& options, std::vector<int> parts_list,
                             const std::function<void(const ScalePoint&)>& told = {});

std::string scale_json(const Dataset& dataset, const ScaleOptions& options, const ScaleForecast& forecast);

}  // namespace gcnh::study
