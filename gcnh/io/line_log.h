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
  // Opens or creates the file, alone: a second program that opens it is refused. What a kill left of a last line is cut
  // off.
  explicit LineLog(const std::filesystem::path& path);
  ~LineLog();
  LineLog(const LineLog&) = delete;
  LineLog& operator=(const LineLog&) = delete;

  // The lines that were in the file when it was opened, without their ends.
  const std::vector<std::string>& lines() const { return lines_; }
  // Adds the line and its end, and returns when it is on disk.
  void append(std::string_view line);

 private:
  std::filesystem::path path_;
  int fd_ = -1;
  std::vector<std::string> lines_;
};

}  // namespace gcnh
