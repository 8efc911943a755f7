// Whole files in and out. A file under its final name is always complete: it is written beside it and renamed.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace gcnh {

std::string read_file(const std::filesystem::path& path);

// A file's bytes as the page cache holds them, read-only, without a copy.
class MappedFile {
 public:
  explicit MappedFile(const std::filesystem::path& path);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  std::string_view text() const { return text_; }

 private:
  std::string_view text_;
};

// Makes the folder and those above it, where they are missing.
void make_folders(const std::filesystem::path& folder);

// Replaces the file or leaves it as it was, even when the power goes. Only regular files are replaced.
void write_atomically(const std::filesystem::path& path, std::string_view bytes);

}  // namespace gcnh
