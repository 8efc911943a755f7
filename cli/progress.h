// Progress on stderr: a bar with time left on a terminal, a plain line now and then in a pipe, nothing when quiet.
#pragma once

#include <chrono>
#include <map>
#include <string>

#include "gcnh/gcnh.h"

namespace gcnh::cli {

class Progress {
 public:
  Progress(std::string title, int splits, int epochs, bool quiet);
  void update(int split, const TrainState& state);
  void finish();  // takes the bar away

 private:
  void draw(const std::string& text);

  using Clock = std::chrono::steady_clock;
  std::string title_;
  double total_;  // epochs of all splits
  int splits_;
  bool quiet_;
  bool terminal_;
  std::map<int, int> epochs_done_;
  Clock::time_point start_ = Clock::now();
  Clock::time_point drawn_ = start_;
  bool visible_ = false;
};

// Turns Ctrl-C and SIGTERM into a request while it lives; a second one ends the program at once.
class StopOnInterrupt {
 public:
  StopOnInterrupt();
  ~StopOnInterrupt();
  bool requested() const;
};

}  // namespace gcnh::cli
