// A job whose ranks are threads of this process: rank 0 is the thread that makes it, the others serve it.
#pragma once

#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "gcnh/run/hand_out.h"
#include "tests/support/memory_ranks.h"

namespace gcnh::testing {

class ThreadRanks {
 public:
  // `commands` are what ranks 1, 2, ... were started as; rank 0 is "gcnh".
  explicit ThreadRanks(const std::vector<std::string>& commands) : ranks_(1 + static_cast<int>(commands.size())) {
    for (std::size_t r = 1; r <= commands.size(); ++r)
      threads_.emplace_back(
          [&rank = ranks_.comm(static_cast<int>(r)), command = commands[r - 1]] { serve(rank, command); });
    scope_.emplace(ranks_.comm(0));
  }
  explicit ThreadRanks(int size) : ThreadRanks(std::vector<std::string>(size - 1, "gcnh")) { greet(); }
  ~ThreadRanks() {
    dismiss_ranks(ranks_.comm(0));
    for (std::thread& thread : threads_) thread.join();
  }
  void greet() { greet_ranks(ranks_.comm(0), "gcnh"); }

  // Of the messages so far.
  std::size_t bytes_to(int rank) const { return ranks_.bytes_to(rank); }
  std::size_t messages_from(int rank) const { return ranks_.messages_from(rank); }

 private:
  MemoryRanks ranks_;
  std::vector<std::thread> threads_;
  std::optional<CommScope> scope_;
};

}  // namespace gcnh::testing
