// Threads inside one run. A Pool belongs to whoever made it; kernels reach it through the calling thread's PoolScope
// and run serially where there is none. What a piece writes depends on its indices only, so results do not depend on
// threads.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>

namespace gcnh {

class Pool {
 public:
  explicit Pool(int threads);  // the caller counts as one of them
  ~Pool();
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  // task(0) ... task(count - 1), each once, on all threads; returns when all are done. After an exception no task is
  // begun any more. Tasks are begun in order, so of all that would throw the lowest always does: its exception is
  // rethrown, whichever thread was first.
  void run(std::int64_t count, const std::function<void(std::int64_t)>& task);

 private:
  struct Shared;
  std::unique_ptr<Shared> shared_;
};

// Lends a pool to the kernels called from this thread for as long as the scope lives.
class PoolScope {
 public:
  explicit PoolScope(Pool* pool);
  ~PoolScope();
  PoolScope(const PoolScope&) = delete;
  PoolScope& operator=(const PoolScope&) = delete;

 private:
  Pool* previous_;
};

Pool* current_pool();

// body(begin, end) over pieces of [0, count) that cover it exactly; cost is the rough number of additions one index
// takes.
template <class Number, class Body>
void parallel_for(Number count, std::int64_t cost, const Body& body) {
  constexpr std::int64_t kPieceCost = 1 << 16;
  const std::int64_t piece = std::max<std::int64_t>(1, kPieceCost / std::max<std::int64_t>(1, cost));
  const auto all = static_cast<std::int64_t>(count);
  Pool* pool = current_pool();
  if (!pool || all <= piece) return body(Number{0}, count);
  pool->run((all + piece - 1) / piece, [&](std::int64_t p) {
    body(static_cast<Number>(p * piece), static_cast<Number>(std::min(all, (p + 1) * piece)));
  });
}

// body(i) for every index, in such pieces.
template <class Number, class Body>
void parallel_each(Number count, std::int64_t cost, const Body& body) {
  parallel_for(count, cost, [&](Number begin, Number end) {
    const Body own(body);  // what it refers to stays in registers
    for (Number i = begin; i < end; ++i) own(i);
  });
}

}  // namespace gcnh
