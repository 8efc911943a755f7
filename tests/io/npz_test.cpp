#include "gcnh/io/npz.h"

#include <gtest/gtest.h>

#include "gcnh/io/pack.h"
#include "tests/io/io_tools.h"
#include "tests/io/raw_zip.h"
#include "tests/support/temp_dir.h"

namespace gcnh {
namespace {

NpyArray numbers(std::vector<std::int64_t> values) {
  return make_npy(std::span<const std::int64_t>(values), {static_cast<std::int64_t>(values.size())});
}

const std::string kArray = format_npy(numbers({4, 5, 6}));

class NpzTest : public ::testing::Test {
 protected:
  // Opens the bytes as a file and reads all its members.
  void read(const std::string& bytes) {
    write_text(path_, bytes);
    const Npz file = Npz::open(path_);
    for (const std::string& name : file.names()) file.get(name);
  }

  TempDir dir_;
  std::filesystem::path path_ = dir_ / "a.npz";
};

TEST_F(NpzTest, WritesAndReads) {
  write_npz(path_, {{"x", numbers({1, 2, 3})}, {"y", numbers(std::vector<std::int64_t>(1000, 7))}});
  const Npz file = Npz::open(path_);
  EXPECT_TRUE(file.has("x"));
  EXPECT_FALSE(file.has("z"));
  EXPECT_EQ(file.names(), std::vector<std::string>({"x", "y"}));
  EXPECT_EQ(file.get("x").as_integers(), std::vector<std::int64_t>({1, 2, 3}));
  EXPECT_EQ(file.get("y").as_integers(), std::vector<std::int64_t>(1000, 7));
  EXPECT_LT(std::filesystem::file_size(path_), 1000u);
  EXPECT_ERROR(file.get("z"), "no array 'z'; it holds: x y");
}

TEST_F(NpzTest, SameArraysGiveTheSameBytes) {
  write_npz(path_, {{"x", numbers({1, 2, 3})}});
  write_npz(dir_ / "b.npz", {{"x", numbers({1, 2, 3})}});
  EXPECT_EQ(read_file(path_), read_file(dir_ / "b.npz"));
}

TEST_F(NpzTest, ReadsStoredMembers) {
  write_text(path_, raw_zip({{"x.npy", kArray}}));
  EXPECT_EQ(Npz::open(path_).get("x").as_integers(), std::vector<std::int64_t>({4, 5, 6}));
}

TEST_F(NpzTest, MissingFileIsAnIoErrorAndNonsenseADataError) {
  EXPECT_EQ(status_of([&] { Npz::open(dir_ / "absent.npz"); }), Status::io);
  EXPECT_EQ(status_of([&] { read("this is not a zip file"); }), Status::data);
  EXPECT_ERROR(read("this is not a zip file"), "a.npz: not a readable npz file: ");
  EXPECT_ERROR(read(""), "a.npz: not a readable npz file: ");
}

TEST_F(NpzTest, RefusesEncryptionAndOtherMethods) {
  EXPECT_ERROR(read(raw_zip({{"x.npy", kArray, 0, 1}})), "member 'x.npy' is encrypted");
  EXPECT_ERROR(read(raw_zip({{"x.npy", kArray, 12}})), "member 'x.npy' is packed with method 12; known: 0 (stored)");
}

TEST_F(NpzTest, RefusesNamesThatLeadSomewhere) {
  for (const std::string& name : {std::string("../x.npy"), std::string("a/b.npy"), std::string("a\\b.npy"),
                                  std::string("a..npy"), std::string("a\0b.npy", 7), std::string("a b.npy")})
    EXPECT_ERROR(read(raw_zip({{name, kArray}})), "a.npz: member name '");
  EXPECT_ERROR(read(raw_zip({{std::string(256, 'n'), kArray}})), "a member name of 256 bytes; at most 255");
}

TEST_F(NpzTest, RefusesDuplicatesAndCrowds) {
  EXPECT_ERROR(read(raw_zip({{"x.npy", kArray}, {"x.npy", kArray}})), "a.npz: not a readable npz file: ");
  EXPECT_ERROR(read(raw_zip({{"x.npy", kArray}, {"x", kArray}})), "member 'x' appears twice");
  std::vector<RawMember> crowd;
  for (int i = 0; i < 65; ++i) crowd.push_back({std::to_string(i), kArray});
  EXPECT_ERROR(read(raw_zip(crowd)), "65 members; at most 64");
}

TEST_F(NpzTest, RefusesLyingSizes) {
  // A few packed bytes that claim gigabytes; deflate reaches 1032 times at most.
  EXPECT_ERROR(read(raw_zip({{"x.npy", "\3", 8, 0, 4'000'000'000}})), "member 'x.npy' claims 4000000000 bytes from 1");
  EXPECT_ERROR(read(raw_zip({{"x.npy", kArray, 0, 0, 1'000'000}})), "a.npz: ");
  EXPECT_ERROR(read(raw_zip({{"x.npy", kArray, 0, 0, 3}})), "a.npz: ");
  EXPECT_ERROR(read(raw_zip({{"x.npy", kArray, 0, 0, -1, 4'000'000'000}})), "a.npz: ");
}

TEST_F(NpzTest, RefusesMembersThatOverlap) {
  // Both central entries point at the first member's bytes.
  const std::string big(1000, 'x');
  std::string zip = raw_zip({{"a.npy", big}, {"b.npy", big}});
  const std::size_t second = zip.find("PK\1\2", zip.find("PK\1\2") + 4);
  zip.erase(30 + 5 + big.size(), 30 + 5 + big.size());
  zip.replace(zip.find("PK\1\2", zip.find("PK\1\2") + 4) + 42, 4, std::string(4, '\0'));
  zip.replace(zip.size() - 6, 4, little(30 + 5 + big.size(), 4));
  ASSERT_NE(second, std::string::npos);
  EXPECT_ERROR(read(zip), "a.npz: ");
}

TEST_F(NpzTest, ChecksumIsCompared) {
  EXPECT_ERROR(read(raw_zip({{"x.npy", kArray, 0, 0, -1, -1, 1}})), "x: CRC error");
  std::string file = raw_zip({{"x.npy", kArray}});
  file[file.find(kArray) + kArray.size() - 1] ^= 1;
  EXPECT_ERROR(read(file), "x: CRC error");
}

TEST_F(NpzTest, PackedOnceMoreIsNamed) {
  EXPECT_ERROR(read(gzip(npz_bytes({{"x", numbers({1, 2, 3})}}))), "a.npz: an npz file that was packed again; unpack it");
}

TEST_F(NpzTest, EveryCutIsAnError) {
  write_npz(path_, {{"x", numbers({1, 2, 3})}, {"y", numbers({4})}});
  for_every_cut(read_file(path_), [&](const std::string& file) { EXPECT_ERROR(read(file), "a.npz: "); });
}

TEST_F(NpzTest, NoFlippedBitCrashesAndDataIsNeverWrong) {
  write_npz(path_, {{"x", numbers({1, 2, 3})}});
  const std::string good = read_file(path_);
  for_every_flip(good, 0, good.size(), [&](const std::string& file) {
    write_text(path_, file);
    error_of([&] {
      const Npz npz = Npz::open(path_);
      if (!npz.has("x")) return;
      EXPECT_EQ(npz.get("x").as_integers(), std::vector<std::int64_t>({1, 2, 3}));
    });
  });
}

}  // namespace
}  // namespace gcnh
