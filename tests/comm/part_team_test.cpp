#include "gcnh/comm/part_team.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <atomic>

#include "gcnh/base/error.h"
#include "tests/support/memory_ranks.h"

namespace gcnh::testing {
namespace {

// A job whose ranks each have a thread; body(team) is that of rank 0, other(team) of the others.
template <class Body, class Other>
void as_ranks(int ranks, int parts, int threads, const Body& body, const Other& other) {
  MemoryRanks job(ranks);
  std::vector<std::thread> others;
  for (int r = 1; r < ranks; ++r)
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

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // which need all addresses themselves
TEST(PartTeam, ThreadsThatCannotStartAreAnError) {
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_AS, &before), 0);
  const rlimit small{rlim_t{1} << 30, before.rlim_max};  // the stacks of a thousand threads take eight times that
  ASSERT_EQ(setrlimit(RLIMIT_AS, &small), 0);
  std::string message = "none";
  try {
    MemoryRanks job(1);
    PartTeam team(job.comm(0), 1, 1000, 1);
  } catch (const Error& error) {
    message = error.what();
  }
  ASSERT_EQ(setrlimit(RLIMIT_AS, &before), 0);
  EXPECT_NE(message.find("parts: the system starts no more threads, and each of 1000 parts needs one"),
            std::string::npos)
      << message;
}
#endif

}  // namespace
}  // namespace gcnh::testing
