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

Progress::Progress(std::string title, int splits, int epochs, bool quiet)
    : title_(std::move(title)),
      total_(static_cast<double>(splits) * epochs),
      splits_(splits),
      quiet_(quiet),
      terminal_(isatty(STDERR_FILENO) != 0) {}

void Progress::update(int split, const TrainState& state) {
  if (quiet_) return;
  epochs_done_[split] = state.epoch();
  const auto now = Clock::now();
  if (std::chrono::duration<double>(now - drawn_).count() < (terminal_ ? 0.1 : 10.0)) return;
  drawn_ = now;
  const double done = std::accumulate(epochs_done_.begin(), epochs_done_.end(), 0.0,
                                      [](double sum, auto& e) { return sum + e.second; });
  const double share = std::min(1.0, done / total_);
  const double elapsed = std::chrono::duration<double>(now - start_).count();
  const std::string text =
      fmt::format("split {} of {}  epoch {}  val {:.1f} %  {:.0f} s, about {:.0f} s left", epochs_done_.size(), splits_,
                  state.epoch(), 100 * state.history.back().val_accuracy, elapsed, elapsed / share - elapsed);
  if (!terminal_) {
    fmt::print(stderr, "{} {:3.0f} %  {}\n", title_, 100 * share, text);
    return;
  }
  const int filled = static_cast<int>(share * kBarWidth);
  std::string bar;
  for (int i = 0; i < kBarWidth; ++i) bar += i < filled ? "━" : "·";
  draw(fmt::format("{} {} {:3.0f} %  {}", title_, bar, 100 * share, text));
}

void Progress::draw(const std::string& text) {
  fmt::print(stderr, "\r\x1b[K{}", text);
  std::fflush(stderr);
  visible_ = true;
}

void Progress::finish() {
  if (!visible_) return;
  fmt::print(stderr, "\r\x1b[K");
  visible_ = false;
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
