#include "gcnh/comm/part_team.h"

#include <chrono>
#include <new>
#include <system_error>

#include "gcnh/base/error.h"
#include "gcnh/comm/wire.h"

namespace gcnh {
namespace {

// How often the driver looks for messages at once before it sleeps between two looks, and how long.
constexpr int kEagerLooks = 200, kAlertLooks = 2000;
constexpr std::chrono::microseconds kAlertSleep{50}, kSleep{1000};

template <class... T>
Bytes packed(const T&... fields) {
  WireWriter write;
  write(fields...);
  return std::make_shared<const std::string>(write.take());
}

// Rank r of a tree over all ranks has r + 1, r + 2, r + 4 ... below it, as far as the lowest bit of r goes.
std::vector<int> below(int rank, int ranks) {
  std::vector<int> out;
  for (int bit = 1; rank + bit < ranks && (rank & bit) == 0; bit *= 2) out.push_back(rank + bit);
  return out;
}

}  // namespace

PartTeam::PartTeam(Comm& comm, std::uint64_t training, int parts, int threads)
    : comm_(comm), training_(training), parts_(parts), free_turns_(threads) {
  for (int p = begin(); p < end(); ++p) seats_.push_back(std::make_unique<Seat>());
}

// What cannot be sent any more is lost with the job.
PartTeam::~PartTeam() {
  try {
    if (comm_.rank() == 0) dismiss();
  } catch (const std::exception&) {
  }
  join_threads();
}

// Of the parts that have none. Where no more can be started, the others wait until the team ends.
void PartTeam::start_threads() {
  if (is_inline()) return;
  try {
    for (int p = begin(); p < end(); ++p)
      if (!seat(p).thread.joinable()) seat(p).thread = std::thread([this, p] { work(p); });
  } catch (const std::system_error& error) {
    fail(Status::usage, "parts: the system starts no more threads, and each of ", parts_, " parts needs one (",
         error.code().message(), "); take fewer");
  }
}

void PartTeam::join_threads() {
  {
    const std::lock_guard lock(mutex_);
    is_closing_ = true;
  }
  for (const auto& s : seats_) s->turn.notify_one();
  for (const auto& s : seats_)
    if (s->thread.joinable()) s->thread.join();
}

// ceil(parts rank / ranks)
int PartTeam::first_part_of(int rank) const {
  return static_cast<int>((std::int64_t{parts_} * rank + comm_.size() - 1) / comm_.size());
}

int PartTeam::rank_of(int part) const { return static_cast<int>(std::int64_t{part} * comm_.size() / parts_); }

void PartTeam::run(const std::function<void(int)>& body) {
  start_threads();
  {
    const std::lock_guard lock(mutex_);
    body_ = &body;
    unfinished_ = static_cast<int>(seats_.size());
    if (!is_inline())
      for (const auto& s : seats_) s->is_ready = true;
    give_turns();
  }
  if (is_inline()) {
    const std::exception_ptr error = error_of_body(begin());
    const std::lock_guard lock(mutex_);
    finish(begin(), error);
  }
  try {
    drive([this] { return unfinished_ == 0; });
  } catch (...) {  // no part runs on without messages
    std::unique_lock lock(mutex_);
    stop(std::current_exception(), -1);
    driver_.wait(lock, [this] { return unfinished_ == 0; });
  }
  const std::lock_guard lock(mutex_);
  if (error_) std::rethrow_exception(error_);
}

void PartTeam::work(int part) {
  Seat& own = seat(part);
  std::unique_lock lock(mutex_);
  while (true) {
    own.turn.wait(lock, [&] { return own.has_turn || is_closing_; });
    if (!own.has_turn) return;
    lock.unlock();
    const std::exception_ptr error = error_of_body(part);
    lock.lock();
    own.has_turn = false;
    ++free_turns_;
    finish(part, error);
    give_turns();
  }
}

std::exception_ptr PartTeam::error_of_body(int part) const {
  try {
    (*body_)(part);
  } catch (const Stopped&) {
  } catch (...) {
    return std::current_exception();
  }
  return nullptr;
}

// With the lock held.
void PartTeam::finish(int part, const std::exception_ptr& error) {
  if (error) stop(error, part);
  if (--unfinished_ == 0) driver_.notify_one();
}

// With the lock held: lets the lowest of those that could go on do so. Like finish() and stop(), it takes no memory,
// because it also runs when there is none.
void PartTeam::give_turns() {
  for (const auto& s : seats_) {
    if (free_turns_ == 0) return;
    if (!std::exchange(s->is_ready, false)) continue;
    --free_turns_;
    s->has_turn = true;
    s->turn.notify_one();
  }
}

// With the lock held. Whoever waits will wait no longer.
void PartTeam::stop(std::exception_ptr error, int part) {
  if (!error_ || part < failed_) {
    error_ = std::move(error);
    failed_ = part;
  }
  is_stopped_ = true;
  for (int p = begin(); p < end(); ++p)
    if (std::exchange(seat(p).awaited, -1) >= 0) seat(p).is_ready = true;
  give_turns();
}

void PartTeam::send(int from, int to, std::string bytes) {
  if (rank_of(to) == comm_.rank()) {
    const std::lock_guard lock(mutex_);
    return deliver(from, to, std::move(bytes));
  }
  Bytes message = packed(training_, Kind::letter, from, to, bytes);
  const std::lock_guard lock(mutex_);
  outbox_.emplace_back(rank_of(to), std::move(message));
  driver_.notify_one();
}

// With the lock held.
void PartTeam::deliver(int from, int to, std::string bytes) {
  Seat& receiver = seat(to);
  receiver.inbox[from].push_back(std::move(bytes));
  if (receiver.awaited != from) return;
  receiver.awaited = -1;
  receiver.is_ready = true;
  give_turns();
}

std::string PartTeam::receive(int from, int to) {
  Seat& own = seat(to);
  std::deque<std::string>* letters = nullptr;
  {
    std::unique_lock lock(mutex_);
    letters = &own.inbox[from];
    if (letters->empty() && !is_stopped_ && !is_inline()) {
      own.awaited = from;
      own.has_turn = false;
      ++free_turns_;
      give_turns();
      own.turn.wait(lock, [&] { return own.has_turn; });
    }
  }
  if (is_inline()) drive([&] { return !letters->empty() || is_stopped_; });
  const std::lock_guard lock(mutex_);
  if (letters->empty()) throw Stopped();
  std::string out = std::move(letters->front());
  letters->pop_front();
  return out;
}

void PartTeam::order(std::string_view bytes) { relay(*packed(training_, Kind::order, std::string(bytes))); }

void PartTeam::relay(const std::string& bytes) {
  if (const std::vector<int> others = below(comm_.rank(), comm_.size()); !others.empty()) {
    const auto shared = std::make_shared<const std::string>(bytes);
    for (int r : others) comm_.send(r, shared);
  }
}

std::optional<std::string> PartTeam::next_order() {
  drive([this] { return !orders_.empty() || is_ended_; });
  const std::lock_guard lock(mutex_);
  if (orders_.empty()) return std::nullopt;
  std::string out = std::move(orders_.front());
  orders_.pop_front();
  return out;
}

void PartTeam::report(const std::exception_ptr& error) {
  std::optional<Status> status;
  std::string text;
  try {
    std::rethrow_exception(error);
  } catch (const Error& e) {
    status = e.status();
    text = e.what();
  } catch (const std::bad_alloc&) {
    text = "out of memory";
  } catch (const std::exception& e) {
    text = e.what();
  } catch (const Stopped&) {
    return;  // rank 0 knows
  }
  comm_.send(0, packed(training_, Kind::failure, status, text));
}

void PartTeam::dismiss() {
  if (comm_.size() == 1) return;
  relay(*packed(training_, Kind::end));
  drive([this] { return ended_ranks_ == comm_.size() - 1; });
}

void PartTeam::hear(const Message& m) {
  WireReader read(m.bytes);
  if (read.take<std::uint64_t>() != training_) return;  // of a training that has failed
  switch (read.take<Kind>()) {
    case Kind::letter: {
      const auto from = read.take<int>(), to = read.take<int>();
      auto bytes = read.take<std::string>();
      const std::lock_guard lock(mutex_);
      return deliver(from, to, std::move(bytes));
    }
    case Kind::order: {
      relay(m.bytes);
      const std::lock_guard lock(mutex_);
      orders_.push_back(read.take<std::string>());
      return;
    }
    case Kind::failure: {
      const auto status = read.take<std::optional<Status>>();
      const auto text = read.take<std::string>();
      const std::lock_guard lock(mutex_);
      return stop(status ? std::make_exception_ptr(Error(*status, text))
                         : std::make_exception_ptr(std::runtime_error(join("rank ", m.from, ": ", text))),
                  first_part_of(m.from));
    }
    case Kind::end: {
      relay(m.bytes);
      comm_.send(0, packed(training_, Kind::ended));
      const std::lock_guard lock(mutex_);
      is_ended_ = true;
      return stop(std::make_exception_ptr(Stopped()), parts_);
    }
    case Kind::ended:
      ++ended_ranks_;
  }
}

// Hands messages on until it is over. Called without the lock, by one thread; is_over() is called with it.
template <class IsOver>
void PartTeam::drive(const IsOver& is_over) {
  for (int idle = 0;; ++idle) {
    {
      std::unique_lock lock(mutex_);
      for (const auto& [rank, bytes] : std::exchange(outbox_, {})) comm_.send(rank, bytes);
      if (is_over()) return;
      if (comm_.size() == 1) {
        driver_.wait(lock, [&] { return is_over(); });
        return;
      }
      if (idle > kEagerLooks) driver_.wait_for(lock, idle < kAlertLooks ? kAlertSleep : kSleep);
    }
    while (!is_ended_) {  // what comes then is for the next team
      const std::optional<Message> m = comm_.receive();
      if (!m) break;
      hear(*m);
      idle = 0;
    }
    if (idle <= kEagerLooks) std::this_thread::yield();
  }
}

}  // namespace gcnh
