#include "gcnh/io/folder_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "gcnh/base/error.h"
#include "gcnh/io/file.h"

namespace gcnh {

FolderLock::FolderLock(const std::filesystem::path& folder) {
  make_folders(folder);
  fd_ = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd_ < 0) fail(Status::io, "cannot write to '", folder.string(), "': ", std::strerror(errno));
  // Some file systems cannot lock folders; there is nothing more to do on those.
  if (::flock(fd_, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return;
  ::close(fd_);
  fail(Status::io, "another gcnh is writing to '", folder.string(), "'; wait for it or take another `out`");
}

FolderLock::~FolderLock() {
  if (fd_ >= 0) ::close(fd_);
}

}  // namespace gcnh
