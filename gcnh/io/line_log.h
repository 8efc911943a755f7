// A file of lines that only grows. A line is there as a whole or not at all, whenever the program is killed.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace gcnh {

// The lines of a text without their ends; what follows the last end is not one.
std::vector<std::string> whole_lines(std::string_view text);

class LineLog {
 public:
  // Opens or creates the file, alone: a second program that opens it is refused. So is a symbolic link, as nothing is
  // ever written through one. The file stays as it is until a line is appended.
  explicit LineLog(const std::filesystem::path& path);
  ~LineLog();
  LineLog(const LineLog&) = delete;
  LineLog& operator=(const LineLog&) = delete;

  // The lines that were in the file when it was opened, without their ends.
  const std::vector<std::string>& lines() const { return lines_; }
  // What stood behind the last line end: what a kill left of a line, or a file that is not a log. The first line that
  // is appended takes its place, so the owner looks at it before.
  const std::string& rest() const { return rest_; }
  // Adds the line and its end, and returns when it is on disk.
  void append(std::string_view line);

 private:
  void cut_rest();

  std::filesystem::path path_;
  int fd_ = -1;
  std::vector<std::string> lines_;
  std::string rest_;
};

}  // namespace gcnh
