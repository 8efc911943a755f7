// Rank 0's side.
#include "gcnh/run/hand_out.h"

#include <algorithm>
#include <cassert>
#include <exception>
#include <stdexcept>
#include <thread>

#include "gcnh/base/error.h"
#include "gcnh/graph/content_hash.h"
#include "gcnh/run/messages.h"

namespace gcnh {
namespace {

class HandOut {
 public:
  HandOut(Comm& comm, const std::vector<Training>& trainings, int threads, const RunObserver& observer,
          const Keep& keep, CheckpointKeeper* keeper)
      : comm_(comm),
        trainings_(trainings),
        observer_(observer),
        keep_(keep),
        keeper_(keeper),
        dataset_(message(Say::data, *trainings.front().experiment.dataset)),
        slots_(num_side_by_side(*trainings.front().experiment.dataset, threads, trainings.size())),
        crew_(num_threads_inside(*trainings.front().experiment.dataset, threads)),
        unready_(comm.size() - 1),
        busy_(static_cast<std::size_t>(comm.size()), 0) {
    tell_others(
        message(Say::begin, text_hash(*dataset_), num_threads_inside(*trainings.front().experiment.dataset, threads)));
  }

  void run() {
    while (!is_done()) {
      if (!is_stopping_ && observer_.should_stop()) stop();
      while (std::optional<Message> m = comm_.receive()) hear(*m);
      give();
      for (Event& event : crew_.events(kBetweenLooks)) take(0, std::move(event));
    }
    if (error_) std::rethrow_exception(error_);
  }

 private:
  void tell_others(const Bytes& bytes) {
    for (int r = 1; r < comm_.size(); ++r) comm_.send(r, bytes);
  }

  bool is_closed() const { return is_stopping_ || error_ || next_ == trainings_.size(); }  // nothing more begins

  // Every rank has answered, so that nothing of this is left in the way of the next.
  bool is_done() const {
    return is_closed() && unready_ == 0 && std::all_of(busy_.begin(), busy_.end(), [](int n) { return n == 0; });
  }

  void stop() {
    is_stopping_ = true;
    crew_.stop();
    tell_others(message(Say::stop));
  }

  // The next trainings to the ranks that do least, the lowest first.
  void give() {
    while (unready_ == 0 && !is_closed()) {
      const auto least = std::min_element(busy_.begin(), busy_.end());
      if (*least == slots_) return;
      const std::size_t number = next_++;
      guarded(number, [&] {
        Task task = task_of(number);
        const auto rank = static_cast<int>(least - busy_.begin());
        rank == 0 ? crew_.start(std::move(task)) : comm_.send(rank, message(Say::task, task));
        ++*least;
      });
    }
  }

  Task task_of(std::size_t number) const {
    const Training& t = trainings_[number];
    assert(t.experiment.hash == trainings_.front().experiment.hash);
    Task out{number, t.experiment, t.split, t.marks, t.whole, {}, {}};
    if (!keeper_) return out;
    out.checkpoint = keeper_->load(t.experiment, t.split);
    out.checkpoint_seconds = keeper_->checkpoint_seconds;
    return out;
  }

  void hear(const Message& m) {
    WireReader read(m.bytes);
    if (read.take<Say>() == Say::event) return take(m.from, read.take<Event>());
    if (const bool has_dataset = read.take<bool>(); !has_dataset) comm_.send(m.from, dataset_);
    if (--unready_ == 0) dataset_.reset();
  }

  void take(int rank, Event event) {
    if (event.ends_task()) --busy_[static_cast<std::size_t>(rank)];
    guarded(event.number, [&] { act_on(rank, std::move(event)); });
  }

  void act_on(int rank, Event event) {
    const Training& t = trainings_[event.number];
    switch (event.kind) {
      case Event::Kind::resumed:
        return observer_.on_resume(t.split, event.state);
      case Event::Kind::epoch:
        return observer_.on_epoch(t.split, event.state);
      case Event::Kind::saved:
        return keeper_->save_progress(t.experiment, t.split, *event.saved);
      case Event::Kind::stopped:
        return;
      case Event::Kind::done:
        if (keeper_ && event.is_fresh) keeper_->save_outcome(t.experiment, *event.outcome);
        return keep_(event.number, std::move(*event.outcome));
      case Event::Kind::failed:
        if (!event.error) throw std::runtime_error(join("rank ", rank, ": ", event.text));
        fail(*event.error, t.name, t.name.empty() ? "" : ": ", event.text);
    }
  }

  // Keeps the error of the lowest training.
  template <class Body>
  void guarded(std::size_t number, const Body& body) {
    try {
      body();
    } catch (...) {
      if (!error_ || number < failed_) {
        error_ = std::current_exception();
        failed_ = number;
      }
    }
  }

  Comm& comm_;
  const std::vector<Training>& trainings_;
  const RunObserver& observer_;
  const Keep& keep_;
  CheckpointKeeper* keeper_;
  Bytes dataset_;    // as a message, until it is sent
  const int slots_;  // trainings at a time on a rank
  Crew crew_;
  int unready_;            // ranks that have not said yet whether they have the dataset
  std::vector<int> busy_;  // trainings that a rank has begun, by rank
  std::size_t next_ = 0;
  bool is_stopping_ = false;
  std::exception_ptr error_;
  std::size_t failed_ = 0;  // the training that it is of
};

}  // namespace

void hand_out(Comm& comm, const std::vector<Training>& trainings, int threads, const RunObserver& observer,
              const Keep& keep, CheckpointKeeper* keeper) {
  HandOut(comm, trainings, threads, observer, keep, keeper).run();
}

void greet_ranks(Comm& comm, const std::string& command) {
  if (comm.size() == 1) return;
  const Identity own = identity_of(command);
  for (int missing = comm.size() - 1; missing > 0;) {
    const std::optional<Message> m = comm.receive();
    if (!m) {
      std::this_thread::sleep_for(kBetweenLooks);
      continue;
    }
    --missing;
    WireReader read(m->bytes);
    read.take<Say>();
    const auto other = read.take<Identity>();
    const std::string who = join("rank ", m->from, " on ", other.host);
    if (other.program != own.program)
      fail(Status::usage, who, " runs another build of gcnh than rank 0 on ", own.host, "; install the same on all");
    if (other.command != own.command)
      fail(Status::usage, who, " was started as '", other.command, "', rank 0 as '", own.command,
           "'; all ranks take the same arguments");
  }
}

void dismiss_ranks(Comm& comm) {
  for (int r = 1; r < comm.size(); ++r) comm.send(r, message(Say::end));
}

}  // namespace gcnh
