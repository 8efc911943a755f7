// NumPy's zip of arrays. Members are keys of a map and never touch the disk, so their names cannot lead anywhere.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gcnh/io/file.h"
#include "gcnh/io/npy.h"

struct zip;

namespace gcnh {

class Npz {
 public:
  static Npz open(const std::filesystem::path& path) { return Npz(path); }

  bool has(const std::string& name) const { return members_.count(name) > 0; }
  std::vector<std::string> names() const;
  NpyArray get(const std::string& name) const;  // without ".npy"

 private:
  struct Member {
    std::size_t position;
    std::size_t size;  // unpacked
  };
  struct Close {
    void operator()(zip* archive) const;
  };

  explicit Npz(const std::filesystem::path& path);
  void add_member(std::size_t position);

  std::string path_;
  std::unique_ptr<const std::string> file_;  // where the archive expects it
  std::unique_ptr<zip, Close> archive_;
  std::map<std::string, Member> members_;
  std::size_t packed_size_ = 0;  // of all members
};

using NpzMembers = std::vector<std::pair<std::string, NpyArray>>;  // names without ".npy"

// The same arrays give the same bytes.
std::string npz_bytes(const NpzMembers& members);
void write_npz(const std::filesystem::path& path, const NpzMembers& members);

}  // namespace gcnh
