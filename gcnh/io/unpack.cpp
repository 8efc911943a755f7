// gzip by zlib, which looks at the checksum, and xz by liblzma, which can be told how much memory a file may ask for;
// libarchive, which does the others, does neither.
#include "gcnh/io/unpack.h"

#include <archive.h>
#include <lzma.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <exception>
#include <new>
#include <utility>

#include "gcnh/base/error.h"

namespace gcnh {
namespace {

using namespace std::string_view_literals;

constexpr std::string_view kGzip = "\x1f\x8b"sv;
constexpr std::string_view kXz = "\xfd\x37zXZ\0"sv;
constexpr std::string_view kZstd = "\x28\xb5\x2f\xfd"sv;
constexpr std::array kEndings = {".gz"sv, ".zst"sv, ".xz"sv, ".bz2"sv};

// Its first letters alone may be a word: the mark of a block, or of the end, follows.
bool is_bzip2(std::string_view bytes) {
  if (bytes.size() < 10 || !bytes.starts_with("BZh") || bytes[3] < '1' || bytes[3] > '9') return false;
  const std::string_view mark = bytes.substr(4, 6);
  return mark == "1AY&SY" || mark == "\x17\x72\x45\x38\x50\x90"sv;
}

[[noreturn]] void fail_damaged(const std::string& name, const char* reason) {
  fail(Status::data, name, ": the packed data is damaged or cut off (", reason ? reason : "unknown reason", ")");
}

class GzipUnpacker : public Unpacker {
 public:
  GzipUnpacker(std::string name, Source source) : name_(std::move(name)), source_(std::move(source)) {
    constexpr int kGzipHeader = 16;
    if (inflateInit2(&stream_, MAX_WBITS + kGzipHeader) != Z_OK) throw std::bad_alloc();
  }
  ~GzipUnpacker() override { inflateEnd(&stream_); }
  GzipUnpacker(const GzipUnpacker&) = delete;
  GzipUnpacker& operator=(const GzipUnpacker&) = delete;

  std::size_t read(char* to, std::size_t size) override {
    const auto wanted = static_cast<uInt>(std::min<std::size_t>(size, 1 << 30));
    stream_.next_out = reinterpret_cast<Bytef*>(to);
    stream_.avail_out = wanted;
    while (stream_.avail_out == wanted && refill()) inflate_some();
    return wanted - stream_.avail_out;
  }

 private:
  // False at the end. Several packed files one after the other are one.
  bool refill() {
    if (stream_.avail_in == 0) {
      const std::string_view piece = source_();
      if (piece.empty() && inside_) fail_damaged(name_, "the data ends too early");
      if (piece.empty()) return false;
      stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(piece.data()));
      stream_.avail_in = static_cast<uInt>(piece.size());
    }
    if (!inside_) inflateReset(&stream_);
    inside_ = true;
    return true;
  }

  void inflate_some() {
    const int answer = inflate(&stream_, Z_NO_FLUSH);
    if (answer == Z_MEM_ERROR) throw std::bad_alloc();
    if (answer != Z_OK && answer != Z_STREAM_END && answer != Z_BUF_ERROR) fail_damaged(name_, stream_.msg);
    inside_ = answer != Z_STREAM_END;
  }

  std::string name_;
  Source source_;
  z_stream stream_{};
  bool inside_ = true;
};

class XzUnpacker : public Unpacker {
 public:
  XzUnpacker(std::string name, Source source) : name_(std::move(name)), source_(std::move(source)) {
    if (lzma_stream_decoder(&stream_, kMostMemory, LZMA_CONCATENATED) != LZMA_OK) throw std::bad_alloc();
  }
  ~XzUnpacker() override { lzma_end(&stream_); }
  XzUnpacker(const XzUnpacker&) = delete;
  XzUnpacker& operator=(const XzUnpacker&) = delete;

  std::size_t read(char* to, std::size_t size) override {
    stream_.next_out = reinterpret_cast<std::uint8_t*>(to);
    stream_.avail_out = size;
    while (stream_.avail_out == size && !ended_) decode_some();
    return size - stream_.avail_out;
  }

 private:
  static constexpr std::uint64_t kMostMemory = std::uint64_t{256} << 20;  // xz -9 asks for 65 MiB

