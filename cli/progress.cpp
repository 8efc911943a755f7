#include "cli/progress.h"

#include <fmt/core.h>
#include <unistd.h>

#include <csignal>
#include <numeric>

namespace gcnh::cli {
namespace {

constexpr int kBarWidth = 24;

volatile std::sig_atomic_t stop_requested = 0;

void on_signal(int number) {
  stop_requested = 1;
  std::signal(number, SIG_DFL);
}

}  // namespace

ProgressBar::ProgressBar(bool quiet) : quiet_(quiet), terminal_(isatty(STDERR_FILENO) != 0) {}

bool ProgressBar::due() const {
  return !quiet_ && std::chrono::duration<double>(Clock::now() - drawn_).count() >= (terminal_ ? 0.1 : 10.0);
}

void ProgressBar::show(const std::string& title, double share, double fresh, const std::string& text) {
  if (quiet_) return;
  drawn_ = Clock::now();
  const double elapsed = std::chrono::duration<double>(drawn_ - start_).count();
  const std::string times =
      fmt::format("{}  {:.0f} s, about {:.0f} s left", text, elapsed, elapsed * (1 - share) / fresh);
  if (!terminal_) {
    fmt::print(stderr, "{} {:3.0f} %  {}\n", title, 100 * share, times);
    return;
  }
  const int filled = static_cast<int>(share * kBarWidth);
  std::string bar;
  for (int i = 0; i < kBarWidth; ++i) bar += i < filled ? "━" : "·";
  fmt::print(stderr, "\r\x1b[K{} {} {:3.0f} %  {}", title, bar, 100 * share, times);
  std::fflush(stderr);
  visible_ = true;
}

void ProgressBar::restart() { start_ = Clock::now(); }

void ProgressBar::finish() {
  if (!visible_) return;
  fmt::print(stderr, "\r\x1b[K");
  visible_ = false;
}

Progress::Progress(std::string title, int splits, int epochs, bool quiet)
    : bar_(quiet), title_(std::move(title)), total_(static_cast<double>(splits) * epochs), splits_(splits) {}

void Progress::update(int split, const TrainState& state) {
  epochs_done_[split] = state.epoch();
  if (!bar_.due()) return;
  const double done = std::accumulate(epochs_done_.begin(), epochs_done_.end(), 0.0,
                                      [](double sum, auto& e) { return sum + e.second; });
  const double share = std::min(1.0, done / total_);
  bar_.show(title_, share, share,
            fmt::format("split {} of {}  epoch {}  val {:.1f} %", epochs_done_.size(), splits_, state.epoch(),
                        100 * state.history.back().val_accuracy));
}

StopOnInterrupt::StopOnInterrupt() {
  stop_requested = 0;
  std::signal(SIGINT, on_signal);
  std::signal(SIGTERM, on_signal);
}

StopOnInterrupt::~StopOnInterrupt() {
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
}

bool StopOnInterrupt::requested() const { return stop_requested != 0; }

}  // namespace gcnh::cli
