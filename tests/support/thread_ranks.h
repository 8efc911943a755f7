// A job whose ranks are threads of this process: rank 0 is the thread that makes it, the others serve it.
#pragma once

#include <atomic>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "gcnh/run/hand_out.h"

namespace gcnh::testing {

class ThreadRanks {
 public:
  // `commands` are what ranks 1, 2, ... were started as; rank 0 is "gcnh".
  explicit ThreadRanks(const std::vector<std::string>& commands) {
    const int size = 1 + static_cast<int>(commands.size());
    for (int r = 0; r < size; ++r) ranks_.push_back(std::make_unique<Rank>(*this, r, size));
    for (int r = 1; r < size; ++r)
      threads_.emplace_back([&rank = *ranks_[r], command = commands[r - 1]] { serve(rank, command); });
    scope_.emplace(*ranks_[0]);
  }
  explicit ThreadRanks(int size) : ThreadRanks(std::vector<std::string>(size - 1, "gcnh")) { greet(); }
  ~ThreadRanks() {
    dismiss_ranks(*ranks_[0]);
    for (std::thread& thread : threads_) thread.join();
  }
  void greet() { greet_ranks(*ranks_[0], "gcnh"); }

  // Of the messages so far.
  std::size_t bytes_to(int rank) const { return ranks_[rank]->bytes; }
  std::size_t messages_from(int rank) const { return ranks_[rank]->sent; }

 private:
  struct Rank : Comm {
    Rank(ThreadRanks& all_ranks, int own, int count) : all(all_ranks), number(own), ranks(count) {}
    int rank() const override { return number; }
    int size() const override { return ranks; }
    int size_here() const override { return ranks; }
    void send(int to, Bytes message) override {
      ++sent;
      Rank& other = *all.ranks_[to];
      const std::lock_guard lock(other.mutex);
      other.bytes += message->size();
      other.inbox.push_back({number, *message});
    }
    std::optional<Message> receive() override {
      const std::lock_guard lock(mutex);
      if (inbox.empty()) return std::nullopt;
      Message out = std::move(inbox.front());
      inbox.pop_front();
      return out;
    }

    ThreadRanks& all;
    int number, ranks;
    std::atomic<std::size_t> sent = 0, bytes = 0;
    std::mutex mutex;
    std::deque<Message> inbox;
  };

  std::vector<std::unique_ptr<Rank>> ranks_;
  std::vector<std::thread> threads_;
  std::optional<CommScope> scope_;
};

}  // namespace gcnh::testing
