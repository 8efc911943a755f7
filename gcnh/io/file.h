// Whole files in and out. A file under its final name is always complete: it is written beside it and renamed.
#pragma once

#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace gcnh {

// Files are read, never mapped: one that another program shortens meanwhile is an error then, not a signal.
std::string read_file(const std::filesystem::path& path);

// "standard input" for "-", which means that where pipes are read.
std::string shown_name(const std::filesystem::path& path);

// What to do with a named pipe, with "-" and with /dev/stdin.
enum class Pipes { refuse, read };

// A regular file, read piece by piece to where it ended when it was opened; a pipe to its end.
class FileReader {
 public:
  explicit FileReader(const std::filesystem::path& path, Pipes pipes = Pipes::refuse);
  ~FileReader();
  FileReader(const FileReader&) = delete;
  FileReader& operator=(const FileReader&) = delete;

  std::size_t left() const { return left_; }  // of a pipe: a large number until its end was met
  // Appends so many bytes, or as many as are left.
  void read(std::size_t size, std::string& to);

 private:
  std::string name_;
  std::size_t left_ = 0;
  bool is_pipe_ = false;
  int fd_;
};

// A regular file that can be looked at.
bool is_file(const std::filesystem::path& path);

// Whether it is, or leads by links to, something of the system's: a device, or a file that a program has open, such as
// /dev/stdout. Replacing it by a file would harm others than its user.
bool is_of_system(const std::filesystem::path& path);

// Makes the folder and those above it, where they are missing.
void make_folders(const std::filesystem::path& folder);

// Replaces the file or leaves it as it was, even when the power goes. Only regular files are replaced.
void write_atomically(const std::filesystem::path& path, std::string_view bytes);
void write_atomically(const std::filesystem::path& path,
                      std::span<const std::string_view> pieces);  // one behind the other

// Removes what write_atomically left in the folder when its program was killed: files beside names that are `own`, of
// processes that are gone. Nothing else is touched.
void remove_leftovers(const std::filesystem::path& folder, const std::function<bool(const std::string& name)>& own);

}  // namespace gcnh
