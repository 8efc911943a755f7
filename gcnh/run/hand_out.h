// Trainings of rank 0 on all ranks of a job. Rank 0 alone runs a command: it reads, prints and writes, and trains like
// the others. The others serve: they are sent the dataset once, then one training after the other as they become free,
// and send back what comes of it. Whatever a checkpoint or an outcome holds travels bit for bit, so results do not
// depend on the number of ranks.
#pragma once

#include <string>
#include <vector>

#include "gcnh/comm/comm.h"
#include "gcnh/run/runner.h"

namespace gcnh {

// run_trainings() on rank 0 of several.
void hand_out(Comm& comm, const std::vector<Training>& trainings, int threads, const RunObserver& observer,
              const Keep& keep, CheckpointKeeper* keeper);

// Rank 0, before anything is handed out: waits for the others. Throws a usage error unless all run the same program
// with the same arguments.
void greet_ranks(Comm& comm, const std::string& command);
// The other ranks: returns when rank 0 has dismissed them.
void serve(Comm& comm, const std::string& command);
void dismiss_ranks(Comm& comm);

}  // namespace gcnh
