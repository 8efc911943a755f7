#include "cli/progress.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <numeric>

#include "cli/layout.h"

namespace gcnh::cli {
namespace {

constexpr std::size_t kLongestBar = 24;
constexpr std::size_t kShortestBar = 5;  // a shorter one shows nothing

volatile std::sig_atomic_t stop_requested = 0;

void on_signal(int number) {
  stop_requested = 1;
  std::signal(number, SIG_DFL);
}

std::string draw_bar(double share, std::size_t width) {
  const auto filled = static_cast<std::size_t>(share * static_cast<double>(width));
  std::string out;
  for (std::size_t i = 0; i < width; ++i) out += i < filled ? "━" : "·";
  return out + " ";
}

// A line that wraps cannot be erased any more, so it stays narrower than the terminal: the bar gives way first, then
// the end of the text.
std::string fit(const std::string& title, double share, const std::string& text, std::size_t width) {
  const std::string head = report::shorten(title, width / 2) + " ";
  const std::size_t used = report::display_width(head) + report::display_width(text) + 1;
  const std::size_t room = width - std::min(width, used);
  const std::string bar = room < kShortestBar ? "" : draw_bar(share, std::min(room, kLongestBar));
  return report::shorten(head + bar + text, width);
}

}  // namespace

ProgressBar::ProgressBar(bool quiet) : quiet_(quiet), terminal_(isatty(STDERR_FILENO) != 0) {}

bool ProgressBar::due() const {
  return !quiet_ && std::chrono::duration<double>(Clock::now() - drawn_).count() >= (terminal_ ? 0.1 : 10.0);
}

// By fputs, which does not mind a full disk: work must not end because nobody sees how far it is.
void ProgressBar::show(const std::string& title, double share, double fresh, const std::string& text) {
  if (quiet_) return;
  drawn_ = Clock::now();
  const double elapsed = std::chrono::duration<double>(drawn_ - start_).count();
  const std::string left = fmt::format("about {:.0f} s left", elapsed * (1 - share) / fresh);
  const std::string percent = fmt::format("{:3.0f} %", 100 * share);
  if (!terminal_) {
    std::fputs(fmt::format("{} {}  {}  {:.0f} s, {}\n", title, percent, text, elapsed, left).c_str(), stderr);
    return;
  }
  const std::size_t width =
      std::max<std::size_t>(terminal_width(STDERR_FILENO), 2) - 1;  // some terminals wrap a full line
  const std::string line = fit(title, share, fmt::format("{}  {}  {}", percent, left, text), width);
  std::fputs(("\r\x1b[K" + line).c_str(), stderr);
  std::fflush(stderr);
  visible_ = true;
}

void ProgressBar::restart() { start_ = Clock::now(); }

void ProgressBar::finish() {
  if (!visible_) return;
  std::fputs("\r\x1b[K", stderr);
  visible_ = false;
}

Progress::Progress(std::string title, int splits, const TrainOptions& options, bool quiet)
    : bar_(quiet),
      title_(std::move(title)),
      total_(static_cast<double>(splits) * options.epochs),
      splits_(splits),
      metric_(options.metric) {}

void Progress::resume(int split, const TrainState& state) {
  epochs_done_[split] = state.epoch();
  epochs_before_ += state.epoch();
}

void Progress::update(int split, const TrainState& state) {
  epochs_done_[split] = state.epoch();
  if (!bar_.due()) return;
  const double done = std::accumulate(epochs_done_.begin(), epochs_done_.end(), 0.0,
                                      [](double sum, auto& e) { return sum + e.second; });
  const double share = std::min(1.0, done / total_);
  bar_.show(title_, share, (done - epochs_before_) / total_,
            fmt::format("split {} of {}  epoch {}  val {}{}", epochs_done_.size(), splits_, state.epoch(),
                        value_text(metric_, state.history.back().val_metric), percent_sign(metric_)));
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
