// A folder that this program alone writes to. The lock goes with the process, however that ends, and leaves no file.
#pragma once

#include <filesystem>
#include <utility>

namespace gcnh {

class FolderLock {
 public:
  // Makes the folder where it is missing. Throws when another program holds it.
  explicit FolderLock(const std::filesystem::path& folder);
  ~FolderLock();
  FolderLock(FolderLock&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  FolderLock& operator=(FolderLock&&) = delete;

 private:
  int fd_;
};

}  // namespace gcnh
