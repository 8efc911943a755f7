#include "gcnh/io/line_log.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "gcnh/base/error.h"
#include "gcnh/io/file.h"

namespace gcnh {

std::vector<std::string> whole_lines(std::string_view text) {
  std::vector<std::string> out;
  std::size_t begin = 0;
  for (std::size_t end; (end = text.find('\n', begin)) != std::string_view::npos; begin = end + 1)
    out.emplace_back(text.substr(begin, end - begin));
  return out;
}

LineLog::LineLog(const std::filesystem::path& path) : path_(path) {
  const auto give_up = [&](const std::string& reason) {
    if (fd_ >= 0) ::close(fd_);
    fail(Status::io, "cannot write '", path_.string(), "': ", reason);
  };
  fd_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0666);
  if (fd_ < 0) give_up(errno == ELOOP ? "it is a symbolic link; name the file itself" : std::strerror(errno));
  if (::flock(fd_, LOCK_EX | LOCK_NB) != 0) give_up("another program is writing to it");
  const std::string text = read_file(path);
  lines_ = whole_lines(text);
  rest_ = text.substr(text.rfind('\n') + 1);  // everything where there is none
}

LineLog::~LineLog() { ::close(fd_); }

// Only what was read is cut off, not what others have written since.
void LineLog::cut_rest() {
  if (rest_.empty()) return;
  std::size_t size = rest_.size();
  for (const std::string& line : lines_) size += line.size() + 1;
  if (::lseek(fd_, 0, SEEK_END) != static_cast<off_t>(size))
    fail(Status::io, "cannot write '", path_.string(), "': another program has changed it");
  if (::ftruncate(fd_, static_cast<off_t>(size - rest_.size())) != 0)
    fail(Status::io, "cannot write '", path_.string(), "': ", std::strerror(errno));
  rest_.clear();
}

void LineLog::append(std::string_view line) {
  cut_rest();
  const off_t before = ::lseek(fd_, 0, SEEK_END);
  const auto give_up = [&] {
    const std::string reason = std::strerror(errno);
    const bool whole = before >= 0 && ::ftruncate(fd_, before) == 0;  // nothing stays of the line
    fail(Status::io, "cannot write '", path_.string(), "': ", reason, whole ? "" : "; its last line is not whole");
  };
  std::string whole(line);
  whole += '\n';
  std::string_view rest = whole;
  while (!rest.empty()) {
    const ssize_t done = ::write(fd_, rest.data(), rest.size());
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) give_up();
    rest.remove_prefix(static_cast<std::size_t>(done));
  }
  if (::fdatasync(fd_) != 0) give_up();
}

}  // namespace gcnh
