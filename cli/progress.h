// Progress on stderr: a bar with time left on a terminal, a plain line now and then in a pipe, nothing when quiet.
#pragma once

#include <chrono>
#include <map>
#include <string>

#include "gcnh/gcnh.h"
#include "gcnh/studies.h"

namespace gcnh::cli {

class ProgressBar {
 public:
  explicit ProgressBar(bool quiet);
  bool due() const;  // whether it is time to show something
  // `share` of the work is done; `fresh` of it since the start, for the time left.
  void show(const std::string& title, double share, double fresh, const std::string& text);
  void restart();  // the time left counts from here
  void finish();   // takes the bar away

 private:
  using Clock = std::chrono::steady_clock;
  bool quiet_;
  bool terminal_;
  Clock::time_point start_ = Clock::now();
  Clock::time_point drawn_ = start_;
  bool visible_ = false;
};

// The progress of one run, epoch by epoch.
class Progress {
 public:
  Progress(std::string title, int splits, const TrainOptions& options, bool quiet);
  void resume(int split, const TrainState& state);  // the split begins with the epochs of its checkpoint
  void update(int split, const TrainState& state);
  void finish() { bar_.finish(); }

 private:
  ProgressBar bar_;
  std::string title_;
  double total_;  // epochs of all splits
  int splits_;
  Metric metric_;
  std::map<int, int> epochs_done_;
  double epochs_before_ = 0;  // those that checkpoints brought
};

// Turns Ctrl-C and SIGTERM into a request while it lives; a second one ends the program at once.
class StopOnInterrupt {
 public:
  StopOnInterrupt();
  ~StopOnInterrupt();
  bool requested() const;
};

}  // namespace gcnh::cli
