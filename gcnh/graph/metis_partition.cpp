#include "gcnh/graph/metis_partition.h"

#include <metis.h>

#include <algorithm>
#include <mutex>
#include <numeric>
#include <type_traits>

#include "gcnh/base/error.h"

namespace gcnh {
namespace {

static_assert(std::is_same_v<idx_t, Index>, "METIS takes our column numbers as they are");

constexpr real_t kImbalance = 1.05f;  // how far above the mean a part may be
constexpr idx_t kMetisSeed = 20;

// Loads in units that METIS can add up in 32 bits. A hub that weighs more than half a part counts as half a part: what
// outweighs whole parts would leave METIS with parts that it cannot fill, and it fills one with the hub anyway.
std::vector<idx_t> weights_of(const std::vector<Index>& load, int parts) {
  constexpr double kMostTotal = 1 << 30;
  const auto total = static_cast<double>(std::accumulate(load.begin(), load.end(), Offset{0}));
  const double unit = std::max(1.0, total / kMostTotal);
  const double most = std::max(1.0, total / unit / (2.0 * parts));
  std::vector<idx_t> weights(load.size());
  std::transform(load.begin(), load.end(), weights.begin(),
                 [&](Index x) { return static_cast<idx_t>(std::min(most, x / unit)); });
  return weights;
}

// METIS wants the weights of a node side by side; constraints that nobody has a share of are left out.
std::vector<idx_t> interleave(const std::vector<std::vector<idx_t>>& constraints) {
  std::vector<idx_t> out;
  out.reserve(constraints.size() * constraints.front().size());
  for (std::size_t u = 0; u < constraints.front().size(); ++u)
    for (const auto& weights : constraints) out.push_back(weights[u]);
  return out;
}

}  // namespace

std::vector<int> metis_partition(const Csr& graph, const Loads& loads, int parts) {
  static std::mutex one_at_a_time;  // METIS draws from the random numbers of the C library
  std::vector<std::vector<idx_t>> constraints{weights_of(loads.entries, parts)};
  if (std::any_of(loads.training.begin(), loads.training.end(), [](Index x) { return x > 0; }))
    constraints.push_back(weights_of(loads.training, parts));
  std::vector<idx_t> weights = interleave(constraints), offsets(graph.offsets.begin(), graph.offsets.end());
  std::vector<real_t> imbalance(constraints.size(), kImbalance);
  auto nodes = static_cast<idx_t>(graph.rows), num_constraints = static_cast<idx_t>(constraints.size()),
       num_parts = static_cast<idx_t>(parts);
  auto* columns = const_cast<idx_t*>(graph.indices.data());  // read only: numbering begins at 0

  idx_t options[METIS_NOPTIONS];
  METIS_SetDefaultOptions(options);
  options[METIS_OPTION_OBJTYPE] = METIS_OBJTYPE_VOL;
  options[METIS_OPTION_SEED] = kMetisSeed;
  options[METIS_OPTION_NUMBERING] = 0;

  std::vector<int> part_of(graph.rows);
  idx_t volume = 0;
  const std::lock_guard lock(one_at_a_time);
  const int status =
      METIS_PartGraphKway(&nodes, &num_constraints, offsets.data(), columns, weights.data(), nullptr, nullptr,
                          &num_parts, nullptr, imbalance.data(), options, &volume, part_of.data());
  if (status == METIS_ERROR_MEMORY)
    fail(Status::data, "METIS ran out of memory on a graph of ", graph.nnz(), " entries");
  require(status == METIS_OK, "METIS could not divide the graph into ", parts, " parts: status ", status);
  return part_of;
}

}  // namespace gcnh
