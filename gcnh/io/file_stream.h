// The bytes of a file, a named pipe or standard input ("-") from first to last, unpacked where they are packed. Never
// more of them is in memory than is asked for at once.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "gcnh/io/file.h"
#include "gcnh/io/unpack.h"

namespace gcnh {

class FileStream {
 public:
  explicit FileStream(const std::filesystem::path& path);
  FileStream(const FileStream&) = delete;
  FileStream& operator=(const FileStream&) = delete;

  bool more() const { return more_; }  // false once the end was met
  // Appends so many bytes, or as many as there are.
  void read(std::size_t size, std::string& to);

 private:
  std::string_view next_piece();
  void read_plain(std::size_t size, std::string& to);
  void read_packed(std::size_t size, std::string& to);

  FileReader file_;
  std::string piece_;  // read to see what kind of bytes these are, then what is being unpacked
  bool piece_is_new_ = true;
  std::unique_ptr<Unpacker> unpacker_;
  bool more_ = true;
};

}  // namespace gcnh
