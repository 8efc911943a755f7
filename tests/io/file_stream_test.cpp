#include "gcnh/io/file_stream.h"

#include <gtest/gtest.h>
#include <lzma.h>
#include <sys/stat.h>

#include <fstream>
#include <thread>

#include "tests/io/io_tools.h"
#include "tests/support/packed.h"
#include "tests/support/temp_dir.h"

namespace gcnh {
namespace {

constexpr int kFilters[] = {ARCHIVE_FILTER_GZIP, ARCHIVE_FILTER_ZSTD, ARCHIVE_FILTER_XZ, ARCHIVE_FILTER_BZIP2};

std::string stream_all(const std::filesystem::path& path, std::size_t piece = 1000) {
  FileStream stream(path);
  std::string out;
  while (stream.more()) stream.read(piece, out);
  return out;
}

std::string several_pieces() {
  std::string out;
  for (int i = 0; out.size() < 300'000; ++i) out += std::to_string(i * 7919 % 100'003) + "\n";
  return out;
}

// As the program zstd packs it, one raw block and a checksum, which libarchive leaves out.
std::string with_zstd_checksum(const std::string& text) {
  EXPECT_EQ(text, "id,label\n1,a\n2,b\n");
  return std::string("\x28\xb5\x2f\xfd\x04\x58\x89\0\0", 9) + text + "\x9e\x92\x7e\x59";
}

TEST(FileStream, GivesPlainFilesAsTheyAre) {
  const TempDir dir;
  const std::string text = several_pieces();
  for (std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{65'536}, text.size()}) {
    write_text(dir / "x", std::string_view(text).substr(0, size));
    EXPECT_EQ(stream_all(dir / "x"), text.substr(0, size));
    EXPECT_EQ(stream_all(dir / "x", 1 << 20), text.substr(0, size));
  }
}

TEST(FileStream, UnpacksByContentNotByName) {
  const TempDir dir;
  const std::string text = several_pieces();
  for (int filter : kFilters) {
    write_text(dir / "x.csv", packed(text, filter));
    EXPECT_EQ(stream_all(dir / "x.csv"), text);
    write_text(dir / "x.csv", packed("", filter));
    EXPECT_EQ(stream_all(dir / "x.csv"), "");
  }
  write_text(dir / "x.gz", "plain");
  EXPECT_EQ(stream_all(dir / "x.gz"), "plain");
}

TEST(FileStream, PackedFilesOneAfterTheOtherAreOne) {
  const TempDir dir;
  for (int filter : kFilters) {
    write_text(dir / "x", packed("one\n", filter) + packed("two\n", filter));
    EXPECT_EQ(stream_all(dir / "x"), "one\ntwo\n");
  }
}

TEST(FileStream, NothingBehindPackedDataIsPassedOver) {
  const TempDir dir;
  const std::string text(5000, 'x');
  for (const int filter : kFilters) {
    write_text(dir / "a", packed(text, filter) + "and more, in plain letters");
    EXPECT_ERROR(stream_all(dir / "a"), "damaged or cut off");
    if (filter == ARCHIVE_FILTER_GZIP || filter == ARCHIVE_FILTER_XZ) continue;  // read_text tells of these
    write_text(dir / "b", packed(packed(text, filter), filter));
    EXPECT_ERROR(stream_all(dir / "b"), "packed twice");
  }
}

TEST(FileStream, CutPackedFilesAreErrors) {
  const TempDir dir;
  for (int filter : kFilters) {
    const std::string whole = packed("a,b\n1,2\n", filter);
    for_every_cut(whole, [&](const std::string& cut) {
      write_text(dir / "x.bin", cut);
      if (is_packed(cut)) EXPECT_ERROR(stream_all(dir / "x.bin"), "x.bin: the packed data is damaged or cut off (");
    });
  }
}

// What is not the same text is an error: checksums are looked at. A few bits of the headers mean nothing.
TEST(FileStream, DamagedPackedFilesAreErrorsOrTheSame) {
  const TempDir dir;
  const std::string text = "id,label\n1,a\n2,b\n";
  for (int filter : kFilters) {
    const std::string whole = filter == ARCHIVE_FILTER_ZSTD ? with_zstd_checksum(text) : packed(text, filter);
    for_every_flip(whole, 0, whole.size(), [&](const std::string& damaged) {
      if (!is_packed(damaged)) return;
      write_text(dir / "x.bin", damaged);
      std::string out;
      const std::string message = error_of([&] { out = stream_all(dir / "x.bin"); });
      EXPECT_TRUE(contains(message, "x.bin: ") || out == text) << message << out;
    });
  }
}

// A dictionary of 4 GiB, which is what the last byte of the block's filters says.
TEST(FileStream, MemoryThatAFileAsksForIsBounded) {
  const TempDir dir;
  std::string bytes = packed("text", ARCHIVE_FILTER_XZ);
  const std::size_t filter = bytes.find("\x21\x01", 12);  // LZMA2, one byte of properties
  ASSERT_NE(filter, bytes.npos);
  bytes[filter + 2] = 40;
  const std::size_t header = 4 * (1 + static_cast<unsigned char>(bytes[12]));
  const std::uint32_t sum = lzma_crc32(reinterpret_cast<const std::uint8_t*>(&bytes[12]), header - 4, 0);
  for (std::size_t i = 0; i < 4; ++i) bytes[12 + header - 4 + i] = static_cast<char>(sum >> (8 * i));
  write_text(dir / "x.xz", bytes);
  EXPECT_ERROR(stream_all(dir / "x.xz"), "x.xz: unpacking it would take more than 256 MiB");
}

TEST(FileStream, ReadsNamedPipesToTheirEnd) {
  const TempDir dir;
  const std::string text = several_pieces();
  ASSERT_EQ(::mkfifo((dir / "pipe").c_str(), 0600), 0);
  std::thread writer([&] { std::ofstream(dir / "pipe") << packed(text, ARCHIVE_FILTER_GZIP); });
  const std::string got = stream_all(dir / "pipe");
  writer.join();
  EXPECT_EQ(got, text);
}

TEST(FileStream, NamesLoseTheEndingOfPackedFiles) {
  EXPECT_EQ(unpacked_name("a/nodes.tsv.gz"), "a/nodes.tsv");
  EXPECT_EQ(unpacked_name("nodes.csv.zst"), "nodes.csv");
  EXPECT_EQ(unpacked_name("nodes.csv"), "nodes.csv");
}

}  // namespace
}  // namespace gcnh
