#include "gcnh/io/sections.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>

#include "gcnh/base/error.h"
#include "gcnh/graph/content_hash.h"
#include "gcnh/io/text.h"

namespace gcnh {
namespace {

static_assert(std::endian::native == std::endian::little, "sections are stored and used little-endian");

// The line end shows what was sent as text, the byte above 127 what was sent in seven bits.
constexpr std::string_view kMagic = "\x89gcnh\r\n\x1a";
constexpr std::uint64_t kPage = 4096;
constexpr std::array<char, kPage> kZeros{};
constexpr std::uint32_t kMostSections = 1000;

struct Header {
  char magic[8];
  char kind[8];  // filled up with zeros, as all names
  std::uint32_t version, sections;
  std::uint64_t size;         // of the file
  std::uint64_t fingerprint;  // of the header, with 0 in this place, and the table
  char rest[24];
};
struct TableEntry {
  char name[32];
  char type[8];
  std::uint64_t offset, size, checksum;
};
static_assert(sizeof(Header) == 64 && sizeof(TableEntry) == 64);

template <std::size_t N>
void put_name(char (&to)[N], std::string_view name) {
  require(name.size() <= N, "a section cannot be called ", name);
  std::memset(to, 0, N);
  std::memcpy(to, name.data(), name.size());
}

template <std::size_t N>
std::string take_name(const char (&from)[N]) {
  return {from, ::strnlen(from, N)};
}

std::uint64_t next_page(std::uint64_t position) { return (position + kPage - 1) / kPage * kPage; }

// Of header and table as bytes, whatever the place for it holds.
std::uint64_t fingerprint_of(std::string head) {
  std::memset(head.data() + offsetof(Header, fingerprint), 0, sizeof(Header::fingerprint));
  return text_hash(head);
}

std::string head_bytes(Header header, const std::vector<Section>& table) {
  std::string out(sizeof header + table.size() * sizeof(TableEntry), '\0');
  for (std::size_t i = 0; i < table.size(); ++i) {
    TableEntry entry{{}, {}, table[i].offset, table[i].size, table[i].checksum};
    put_name(entry.name, table[i].name);
    put_name(entry.type, table[i].type);
    std::memcpy(out.data() + sizeof header + i * sizeof entry, &entry, sizeof entry);
  }
  std::memcpy(out.data(), &header, sizeof header);
  header.fingerprint = fingerprint_of(out);
  std::memcpy(out.data(), &header, sizeof header);
  return out;
}

Header parse_header(const std::string& bytes, SectionKind kind, const std::string& path) {
  Header out{};
  std::memcpy(&out, bytes.data(), bytes.size());
  const std::string found = take_name(out.kind);
  const bool begins = bytes.size() >= sizeof out.magic && std::string_view(out.magic, sizeof out.magic) == kMagic;
  require(begins, path, ": not a file of `gcnh shard`");
  require(bytes.size() == sizeof out, path, ": cut off: it ends within its header");
  require(found == kind.name, path, ": a file of kind ", quote(found), " instead of ", quote(kind.name));
  require(out.version == kind.version, path, ": format ", out.version, "; this gcnh reads format ", kind.version);
  require(out.sections <= kMostSections, path, ": a header of ", out.sections, " sections is damaged");
  return out;
}

std::vector<Section> parse_table(const std::string& head, const Header& header, const std::string& path) {
  const std::size_t size = sizeof header + header.sections * sizeof(TableEntry);
  require(head.size() == size, path, ": cut off: it ends within its table of sections");
  require(fingerprint_of(head) == header.fingerprint, path, ": the header or the table of sections is damaged");
  std::vector<Section> out;
  for (std::size_t at = sizeof header; at < size; at += sizeof(TableEntry)) {
    TableEntry entry;
    std::memcpy(&entry, head.data() + at, sizeof entry);
    out.push_back({take_name(entry.name), take_name(entry.type), entry.offset, entry.size, entry.checksum});
  }
  return out;
}

// One section after the other, to the end of the file as the header has it.
void check_places(const Header& header, const std::vector<Section>& table, const std::string& path) {
  std::uint64_t end = sizeof(Header) + table.size() * sizeof(TableEntry);
  for (const Section& s : table) {
    const bool follows = s.offset == next_page(end) && s.offset <= header.size && s.size <= header.size - s.offset;
    require(follows, path, ": section ", quote(s.name), " cannot begin at byte ", s.offset, " with ", s.size, " bytes");
    end = s.offset + s.size;
  }
  require(end == header.size, path, ": a size of ", header.size, " in the header, ", end, " in the table");
}

void check_size(std::uint64_t size, const std::vector<Section>& table, std::uint64_t expected,
                const std::string& path) {
  for (const Section& s : table)
    require(s.offset + s.size <= size, path, ": cut off in section ", quote(s.name), ": ", size, " of ", expected,
            " bytes are there; write or copy it again");
  require(size == expected, path, ": ", size - expected, " bytes after the last section");
}

}  // namespace

void SectionWriter::add(const std::string& name, const char* type, std::string_view bytes) {
  const std::uint64_t end = table_.empty() ? 0 : table_.back().offset + table_.back().size;
  table_.push_back({name, type, next_page(end), bytes.size(), 0});  // the table itself comes before, see write()
  bytes_.push_back(bytes);
}

void SectionWriter::matrix(const std::string& name, const Matrix& values) {
  add(name, section_type<Real>(), {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(Real)});
}

void SectionWriter::text(const std::string& name, std::string value) {
  kept_.push_back(std::move(value));
  add(name, "text", kept_.back());
}

void SectionWriter::texts(const std::string& name, const std::vector<std::string>& values) {
  std::string all;
  std::vector<std::int64_t>& ends = kept_ends_.emplace_back();
  for (const std::string& value : values) {
    all += value;
    ends.push_back(static_cast<std::int64_t>(all.size()));
  }
  array(name + ".ends", ends);
  text(name, std::move(all));
}

std::uint64_t SectionWriter::write(const std::filesystem::path& path) const {
  std::vector<Section> table = table_;
  const std::uint64_t first = next_page(sizeof(Header) + table.size() * sizeof(TableEntry));
  for (std::size_t i = 0; i < table.size(); ++i) {
    table[i].offset += first;
    table[i].checksum = text_hash(bytes_[i]);
  }
  Header header{};
  put_name(header.magic, kMagic);
  put_name(header.kind, kind_.name);
  header.version = kind_.version;
  header.sections = static_cast<std::uint32_t>(table.size());
  header.size = table.empty() ? sizeof header : table.back().offset + table.back().size;
  const std::string head = head_bytes(header, table);
  std::vector<std::string_view> pieces{head};
  std::uint64_t end = head.size();
  for (std::size_t i = 0; i < table.size(); ++i) {
    pieces.insert(pieces.end(), {std::string_view(kZeros.data(), table[i].offset - end), bytes_[i]});
    end = table[i].offset + table[i].size;
  }
  write_atomically(path, pieces);
  std::memcpy(&header, head.data(), sizeof header);
  return header.fingerprint;
}

SectionReader::SectionReader(const std::filesystem::path& path, SectionKind kind) : path_(path.string()), file_(path) {
  const std::uint64_t size = file_.left();
  std::string head;
  file_.read(sizeof(Header), head);
  const Header header = parse_header(head, kind, path_);
  file_.read(header.sections * sizeof(TableEntry), head);
  table_ = parse_table(head, header, path_);
  fingerprint_ = header.fingerprint;
  check_places(header, table_, path_);
  check_size(size, table_, header.size, path_);
  position_ = head.size();
}

std::string SectionReader::next(const std::string& name, std::string_view type, std::size_t element) {
  const std::string found = read_ < table_.size() ? table_[read_].name : "end";
  require(found == name && table_[read_].type == type, path_, ": section ", quote(found), " where ", quote(name),
          " of ", type, " is expected");
  const Section& s = table_[read_++];
  std::string out;
  file_.read(s.offset - position_, out);
  const bool is_clean = std::all_of(out.begin(), out.end(), [](char c) { return c == 0; });
  out.clear();
  file_.read(s.size, out);
  position_ = s.offset + s.size;
  require(is_clean && text_hash(out) == s.checksum, path_, ": section ", quote(name),
          " is damaged: its checksum is another one; write or copy the file again");
  require(s.size % element == 0, path_, ": section ", quote(name), ": ", s.size, " bytes of ", type);
  return out;
}

Matrix SectionReader::matrix(const std::string& name, Index rows, Index cols) {
  const std::string bytes = next(name, section_type<Real>(), sizeof(Real));
  const std::uint64_t expected = static_cast<std::uint64_t>(rows) * static_cast<std::uint64_t>(cols);
  require(bytes.size() / sizeof(Real) == expected, path_, ": section ", quote(name), ": ", bytes.size() / sizeof(Real),
          " numbers for ", rows, " x ", cols);
  Matrix out(rows, cols);
  if (!bytes.empty()) std::memcpy(out.data(), bytes.data(), bytes.size());
  return out;
}

std::vector<std::string> SectionReader::texts(const std::string& name) {
  const std::vector<std::int64_t> ends = array<std::int64_t>(name + ".ends");
  const std::string all = text(name);
  std::vector<std::string> out;
  std::int64_t begin = 0;
  for (const std::int64_t end : ends) {
    require(begin <= end && end <= std::ssize(all), path_, ": section ", quote(name), ": texts end beyond it");
    out.push_back(all.substr(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin)));
    begin = end;
  }
  require(begin == std::ssize(all), path_, ": section ", quote(name), ": ", std::ssize(all) - begin,
          " bytes after the last text");
  return out;
}

void SectionReader::finish() const {
  require(read_ == table_.size(), path_, ": section ", quote(read_ < table_.size() ? table_[read_].name : ""),
          " is not known");
}

bool begins_as(const std::filesystem::path& path, SectionKind kind) {
  if (!is_file(path)) return false;
  std::string begin;
  FileReader(path).read(2 * sizeof(Header::magic), begin);
  return begin.starts_with(std::string(kMagic) + std::string(kind.name));
}

}  // namespace gcnh
