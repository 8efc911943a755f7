// The pool runs every task once, passes exceptions on and stays usable.
#include "gcnh/base/parallel.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

namespace gcnh::testing {
namespace {

TEST(Pool, RunsEveryTaskOnce) {
  for (int threads : {1, 2, 3, 8}) {
    Pool pool(threads);
    for (std::int64_t count : {0, 1, 2, 7, 1000}) {
      std::vector<std::atomic<int>> runs(count);
      pool.run(count, [&](std::int64_t i) { ++runs[i]; });
      for (const auto& run : runs) EXPECT_EQ(run, 1);
    }
  }
}

TEST(Pool, UsesItsThreads) {
  Pool pool(3);
  std::atomic<int> waiting = 0;
  std::mutex mutex;
  std::set<std::thread::id> seen;
  pool.run(3, [&](std::int64_t) {  // returns only when three threads are in here at once
    ++waiting;
    while (waiting < 3) std::this_thread::yield();
    const std::lock_guard lock(mutex);
    seen.insert(std::this_thread::get_id());
  });
  EXPECT_EQ(seen.size(), 3u);
}

TEST(Pool, ManyShortJobsInARow) {
  Pool pool(4);
  std::atomic<std::int64_t> sum = 0;
  for (int job = 0; job < 5000; ++job) pool.run(5, [&](std::int64_t i) { sum += i; });
  EXPECT_EQ(sum, 5000 * 10);
}

TEST(Pool, BeginsNoTaskAfterAnErrorRethrowsItAndStaysUsable) {
  for (int threads : {1, 2, 8}) {
    Pool pool(threads);
    for (int round = 0; round < 5; ++round) {
      std::atomic<int> begun = 0, done = 0, runs = 0;
      std::atomic<bool> thrown = false;
      const auto task = [&](std::int64_t i) {
        ++begun;
        if (i == 0) {
          thrown = true;
          throw std::runtime_error("task");
        }
        while (!thrown) std::this_thread::yield();
        std::this_thread::sleep_for(std::chrono::milliseconds(10));  // time for the error to be noticed
        ++done;
      };
      EXPECT_THROW(pool.run(1000, task), std::runtime_error);
      EXPECT_EQ(done, begun - 1) << "what was begun is finished";
      EXPECT_LT(begun, 1000);
      pool.run(100, [&](std::int64_t) { ++runs; });
      EXPECT_EQ(runs, 100);
    }
  }
}

TEST(Pool, RethrowsTheErrorOfTheLowestTask) {
  for (int threads : {2, 3, 8}) {
    Pool pool(threads);
    std::atomic<bool> other_threw = false;
    const auto task = [&](std::int64_t i) {
      if (i == 0) return;
      if (i == 1) {
        while (!other_threw) std::this_thread::yield();
        std::this_thread::sleep_for(std::chrono::milliseconds(20));  // so that the other error is the first
      }
      if (i == 2) other_threw = true;
      throw std::runtime_error("task " + std::to_string(i));
    };
    try {
      pool.run(1000, task);
      ADD_FAILURE() << "no error";
    } catch (const std::runtime_error& error) {
      EXPECT_STREQ(error.what(), "task 1") << threads << " threads";
    }
  }
}

TEST(PoolScope, LendsAndReturns) {
  EXPECT_EQ(current_pool(), nullptr);
  Pool outer(1), inner(2);
  {
    const PoolScope a(&outer);
    EXPECT_EQ(current_pool(), &outer);
    {
      const PoolScope b(&inner);
      EXPECT_EQ(current_pool(), &inner);
    }
    EXPECT_EQ(current_pool(), &outer);
    std::thread([] { EXPECT_EQ(current_pool(), nullptr); }).join();  // other threads do not see it
  }
  EXPECT_EQ(current_pool(), nullptr);
}

TEST(ParallelFor, PiecesCoverTheRangeExactly) {
  Pool pool(3);
  for (Pool* lent : {static_cast<Pool*>(nullptr), &pool}) {
    const PoolScope scope(lent);
    for (std::int64_t count : {0, 1, 65535, 65536, 65537, 200001}) {
      for (std::int64_t cost : {0, 1, 3, 1 << 20}) {
        if (count * cost > std::int64_t{1} << 30) continue;
        std::vector<std::atomic<char>> touched(count);
        parallel_for(count, cost, [&](std::int64_t begin, std::int64_t end) {
          for (std::int64_t i = begin; i < end; ++i) ++touched[i];
        });
        for (const auto& t : touched) ASSERT_EQ(t, 1);
      }
    }
  }
}

TEST(ParallelFor, PassesExceptionsOn) {
  Pool pool(2);
  const PoolScope scope(&pool);
  EXPECT_THROW(parallel_for(100, 1 << 20, [](std::int64_t, std::int64_t) { throw std::logic_error("piece"); }),
               std::logic_error);
}

}  // namespace
}  // namespace gcnh::testing
