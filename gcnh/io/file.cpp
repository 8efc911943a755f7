#include "gcnh/io/file.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <limits>
#include <optional>
#include <utility>

#include "gcnh/base/error.h"

namespace gcnh {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail_io(const std::string& doing, const fs::path& path, int reason) {
  fail(Status::io, doing, " '", path.string(), "': ", std::strerror(reason));
}

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return fd_; }
  int release() { return std::exchange(fd_, -1); }

 private:
  int fd_;
};

// What cannot be read at once and from any place, and what to do.
const char* describe_mode(mode_t mode) {
  if (S_ISDIR(mode)) return "is a folder; give a file";
  if (S_ISFIFO(mode) || S_ISSOCK(mode)) return "is a pipe; write it to a file first and give that";
  return "is a device; give a file";
}

bool is_standard_input(const fs::path& path) { return path == "-" || path == "/dev/stdin"; }

bool is_named_pipe(const fs::path& path) {
  std::error_code ignored;
  return fs::is_fifo(path, ignored);
}

// O_NONBLOCK: opening a named pipe that nobody wants returns at once, to be refused, instead of waiting for a writer.
int open_descriptor(const fs::path& path, Pipes pipes) {
  if (pipes == Pipes::read && is_standard_input(path)) return ::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0);
  const bool wait = pipes == Pipes::read && is_named_pipe(path);
  return ::open(path.c_str(), O_RDONLY | O_CLOEXEC | (wait ? 0 : O_NONBLOCK));
}

// The size of a file; of pipes, and of a file that is standard input and may have been read in part, nothing.
int open_to_read(const fs::path& path, Pipes pipes, std::optional<std::size_t>& size) {
  Descriptor fd(open_descriptor(path, pipes));
  if (fd.get() < 0) fail_io("cannot read", path, errno);
  struct stat info {};
  if (::fstat(fd.get(), &info) != 0) fail_io("cannot read", path, errno);
  const bool is_file = S_ISREG(info.st_mode), is_pipe = S_ISFIFO(info.st_mode) || S_ISSOCK(info.st_mode);
  if (!is_file && !(is_pipe && pipes == Pipes::read))
    fail(Status::io, "cannot read '", path.string(), "': it ", describe_mode(info.st_mode));
  if (is_file && !(pipes == Pipes::read && is_standard_input(path))) size = static_cast<std::size_t>(info.st_size);
  return fd.release();
}

void write_all(int fd, std::string_view bytes, const fs::path& path) {
  while (!bytes.empty()) {
    const ssize_t done = ::write(fd, bytes.data(), bytes.size());
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) fail_io("cannot write", path, errno);
    bytes.remove_prefix(static_cast<std::size_t>(done));
  }
}

constexpr std::string_view kTemporary = ".tmp-";

// A new file beside `path`, with a name of this process and call.
int create_beside(const fs::path& path, fs::path& temporary) {
  static std::atomic<unsigned> calls{0};
  for (;;) {
    temporary = path;
    temporary += join(kTemporary, ::getpid(), "-", calls++);
    const int fd = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd >= 0) return fd;
    if (errno != EEXIST) fail_io("cannot write", path, errno);
  }
}

// What stands before the ending that create_beside gave it, where the process of that ending is gone; else empty.
std::string name_before_leftover(const std::string& name) {
  const std::size_t at = name.rfind(kTemporary);
  if (at == std::string::npos) return "";
  pid_t process = 0;
  unsigned call = 0;
  const char* const end = name.data() + name.size();
  const auto first = std::from_chars(name.data() + at + kTemporary.size(), end, process);
  if (first.ec != std::errc() || process <= 0 || first.ptr == end || *first.ptr != '-') return "";
  const auto second = std::from_chars(first.ptr + 1, end, call);
  if (second.ec != std::errc() || second.ptr != end) return "";
  return ::kill(process, 0) != 0 && errno == ESRCH ? name.substr(0, at) : "";
}

