// A file of named arrays, for graphs too large to be read again and again from tables. A header (64 bytes), a table (64
// bytes per section), and the arrays, each on a border of 4096 bytes; all numbers little-endian. Header and sections
// have checksums, so that a file is read as it was written or not at all. Sections are read in the order they were
// written in.
#pragma once

#include <cstdint>
#include <cstring>
#include <deque>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "gcnh/base/matrix.h"
#include "gcnh/io/file.h"

namespace gcnh {

// What a file holds, in at most eight letters, and the version of its sections.
struct SectionKind {
  std::string_view name;
  std::uint32_t version;
};

struct Section {
  std::string name;  // at most 32 bytes
  std::string type;  // of its elements: text, i32, i64, f32 or f64
  std::uint64_t offset = 0, size = 0, checksum = 0;
};

template <class T>
constexpr const char* section_type() {
  if constexpr (std::is_same_v<T, char>) return "text";
  if constexpr (std::is_same_v<T, std::int32_t>) return "i32";
  if constexpr (std::is_same_v<T, std::int64_t>) return "i64";
  if constexpr (std::is_same_v<T, float>) return "f32";
  if constexpr (std::is_same_v<T, double>) return "f64";
}

class SectionWriter {
 public:
  explicit SectionWriter(SectionKind kind) : kind_(kind) {}

  // Arrays must stay where they are until the file is written; texts are kept.
  template <class T>
  void array(const std::string& name, const std::vector<T>& values) {
    add(name, section_type<T>(), {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)});
  }
  void matrix(const std::string& name, const Matrix& values);
  void text(const std::string& name, std::string value);
  void texts(const std::string& name,
             const std::vector<std::string>& values);  // two sections: where each ends, and all

  // The file appears complete or not at all. Returns its fingerprint.
  std::uint64_t write(const std::filesystem::path& path) const;

 private:
  void add(const std::string& name, const char* type, std::string_view bytes);

  SectionKind kind_;
  std::vector<Section> table_;
  std::vector<std::string_view> bytes_;  // of each section
  std::deque<std::string> kept_;
  std::deque<std::vector<std::int64_t>> kept_ends_;
};

class SectionReader {
 public:
  // Checks header and size. Throws a data error that names the file, and the section where it is cut off.
  SectionReader(const std::filesystem::path& path, SectionKind kind);

  // The next section, which must be the one named.
  template <class T>
  std::vector<T> array(const std::string& name) {
    const std::string bytes = next(name, section_type<T>(), sizeof(T));
    std::vector<T> out(bytes.size() / sizeof(T));
    if (!bytes.empty()) std::memcpy(out.data(), bytes.data(), bytes.size());
    return out;
  }
  Matrix matrix(const std::string& name, Index rows, Index cols);
  std::string text(const std::string& name) { return next(name, "text", 1); }
  std::vector<std::string> texts(const std::string& name);
  void finish() const;  // throws unless all were read

  std::uint64_t fingerprint() const { return fingerprint_; }  // of header and table, and so of every byte
  const std::string& path() const { return path_; }

 private:
  std::string next(const std::string& name, std::string_view type, std::size_t element);

  std::string path_;
  FileReader file_;
  std::uint64_t fingerprint_ = 0;
  std::vector<Section> table_;
  std::size_t read_ = 0;        // sections
  std::uint64_t position_ = 0;  // in the file
};

// Whether the file begins as one of this kind does, whatever its version.
bool begins_as(const std::filesystem::path& path, SectionKind kind);

}  // namespace gcnh
