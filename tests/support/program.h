// Runs the gcnh program as a user would.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <random>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "tests/support/temp_dir.h"

namespace gcnh::testing {

struct Answer {
  int code;  // exit code, or 128 + signal
  std::string out;
  std::string err;
};

inline std::string slurp(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  EXPECT_TRUE(in.is_open()) << "no file " << path;
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

// Becomes the program; for a child that was forked for it.
[[noreturn]] inline void exec_program(const std::vector<std::string>& args) {
  std::vector<char*> argv = {const_cast<char*>(GCNH_PROGRAM)};
  for (const std::string& arg : args) argv.push_back(const_cast<char*>(arg.c_str()));
  argv.push_back(nullptr);
  execv(GCNH_PROGRAM, argv.data());
  _exit(127);
}

// Starts the program with its output in two files of the folder.
inline pid_t start_program(const std::vector<std::string>& args, const TempDir& folder) {
  const std::string out = folder / "stdout", err = folder / "stderr";
  const pid_t child = fork();
  if (child != 0) return child;
  dup2(open(out.c_str(), O_CREAT | O_TRUNC | O_WRONLY, 0600), STDOUT_FILENO);
  dup2(open(err.c_str(), O_CREAT | O_TRUNC | O_WRONLY, 0600), STDERR_FILENO);
  exec_program(args);
}

inline int wait_for(pid_t child) {
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

inline Answer run_program(const std::vector<std::string>& args) {
  const TempDir folder;
  const int code = wait_for(start_program(args, folder));
  return {code, slurp(folder / "stdout"), slurp(folder / "stderr")};
}

// Starts the program, sends the signal after a while unless it has ended by then, and says how it ended.
inline int run_and_signal(const std::vector<std::string>& args, int signal, int milliseconds) {
  const TempDir folder;
  const pid_t child = start_program(args, folder);
  const auto moment = std::chrono::steady_clock::now() + std::chrono::milliseconds(milliseconds);
  siginfo_t ended{};
  while (std::chrono::steady_clock::now() < moment && ended.si_pid == 0) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    waitid(P_PID, static_cast<id_t>(child), &ended, WEXITED | WNOHANG | WNOWAIT);
  }
  kill(child, signal);
  return wait_for(child);
}

// Starts the program, sends the signal as soon as it has written to the file, and says how it ended. The program must
// not end by itself.
inline Answer signal_once_written(const std::vector<std::string>& args, int signal, const std::filesystem::path& file) {
  const TempDir folder;
  const auto state = [&] {
    std::error_code ignored;
    return std::pair(std::filesystem::exists(file, ignored), std::filesystem::last_write_time(file, ignored));
  };
  const auto before = state();
  const pid_t child = start_program(args, folder);
  while (state() == before && waitpid(child, nullptr, WNOHANG) == 0)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  kill(child, signal);
  const int code = wait_for(child);
  return {code, slurp(folder / "stdout"), slurp(folder / "stderr")};
}

// Kills the program at random moments of the time that it took when nobody killed it.
inline void kill_at_random(const std::vector<std::string>& args, std::chrono::milliseconds whole, unsigned seed) {
  std::mt19937 draw(seed);
  std::uniform_int_distribution<int> moment(0, static_cast<int>(whole.count()));
  for (int i = 0; i < 12; ++i) run_and_signal(args, SIGKILL, moment(draw));
}

// Runs the program to its end and says how long it took.
inline std::chrono::milliseconds time_program(const std::vector<std::string>& args) {
  const auto start = std::chrono::steady_clock::now();
  const Answer a = run_program(args);
  EXPECT_EQ(a.code, 0) << a.err;
  return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - start);
}

}  // namespace gcnh::testing
