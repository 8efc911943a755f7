// The parts of one training, each computed in a thread of its own, and messages between them, wherever they are: parts
// of one process hand them over, those of different ranks send them by Comm. What a part computes and hears does not
// depend on the rank that it is on.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "gcnh/comm/comm.h"

namespace gcnh {

class PartTeam {
 public:
  // The parts 0 .. parts - 1 are spread over the ranks in groups of consecutive ones, part 0 on rank 0. Of this rank's,
  // so many threads compute at a time. `training` is a number that no other training of the job has.
  PartTeam(Comm& comm, std::uint64_t training, int parts, int threads);
  // On rank 0 it ends the training on all ranks, whatever they are waiting for, and returns when they have all heard
  // so. What parts of other ranks still had to say to each other is left for the next team to drop.
  ~PartTeam();
  PartTeam(const PartTeam&) = delete;
  PartTeam& operator=(const PartTeam&) = delete;

  int parts() const { return parts_; }
  int begin() const { return first_part_of(comm_.rank()); }  // of this rank's parts
  int end() const { return first_part_of(comm_.rank() + 1); }
  int first_part_of(int rank) const;
  int rank_of(int part) const;
  int rank() const { return comm_.rank(); }
  int ranks() const { return comm_.size(); }

  // body(part) for all parts of this rank, in lockstep with the other ranks. Throws what the lowest of them has thrown,
  // or on rank 0 what another rank has reported; before all, what went wrong between the parts. None of them runs on.
  void run(const std::function<void(int)>& body);

  // For bodies. Messages from one part to another arrive in the order in which they were sent.
  void send(int from, int to, std::string bytes);
  std::string receive(int from, int to);  // waits for it

  // From rank 0 to all others, by way of one another.
  void order(std::string_view bytes);
  // On the others: waits for the next one; nothing when the training is over.
  std::optional<std::string> next_order();
  // On the others: what went wrong, for rank 0 to throw. The training is to end.
  void report(const std::exception_ptr& error);

 private:
  enum class Kind : char { letter, order, failure, end, ended };
  // A part of this rank: its thread computes while it has a turn.
  struct Seat {
    std::condition_variable turn;
    bool has_turn = false;
    bool is_ready = false;                         // could go on
    int awaited = -1;                              // the part whose message it waits for
    std::map<int, std::deque<std::string>> inbox;  // by sender
    std::thread thread;
  };
  struct Stopped {};  // thrown in bodies that wait for what will not come

  Seat& seat(int part) { return *seats_[static_cast<std::size_t>(part - begin())]; }
  bool is_inline() const { return seats_.size() == 1; }  // a single part has the thread that calls run()
  void start_threads();
  void join_threads();
  void work(int part);
  std::exception_ptr error_of_body(int part) const;
  void finish(int part, const std::exception_ptr& error);
  void give_turns();
  void deliver(int from, int to, std::string bytes);
  void stop(std::exception_ptr error, int part);
  void hear(const Message& m);
  void relay(const std::string& bytes);
  void dismiss();
  template <class IsOver>
  void drive(const IsOver& is_over);

  Comm& comm_;
  const std::uint64_t training_;
  const int parts_;
  std::vector<std::unique_ptr<Seat>> seats_;

  std::mutex mutex_;
  std::condition_variable driver_;  // the thread that calls from outside, the only one that uses comm_
  int free_turns_;
  std::vector<std::pair<int, Bytes>> outbox_;  // by rank
  std::deque<std::string> orders_;
  const std::function<void(int)>* body_ = nullptr;  // of the run that is on
  int unfinished_ = 0;                              // parts in it
  std::exception_ptr error_;
  int failed_ = 0;  // the part that it is of; -1: none, messages
  bool is_stopped_ = false, is_closing_ = false, is_ended_ = false;
  int ended_ranks_ = 0;
};

}  // namespace gcnh
