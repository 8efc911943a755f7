#include "gcnh/io/sections.h"

#include <gtest/gtest.h>

#include <cstring>
#include <map>

#include "tests/io/io_tools.h"
#include "tests/support/temp_dir.h"

namespace gcnh {
namespace {

constexpr SectionKind kTestKind{"test", 3};
constexpr std::size_t kVersionAt = 16;  // in the header

struct SectionedData {
  std::vector<Index> numbers{3, -1, 2'000'000'000};
  std::vector<double> none;
  std::vector<std::int64_t> many = std::vector<std::int64_t>(1000, -5);  // more than a page
  std::vector<std::string> words{"", "two words", "\u00fc"};
};

class SectionsTest : public ::testing::Test {
 protected:
  std::uint64_t write(const SectionedData& data = {}) const {
    Matrix x(2, 3, Real{0.5});
    SectionWriter out(kTestKind);
    out.array("numbers", data.numbers);
    out.array("none", data.none);
    out.text("about", "a text");
    out.array("many", data.many);
    out.matrix("x", x);
    out.texts("words", data.words);
    return out.write(path_);
  }
  std::uint64_t read() const {
    const SectionedData expected;
    SectionReader in(path_, kTestKind);
    EXPECT_EQ(in.array<Index>("numbers"), expected.numbers);
    EXPECT_EQ(in.array<double>("none"), expected.none);
    EXPECT_EQ(in.text("about"), "a text");
    EXPECT_EQ(in.array<std::int64_t>("many"), expected.many);
    EXPECT_EQ(in.matrix("x", 2, 3), Matrix(2, 3, Real{0.5}));
    EXPECT_EQ(in.texts("words"), expected.words);
    in.finish();
    return in.fingerprint();
  }

  TempDir dir_;
  std::filesystem::path path_ = dir_ / "d.gcnh";
};

TEST_F(SectionsTest, ReadsWhatItWrites) {
  const std::uint64_t fingerprint = write();
  EXPECT_EQ(read(), fingerprint);
  EXPECT_EQ(write(), fingerprint);
  SectionedData other;
  other.numbers = {4};
  EXPECT_NE(write(other), fingerprint);
  EXPECT_TRUE(begins_as(path_, kTestKind));
  EXPECT_FALSE(begins_as(path_, {"other", 3}));
  EXPECT_FALSE(begins_as(dir_ / "not there", kTestKind));
}

TEST_F(SectionsTest, BeginOnPagesOneAfterTheOther) {
  write();
  const std::string bytes = read_file(path_);
  std::map<std::string, std::uint64_t> offset;
  for (std::size_t entry = 64; bytes[entry] != 0; entry += 64)
    std::memcpy(&offset[bytes.data() + entry], bytes.data() + entry + 40, 8);
  EXPECT_EQ(offset, (std::map<std::string, std::uint64_t>{{"numbers", 4096},
                                                          {"none", 8192},
                                                          {"about", 8192},
                                                          {"many", 12288},
                                                          {"x", 20480},
                                                          {"words.ends", 24576},
                                                          {"words", 28672}}));
}

TEST_F(SectionsTest, RefusesAFileThatIsCutOff) {
  write();
  const std::string bytes = read_file(path_);
  for (std::size_t size = 0; size < bytes.size(); size += size < 600 ? 1 : 97) {
    write_text(path_, bytes.substr(0, size));
    EXPECT_PRED2(contains, error_of([&] { read(); }), path_.string()) << size;
  }
  write_text(path_, bytes.substr(0, 4));
  EXPECT_ERROR(read(), "not a file of `gcnh shard`");
  write_text(path_, bytes.substr(0, 20));
  EXPECT_ERROR(read(), "ends within its header");
  write_text(path_, bytes.substr(0, 100));
  EXPECT_ERROR(read(), "ends within its table");
  write_text(path_, bytes.substr(0, 13000));
  EXPECT_ERROR(read(), "cut off in section 'many': 13000 of ");
  write_text(path_, bytes + "x");
  EXPECT_ERROR(read(), "1 bytes after the last section");
}

TEST_F(SectionsTest, RefusesEveryBitThatHasTurned) {
  write();
  const std::string bytes = read_file(path_);
  const auto expect_refused = [&](const std::string& damaged) {
    write_text(path_, damaged);
    EXPECT_PRED2(contains, error_of([&] { read(); }), path_.string());
  };
  for_every_flip(bytes, 0, 64 + 3 * 64, expect_refused);   // header and some of the table
  for_every_flip(bytes, 4090, 4096 + 20, expect_refused);  // padding and a section
  for_every_flip(bytes, bytes.size() - 3, bytes.size(), expect_refused);
  std::string damaged = bytes;
  damaged[12288 + 700] ^= 1;
  write_text(path_, damaged);
  EXPECT_ERROR(read(), "section 'many' is damaged");
}

TEST_F(SectionsTest, RefusesOtherKindsVersionsAndSections) {
  write();
  EXPECT_ERROR(SectionReader(path_, {"other", 3}), "a file of kind 'test' instead of 'other'");
  std::string bytes = read_file(path_);
  bytes[kVersionAt] = 4;
  write_text(path_, bytes);
  EXPECT_ERROR(read(), "format 4; this gcnh reads format 3");
  write();
  SectionReader in(path_, kTestKind);
  EXPECT_ERROR(in.array<double>("numbers"), "section 'numbers' where 'numbers' of f64 is expected");
  EXPECT_ERROR(in.text("about"), "section 'numbers' where 'about' of text is expected");
  EXPECT_ERROR(in.finish(), "section 'numbers' is not known");
  write_text(path_, "id,label\n");
  EXPECT_ERROR(read(), "not a file of `gcnh shard`");
}

}  // namespace
}  // namespace gcnh