// The rename itself is on disk only when the folder is.
void sync_folder(const fs::path& path) {
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  Descriptor fd(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (fd.get() < 0) fail_io("cannot write", path, errno);
  // Some file systems cannot sync a folder and say EINVAL; there is nothing more to do on those.
  if (::fsync(fd.get()) != 0 && errno != EINVAL) fail_io("cannot write", path, errno);
}

}  // namespace

std::string shown_name(const fs::path& path) { return path == "-" ? "standard input" : path.string(); }

FileReader::FileReader(const fs::path& path, Pipes pipes) : name_(shown_name(path)) {
  std::optional<std::size_t> size;
  fd_ = open_to_read(path, pipes, size);
  is_pipe_ = !size;
  left_ = size.value_or(std::numeric_limits<std::size_t>::max());
}

FileReader::~FileReader() { ::close(fd_); }

void FileReader::read(std::size_t size, std::string& to) {
  std::size_t have = to.size();
  to.resize(have + std::min(size, left_));
  while (have < to.size()) {
    const ssize_t got = ::read(fd_, to.data() + have, to.size() - have);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail_io("cannot read", name_, errno);
    if (got == 0 && !is_pipe_) fail(Status::io, "cannot read '", name_, "': it became shorter meanwhile");
    if (got == 0) {
      left_ = 0;
      to.resize(have);
      return;
    }
    have += static_cast<std::size_t>(got);
    left_ -= static_cast<std::size_t>(got);
  }
}

std::string read_file(const fs::path& path) {
  FileReader file(path);
  std::string bytes;
  file.read(file.left(), bytes);
  return bytes;
}

bool is_file(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

bool is_of_system(const fs::path& path) {
  constexpr int kMostLinks = 40;
  fs::path place = path;
  for (int i = 0; i < kMostLinks; ++i) {
    std::error_code ignored;
    const fs::path folder = fs::weakly_canonical(fs::absolute(place, ignored).parent_path(), ignored);
    const std::string text = (folder / place.filename()).string();
    if (text.starts_with("/proc/") || (text.starts_with("/dev/") && !text.starts_with("/dev/shm/"))) return true;
    if (!fs::is_symlink(fs::symlink_status(text, ignored))) return false;
    place = folder / fs::read_symlink(text, ignored);
  }
  return false;
}

void make_folders(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) fail(Status::io, folder.string(), ": cannot make the folder (", error.message(), ")");
}

void write_atomically(const fs::path& path, std::string_view bytes) { write_atomically(path, std::span(&bytes, 1)); }

void write_atomically(const fs::path& path, std::span<const std::string_view> pieces) {
  std::error_code ignored;
  const fs::file_status target = fs::status(path, ignored);
  if (fs::exists(target) && !fs::is_regular_file(target))
    fail(Status::io, "cannot write '", path.string(), "': it exists and is not a regular file");
  if (is_of_system(path))
    fail(Status::io, "cannot write '", path.string(), "': it leads to a device or an open file of a program");
  fs::path temporary;
  Descriptor fd(create_beside(path, temporary));
  try {
    for (const std::string_view piece : pieces) write_all(fd.get(), piece, path);
    if (::fsync(fd.get()) != 0) fail_io("cannot write", path, errno);
    if (::close(fd.release()) != 0) fail_io("cannot write", path, errno);
    if (::rename(temporary.c_str(), path.c_str()) != 0) fail_io("cannot write", path, errno);
  } catch (...) {
    ::unlink(temporary.c_str());
    throw;
  }
  sync_folder(path);
}

void remove_leftovers(const fs::path& folder, const std::function<bool(const std::string& name)>& own) {
  std::error_code ignored;  // what cannot be removed harms nobody
  for (fs::directory_iterator at(folder, ignored), end; !ignored && at != end; at.increment(ignored)) {
    const std::string name = name_before_leftover(at->path().filename().string());
    std::error_code kept;
    if (!name.empty() && own(name) && fs::is_regular_file(at->symlink_status(kept))) fs::remove(at->path(), kept);
  }
}

}  // namespace gcnh
