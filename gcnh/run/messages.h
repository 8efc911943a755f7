// What the ranks of a job say to each other: the kind of a message, then its fields.
//   rank r to 0   hello (who it is) · ready (whether it has the dataset) · event (of a training)
//   rank 0 to r   begin (fingerprint of the dataset, threads) · data (where it was not there) · task · stop · end
//                 parts (a rank's of one training; what is said during it goes aside, see comm/part_team.h)
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

#include "gcnh/comm/comm.h"
#include "gcnh/run/crew.h"
#include "gcnh/run/parts_training.h"
#include "gcnh/run/travel.h"

namespace gcnh {

enum class Say : char { hello, ready, event, begin, data, task, stop, parts, end };

// How long a rank waits for its own threads before it looks for messages.
inline constexpr std::chrono::milliseconds kBetweenLooks{1};

// Which program a process is.
struct Identity {
  std::string host;
  std::string command;        // with its arguments
  std::uint64_t program = 0;  // fingerprint of the file
};
Identity identity_of(const std::string& command);  // this one

void visit_fields(auto& f, Identity& i) {
  auto& [host, command, program] = i;
  f(host, command, program);
}
void visit_fields(auto& f, Task& t) {
  auto& [number, experiment, split, marks, whole, checkpoint, checkpoint_seconds] = t;
  f(number, experiment, split, marks, whole, checkpoint, checkpoint_seconds);
}
void visit_fields(auto& f, Event& e) {
  auto& [kind, number, state, saved, outcome, is_fresh, error, text] = e;
  f(kind, number, state, saved, outcome, is_fresh, error, text);
}

void visit_fields(auto& f, PartsTask& t) {
  auto& [training, count, threads, model, options, init, class_weights, parts] = t;
  f(training, count, threads, model, options, init, class_weights, parts);
}

template <class... T>
Bytes message(Say kind, const T&... fields) {
  WireWriter write;
  write(kind, fields...);
  return std::make_shared<const std::string>(write.take());
}

}  // namespace gcnh
