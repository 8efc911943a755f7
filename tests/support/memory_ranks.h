// The ranks of a job as objects of this process; whoever plays a rank calls its Comm from one thread.
#pragma once

#include <atomic>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gcnh/comm/comm.h"

namespace gcnh::testing {

class MemoryRanks {
 public:
  explicit MemoryRanks(int size) {
    for (Group* group : {&ranks_, &aside_})
      for (int r = 0; r < size; ++r) group->push_back(std::make_unique<Rank>(*this, *group, r));
  }
  Comm& comm(int rank) { return *ranks_[static_cast<std::size_t>(rank)]; }

  // Of the messages so far, those aside left out.
  std::size_t bytes_to(int rank) const { return ranks_[static_cast<std::size_t>(rank)]->bytes; }
  std::size_t messages_from(int rank) const { return ranks_[static_cast<std::size_t>(rank)]->sent; }

 private:
  struct Rank;
  using Group = std::vector<std::unique_ptr<Rank>>;

  struct Rank : Comm {
    Rank(MemoryRanks& owner, Group& peers, int own) : job(owner), group(peers), number(own) {}
    int rank() const override { return number; }
    int size() const override { return static_cast<int>(group.size()); }
    int size_here() const override { return size(); }
    void send(int to, Bytes message) override {
      ++sent;
      Rank& other = *group[static_cast<std::size_t>(to)];
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
    Comm& aside() override { return *job.aside_[static_cast<std::size_t>(number)]; }

    MemoryRanks& job;
    Group& group;
    int number;
    std::atomic<std::size_t> sent = 0, bytes = 0;
    std::mutex mutex;
    std::deque<Message> inbox;
  };

  Group ranks_, aside_;
};

// A rank's Comm that hands everything on to another one, for tests that step in between.
class ThroughComm : public Comm {
 public:
  explicit ThroughComm(Comm& inner) : inner_(inner) {}
  int rank() const override { return inner_.rank(); }
  int size() const override { return inner_.size(); }
  int size_here() const override { return inner_.size_here(); }
  void send(int to, Bytes message) override { inner_.send(to, std::move(message)); }
  std::optional<Message> receive() override { return inner_.receive(); }
  Comm& aside() override { return inner_.aside(); }

 private:
  Comm& inner_;
};

}  // namespace gcnh::testing
