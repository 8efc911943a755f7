// Packed bytes as they were before: gzip, zstd, xz and bzip2, known by their first bytes, whatever a file is called.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace gcnh {

bool is_packed(std::string_view first_bytes);

// The path without .gz, .zst, .xz or .bz2 at its end.
std::string unpacked_name(const std::string& path);

class Unpacker {
 public:
  // Gives the next packed bytes, none at the end. They last until it is called again.
  using Source = std::function<std::string_view()>;

  virtual ~Unpacker() = default;
  // Puts in at least one byte and at most so many; 0: the end. Throws a data error that names the file when its bytes
  // are damaged or end too early.
  virtual std::size_t read(char* to, std::size_t size) = 0;
};

// For bytes that are packed; `name` is what messages call them.
std::unique_ptr<Unpacker> make_unpacker(std::string_view first_bytes, const std::string& name, Unpacker::Source source);

}  // namespace gcnh