  void decode_some() {
    if (stream_.avail_in == 0) {
      const std::string_view piece = source_();
      stream_.next_in = reinterpret_cast<const std::uint8_t*>(piece.data());
      stream_.avail_in = piece.size();
    }
    const lzma_ret answer = lzma_code(&stream_, stream_.avail_in == 0 ? LZMA_FINISH : LZMA_RUN);
    ended_ = answer == LZMA_STREAM_END;
    if (answer == LZMA_OK || ended_) return;
    if (answer == LZMA_MEM_ERROR) throw std::bad_alloc();
    if (answer == LZMA_MEMLIMIT_ERROR) fail(Status::data, name_, ": unpacking it would take more than 256 MiB");
    fail_damaged(name_, answer == LZMA_BUF_ERROR ? "the data ends too early" : "not as xz writes it");
  }

  std::string name_;
  Source source_;
  lzma_stream stream_ = LZMA_STREAM_INIT;
  bool ended_ = false;
};

class ArchiveUnpacker : public Unpacker {
 public:
  ArchiveUnpacker(std::string name, Source source)
      : name_(std::move(name)), source_(std::move(source)), archive_(archive_read_new(), archive_read_free) {
    if (!archive_) throw std::bad_alloc();
    archive* a = archive_.get();
    archive_read_support_filter_zstd(a);
    archive_read_support_filter_bzip2(a);
    archive_read_support_format_raw(a);
    archive_read_support_format_empty(a);
    check(archive_read_open(a, this, nullptr, give_piece, nullptr));
    if (archive_filter_code(a, 0) == ARCHIVE_FILTER_NONE) fail_damaged(name_, "the data ends too early");
    require(archive_filter_count(a) <= 2, name_, " is packed twice; unpack it once");  // the last one is the file
    archive_entry* entry = nullptr;
    check(archive_read_next_header(a, &entry));
  }

  std::size_t read(char* to, std::size_t size) override {
    const std::size_t got = ended_ ? 0 : check(archive_read_data(archive_.get(), to, size));
    if (got == 0 && (given_ > archive_filter_bytes(archive_.get(), -1) || !source_().empty()))
      fail_damaged(name_, "something else stands behind the packed data");
    return got;
  }

 private:
  // C code calls this: nothing may be thrown through it.
  static la_ssize_t give_piece(archive* a, void* self, const void** bytes) {
    auto* unpacker = static_cast<ArchiveUnpacker*>(self);
    try {
      const std::string_view piece = unpacker->source_();
      *bytes = piece.data();
      unpacker->given_ += static_cast<la_int64_t>(piece.size());
      return static_cast<la_ssize_t>(piece.size());
    } catch (...) {
      unpacker->problem_ = std::current_exception();
      archive_set_error(a, EIO, "cannot read");
      return ARCHIVE_FATAL;
    }
  }

  std::size_t check(la_ssize_t answer) {
    if (problem_) std::rethrow_exception(problem_);
    ended_ |= answer == ARCHIVE_EOF;
    if (answer == ARCHIVE_EOF) return 0;
    if (answer < 0 && archive_errno(archive_.get()) == ENOMEM) throw std::bad_alloc();
    if (answer < 0) fail_damaged(name_, archive_error_string(archive_.get()));
    return static_cast<std::size_t>(answer);
  }

  std::string name_;
  Source source_;
  la_int64_t given_ = 0;  // bytes that it was handed
  std::exception_ptr problem_;
  std::unique_ptr<archive, int (*)(archive*)> archive_;
  bool ended_ = false;
};

}  // namespace

bool is_packed(std::string_view bytes) {
  return bytes.starts_with(kGzip) || bytes.starts_with(kXz) || bytes.starts_with(kZstd) || is_bzip2(bytes);
}

std::string unpacked_name(const std::string& path) {
  for (std::string_view ending : kEndings)
    if (path.ends_with(ending)) return path.substr(0, path.size() - ending.size());
  return path;
}

std::unique_ptr<Unpacker> make_unpacker(std::string_view bytes, const std::string& name, Unpacker::Source source) {
  if (bytes.starts_with(kGzip)) return std::make_unique<GzipUnpacker>(name, std::move(source));
  if (bytes.starts_with(kXz)) return std::make_unique<XzUnpacker>(name, std::move(source));
  return std::make_unique<ArchiveUnpacker>(name, std::move(source));
}

}  // namespace gcnh
