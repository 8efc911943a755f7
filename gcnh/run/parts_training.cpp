#include "gcnh/run/parts_training.h"

#include <chrono>
#include <iterator>
#include <utility>

#include "gcnh/models/model.h"
#include "gcnh/run/messages.h"
#include "gcnh/train/parts_stepper.h"

namespace gcnh {
namespace {

std::unique_ptr<PartTeam> team_of(Comm& comm, const PartsTask& task) {
  return std::make_unique<PartTeam>(comm.aside(), task.training, task.count, task.threads);
}

std::unique_ptr<PartsWorker> worker_of(PartTeam& team, PartsTask task) {
  const auto make = [&task](const Dataset& part) {
    return find_model_type(task.model).make(part, task.options, Rng(task.init));
  };
  return std::make_unique<PartsWorker>(team, std::move(task.parts), make, task.class_weights, task.threads);
}

// To every rank its parts; rank 0's are left in the task. A rank that cannot be sent any comes all the same, by a
// message that is there already, since the training ends for all of them.
void hand_out_parts(Comm& comm, const PartTeam& team, std::vector<Part> parts, const Bytes& no_parts, PartsTask& task) {
  int rank = comm.size() - 1;
  try {
    for (; rank >= 0; --rank) {
      const auto begin = parts.begin() + team.first_part_of(rank);
      task.parts = {std::make_move_iterator(begin), std::make_move_iterator(parts.end())};
      parts.erase(begin, parts.end());
      if (rank > 0) comm.send(rank, message(Say::parts, task));
    }
  } catch (...) {
    parts.clear();
    task.parts.clear();
    for (; rank > 0; --rank) comm.send(rank, no_parts);
    throw;
  }
}

}  // namespace

std::unique_ptr<Stepper> parts_stepper(const Experiment& e, const Dataset& dataset, const StepOptions& options,
                                       const Rng& init) {
  Comm& comm = current_comm();
  const auto now = std::chrono::steady_clock::now().time_since_epoch().count();
  PartsTask task{static_cast<std::uint64_t>(now), e.parts, e.threads, e.model, e.model_options, init.key(),
                 options.class_weights,           {}};
  const Bytes no_parts = message(Say::parts, task);
  std::vector<Part> parts = cut(dataset, *e.part_of_node, e.parts, find_model_type(e.model).sees_graph);
  std::unique_ptr<PartTeam> team = team_of(comm, task);  // whose end waits for all ranks: none may be left out below
  hand_out_parts(comm, *team, std::move(parts), no_parts, task);
  std::unique_ptr<PartsWorker> worker = worker_of(*team, std::move(task));
  return std::make_unique<PartsStepper>(std::move(team), std::move(worker), dataset.labels, options);
}

void follow_parts(Comm& comm, PartsTask task) {
  const std::unique_ptr<PartTeam> team = team_of(comm, task);
  follow(*team, [&] { return worker_of(*team, std::move(task)); });
}

}  // namespace gcnh
