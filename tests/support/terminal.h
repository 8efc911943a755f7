// Runs the gcnh program in a terminal of its own.
#pragma once

#include <poll.h>
#include <pty.h>
#include <sys/ioctl.h>

#include <cstdlib>

#include "tests/support/program.h"

namespace gcnh::testing {

class TerminalProgram {
 public:
  // 0 columns: a terminal that does not tell its size. `columns_text` is the variable COLUMNS; empty: it is not set.
  TerminalProgram(const std::vector<std::string>& args, int columns, const std::string& columns_text = "") {
    const winsize size = {24, static_cast<unsigned short>(columns), 0, 0};
    child_ = forkpty(&terminal_, nullptr, nullptr, &size);
    if (child_ != 0) return;
    unsetenv("COLUMNS");
    if (!columns_text.empty()) setenv("COLUMNS", columns_text.c_str(), 1);
    exec_program(args);
  }
  ~TerminalProgram() {
    kill(child_, SIGKILL);
    wait_for(child_);
    close(terminal_);
  }
  TerminalProgram(const TerminalProgram&) = delete;
  TerminalProgram& operator=(const TerminalProgram&) = delete;

  void resize(int columns) {
    const winsize size = {24, static_cast<unsigned short>(columns), 0, 0};
    ASSERT_EQ(ioctl(terminal_, TIOCSWINSZ, &size), 0);
  }

  // The next line of progress: what is written between one erasing of the line and the next. Empty: there is none.
  std::string next_update() {
    static const std::string kErase = "\r\x1b[K";
    for (;;) {
      const std::size_t begin = text_.find(kErase);
      const std::size_t end = begin == std::string::npos ? begin : text_.find(kErase, begin + kErase.size());
      if (end != std::string::npos) {
        const std::string update = text_.substr(begin + kErase.size(), end - begin - kErase.size());
        text_.erase(0, end);
        return update;
      }
      if (!read_more()) return "";
    }
  }

 private:
  bool read_more() {
    pollfd ready = {terminal_, POLLIN, 0};
    char bytes[4096];
    const ssize_t got = poll(&ready, 1, 120'000) == 1 ? read(terminal_, bytes, sizeof bytes) : 0;
    if (got > 0) text_.append(bytes, static_cast<std::size_t>(got));
    return got > 0;
  }

  pid_t child_ = -1;
  int terminal_ = -1;
  std::string text_;
};

}  // namespace gcnh::testing
