#include "gcnh/comm/part_team.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <fstream>
#include <functional>
#include <future>

#include "gcnh/base/error.h"
#include "tests/support/memory_ranks.h"

namespace gcnh::testing {
namespace {

// A job whose ranks each have a thread; body(team) is that of rank 0, other(team) of the others.
template <class Body, class Other>
void as_ranks(MemoryRanks& job, int parts, int threads, const Body& body, const Other& other) {
  std::vector<std::thread> others;
  for (int r = 1; r < job.comm(0).size(); ++r)
    others.emplace_back([&, r] {
      PartTeam team(job.comm(r), 1, parts, threads);
      other(team);
      while (team.next_order()) {
      }
    });
  {
    PartTeam team(job.comm(0), 1, parts, threads);
    body(team);
  }
  for (std::thread& thread : others) thread.join();
}

template <class Body, class Other>
void as_ranks(int ranks, int parts, int threads, const Body& body, const Other& other) {
  MemoryRanks job(ranks);
  as_ranks(job, parts, threads, body, other);
}

TEST(PartTeam, EveryPartIsOnOneRankAndTheFirstOnRank0) {
  for (int ranks : {1, 2, 3, 7}) {
    for (int parts : {1, 2, 5, 7, 16}) {
      const auto check = [&](PartTeam& team) {
        EXPECT_EQ(team.first_part_of(0), 0);
        EXPECT_EQ(team.first_part_of(ranks), parts);
        EXPECT_EQ(team.rank_of(0), 0);
        for (int r = 0; r < ranks; ++r)
          for (int p = team.first_part_of(r); p < team.first_part_of(r + 1); ++p) EXPECT_EQ(team.rank_of(p), r);
        EXPECT_EQ(team.begin(), team.first_part_of(team.rank()));
      };
      as_ranks(ranks, parts, 1, check, check);
    }
  }
}

// Every part hears of all others, in the order in which they speak; part 0 hears who has heard it all.
TEST(PartTeam, PartsTalkToEachOther) {
  constexpr int kParts = 6, kWords = 20;
  const auto talk = [](PartTeam& team, int part) {
    for (int i = 0; i < kWords; ++i) {
      for (int p = 0; p < kParts; ++p) {
        if (p != part) team.send(part, p, std::to_string(100 * part + i));
      }
      for (int p = kParts - 1; p >= 0; --p) {
        if (p == part) continue;
        EXPECT_EQ(team.receive(p, part), std::to_string(100 * p + i));
      }
    }
    if (part > 0) return team.send(part, 0, "done");
    for (int p = 1; p < kParts; ++p) EXPECT_EQ(team.receive(p, 0), "done");
  };
  for (int ranks : {1, 2, 5}) {
    for (int threads : {1, 3}) {
      const auto run = [&](PartTeam& team) { team.run([&](int part) { talk(team, part); }); };
      as_ranks(ranks, kParts, threads, run, run);
    }
  }
}

TEST(PartTeam, OrdersReachEveryRankInTheirOrder) {
  for (int ranks : {2, 3, 6, 9}) {
    std::atomic<int> heard = 0;
    as_ranks(
        ranks, 4, 1,
        [](PartTeam& team) {
          for (int i = 0; i < 50; ++i) team.order(std::to_string(i));
        },
        [&](PartTeam& team) {
          for (int i = 0; i < 50; ++i) {
            EXPECT_EQ(team.next_order(), std::to_string(i));
            ++heard;
          }
        });
    EXPECT_EQ(heard, 50 * (ranks - 1));
  }
}

TEST(PartTeam, NoMoreThanSoManyComputeAtATime) {
  for (int threads : {1, 2, 3}) {
    std::atomic<int> now = 0, most = 0;
    const auto body = [&](PartTeam& team) {
      for (int round = 0; round < 20; ++round)
        team.run([&](int part) {
          for (int step = 0; step < 5; ++step) {
            const int running = ++now;
            int seen = most;
            while (running > seen && !most.compare_exchange_weak(seen, running)) {
            }
            std::this_thread::yield();
            --now;
            team.send(part, (part + 1) % 8, "x");
            team.receive((part + 7) % 8, part);
          }
        });
    };
    as_ranks(1, 8, threads, body, [](PartTeam&) {});
    EXPECT_LE(most, threads);
    EXPECT_GE(most, 1);
  }
}

// A run that fails on every rank: what rank 0 hears of it.
std::string error_on_rank_0(PartTeam& team, const std::function<void(int)>& body) {
  try {
    team.run(body);
    ADD_FAILURE() << "no error on rank " << team.rank();
  } catch (const std::exception& error) {
    if (team.rank() == 0) return error.what();
    team.report(std::current_exception());
  } catch (...) {  // rank 0 has ended it
  }
  return "";
}

// The next training may begin before a rank has looked whether there is more to hear of the last one.
TEST(PartTeam, WhatIsSaidInTheNextTrainingIsLeftForItsTeam) {
  struct FallsAsleep : ThroughComm {  // when it has said something, until it is woken
    FallsAsleep(Comm& inner, std::shared_future<void> alarm) : ThroughComm(inner), woken(std::move(alarm)) {}
    void send(int to, Bytes message) override {
      ThroughComm::send(to, std::move(message));
      woken.wait();
    }
    std::shared_future<void> woken;
  };
  MemoryRanks job(2);
  std::promise<void> wake;
  FallsAsleep rank_1(job.comm(1), wake.get_future().share());
  std::thread other([&] {
    EXPECT_FALSE(PartTeam(rank_1, 1, 2, 1).next_order());
    PartTeam team(rank_1, 2, 2, 1);
    EXPECT_EQ(team.next_order(), "first of the second");
    while (team.next_order()) {
    }
  });
  { const PartTeam team(job.comm(0), 1, 2, 1); }
  {
    PartTeam team(job.comm(0), 2, 2, 1);
    team.order("first of the second");
    wake.set_value();
  }
  other.join();
}

TEST(PartTeam, AMessageThatGoesWrongEndsTheRunAndAllItsParts) {
  for (int broken : {0, 1}) {
    MemoryRanks job(2);
    job.comm(1 - broken).send(broken, std::make_shared<const std::string>("short"));
    const auto wait_in_vain = [](PartTeam& team) {
      struct Ending {
        std::atomic<int>& count;
        ~Ending() { ++count; }
      };
      std::atomic<int> ended = 0;
      const std::function<void(int)> body = [&](int part) {
        const Ending ending{ended};
        team.receive(part ^ 1, part);
      };
      const std::string error = error_on_rank_0(team, body);
      EXPECT_EQ(ended, 2) << "parts of rank " << team.rank();
      for (int part = team.begin(); part < team.end(); ++part) team.send(part ^ 1, part, "for those that still wait");
      while (ended < 2) std::this_thread::yield();
      EXPECT_EQ(error, team.rank() == 0 ? "a message between ranks is too short" : "");
    };
    as_ranks(job, 4, 1, wait_in_vain, wait_in_vain);
  }
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // which need all addresses themselves
// While it lives, the process gets so many bytes of addresses beyond those it has.
class AddressLimit {
 public:
  explicit AddressLimit(std::size_t more) {
    std::size_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    getrlimit(RLIMIT_AS, &before_);
    const rlimit small{pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE)) + more, before_.rlim_max};
    if (setrlimit(RLIMIT_AS, &small) != 0) return;
    void* beyond = mmap(nullptr, 2 * more, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    holds_ = beyond == MAP_FAILED;
    if (!holds_) munmap(beyond, 2 * more);
  }
  ~AddressLimit() { setrlimit(RLIMIT_AS, &before_); }
  AddressLimit(const AddressLimit&) = delete;
  AddressLimit& operator=(const AddressLimit&) = delete;
  bool holds() const { return holds_; }

 private:
  rlimit before_{};
  bool holds_ = false;
};

TEST(PartTeam, ThreadsThatCannotStartAreAnError) {
  std::string message = "none";
  {
    const AddressLimit limit(std::size_t{1} << 30);  // the stacks of a thousand threads take eight times that
    if (!limit.holds()) GTEST_SKIP() << "nothing limits addresses here (qemu)";
    try {
      MemoryRanks job(1);
      PartTeam team(job.comm(0), 1, 1000, 1);
      team.run([](int) {});
    } catch (const std::exception& error) {
      message = error.what();
    }
  }
  EXPECT_NE(message.find("parts: the system starts no more threads, and each of 1000 parts needs one"),
            std::string::npos)
      << message;
}

TEST(PartTeam, ThreadsThatAnotherRankCannotStartAreItsErrorOnRank0) {
  constexpr int kParts = 200;  // the stacks of rank 1's take 800 MB
  MemoryRanks job(2);
  std::promise<bool> is_scarce;
  std::thread other([&] {
    const bool fails = is_scarce.get_future().get();
    PartTeam team(job.comm(1), 1, kParts, 1);
    if (fails) error_on_rank_0(team, [](int) {});
    while (team.next_order()) {
    }
  });
  std::string message;
  bool holds = false;
  {
    PartTeam team(job.comm(0), 1, kParts, 1);
    team.run([](int) {});  // has its own threads
    const AddressLimit limit(std::size_t{100} << 20);
    holds = limit.holds();
    is_scarce.set_value(holds);
    const auto wait_for_rank_1 = [&](int part) {
      if (part == 0) team.receive(kParts - 1, 0);
    };
    if (holds) message = error_on_rank_0(team, wait_for_rank_1);
  }
  other.join();
  if (!holds) GTEST_SKIP() << "nothing limits addresses here (qemu)";
  EXPECT_NE(message.find("parts: the system starts no more threads, and each of 200 parts needs one"),
            std::string::npos)
      << message;
}
#endif

}  // namespace
}  // namespace gcnh::testing
