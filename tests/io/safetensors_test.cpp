#include "gcnh/io/safetensors.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "gcnh/io/file.h"
#include "tests/io/io_tools.h"
#include "tests/support/temp_dir.h"

namespace gcnh {
namespace {

template <class T>
std::string raw_bytes(std::vector<T> values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

std::string file(const std::string& header, const std::string& data) {
  return raw_bytes<std::uint64_t>({header.size()}) + header + data;
}

std::string tensor(const std::string& name, const std::string& shape, const std::string& offsets,
                   const std::string& dtype = "F32") {
  return "\"" + name + R"(":{"dtype":")" + dtype + R"(","shape":)" + shape + R"(,"data_offsets":)" + offsets + "}";
}

class SafetensorsTest : public ::testing::Test {
 protected:
  Tensors read(const std::string& bytes) {
    write_text(path_, bytes);
    return read_safetensors(path_);
  }
  // One header, eight bytes of data.
  Tensors read_header(const std::string& header) { return read(file(header, std::string(8, '\0'))); }

  TempDir dir_;
  std::filesystem::path path_ = dir_ / "m.safetensors";
};

Tensors example_tensors() {
  Tensors out;
  out.matrices["b"] = Matrix(1, 2, Real{0.5f});
  out.matrices["a.weight"] = Matrix(2, 3, Real{-1});
  out.matrices["a.weight"](1, 2) = Real{7};
  out.matrices["none"] = Matrix(0, 4);
  out.metadata = {{"format", "gcnh"}, {"note", "quotes \" and \u00fc"}};
  return out;
}

TEST_F(SafetensorsTest, WritesWhatItReads) {
  const Tensors tensors = example_tensors();
  write_safetensors(path_, tensors);
  const std::string bytes = read_file(path_);
  EXPECT_EQ(bytes.substr(8, 1), "{");
  std::uint64_t length = 0;
  std::memcpy(&length, bytes.data(), 8);
  EXPECT_EQ(length % 8, 0u);
  const Tensors back = read_safetensors(path_);
  EXPECT_EQ(back.matrices, tensors.matrices);
  EXPECT_EQ(back.metadata, tensors.metadata);
  write_safetensors(path_, back);
  EXPECT_EQ(read_file(path_), bytes);
}

TEST_F(SafetensorsTest, EmptyIsFine) {
  write_safetensors(path_, {});
  EXPECT_TRUE(read_safetensors(path_).matrices.empty());
}

TEST_F(SafetensorsTest, ReadsBothWidthsInAnyOrder) {
  const Tensors t = read(file("{" + tensor("w", "[1,1]", "[4,12]", "F64") + "," + tensor("v", "[1,1]", "[0,4]") + "}",
                              raw_bytes<float>({2}) + raw_bytes<double>({0.25})));
  EXPECT_EQ(t.matrices.at("v")(0, 0), Real{2});
  EXPECT_EQ(t.matrices.at("w")(0, 0), Real{0.25f});
}

TEST_F(SafetensorsTest, LyingOffsetsAreErrors) {
  EXPECT_ERROR(read_header("{" + tensor("a", "[1,2]", "[0,12]") + "}"), "tensor 'a': bytes 0..12 outside 0..8");
  EXPECT_ERROR(read_header("{" + tensor("a", "[1,2]", "[8,0]") + "}"), "tensor 'a': bytes 8..0 outside 0..8");
  EXPECT_ERROR(read_header("{" + tensor("a", "[1,1]", "[0,8]") + "}"), "shape 1 x 1 of F32 does not take the 8 bytes");
  EXPECT_ERROR(read_header("{" + tensor("a", "[1,1]", "[0,4]") + "}"), "4 bytes after the last tensor");
  EXPECT_ERROR(read_header("{" + tensor("a", "[1,1]", "[4,8]") + "}"), "tensor 'a' begins at byte 4; expected 0");
  EXPECT_ERROR(read_header("{" + tensor("a", "[1,2]", "[0,8]") + "," + tensor("b", "[1,1]", "[4,8]") + "}"),
               "tensor 'b' begins at byte 4; expected 8 (no gaps, no overlaps)");
  EXPECT_ERROR(read_header("{}"), "8 bytes after the last tensor");
  EXPECT_ERROR(read_header("{" + tensor("a", "[1,2]", "[-8,0]") + "}"), "-8 is not a whole number");
  EXPECT_ERROR(read_header("{" + tensor("a", "[1,2]", "[0,18446744073709551615]") + "}"), "outside 0..8");
  EXPECT_ERROR(read_header("{" + tensor("a", "[1,2]", "[0,18446744073709551616]") + "}"), "is not a whole number");
}

TEST_F(SafetensorsTest, ImpossibleShapesAreErrors) {
  // 2^31 - 1 squared times 8 exceeds 64 bits; 2^62 elements of 4 bytes wrap to 0.
  EXPECT_ERROR(read_header("{" + tensor("a", "[2147483647,2147483647]", "[0,8]", "F64") + "}"), "does not take the 8");
  EXPECT_ERROR(read(file("{" + tensor("a", "[4611686018427387904,1]", "[0,0]") + "}", "")), "is too large");
  EXPECT_ERROR(read_header("{" + tensor("a", "[4294967296,4294967296]", "[0,8]") + "}"), "is too large");
  EXPECT_ERROR(read_header("{" + tensor("a", "[2]", "[0,8]") + "}"), "'shape' is not a list of two numbers");
  EXPECT_ERROR(read_header("{" + tensor("a", "[1,2,1]", "[0,8]") + "}"), "'shape' is not a list of two numbers");
  EXPECT_ERROR(read_header("{" + tensor("a", "[1.0,2]", "[0,8]") + "}"), "1.0 is not a whole number");
  EXPECT_ERROR(read_header("{" + tensor("a", "\"2\"", "[0,8]") + "}"), "'shape' is not a list");
}

TEST_F(SafetensorsTest, WrongHeadersAreErrors) {
  EXPECT_ERROR(read("1234567"), "7 bytes are too few");
  EXPECT_ERROR(read(raw_bytes<std::uint64_t>({1'000'000'000'000}) + "{}"),
               "a header of 1000000000000 bytes; at most 2");
  EXPECT_ERROR(read(raw_bytes<std::uint64_t>({~0ull}) + "{}"), "a header of 18446744073709551615 bytes; at most 2");
  EXPECT_ERROR(read(file("{", "")), "the header is not JSON");
  EXPECT_ERROR(read(file("", "")), "the header is not JSON");
  EXPECT_ERROR(read(file("[]", "")), "the header is not a JSON object");
  EXPECT_ERROR(read(file("{\"\xff\":1}", "")), "the header is not JSON");
  EXPECT_ERROR(read(file("{\"a\":1}", "")), "tensor 'a': it has no dtype");
  EXPECT_ERROR(read_header("{" + tensor("a", "[1,2]", "[0,8]", "BF16") + "}"), "known: F32 and F64");
  EXPECT_ERROR(read_header("{" + tensor("a", "[1,2]", "[0,8]") + "," + tensor("a", "[1,2]", "[0,8]") + "}"),
               "the key \"a\" appears twice");
  EXPECT_ERROR(read(file(R"({"__metadata__":{"a":1}})", "")), "__metadata__ 'a' is not a string");
  EXPECT_ERROR(read(file(R"({"__metadata__":[]})", "")), "__metadata__ is not an object");
  EXPECT_ERROR(read(file("{\"a\":" + std::string(100'000, '['), "")), "nested deeper than 3");
}

TEST_F(SafetensorsTest, NonFiniteNumbersAreNamed) {
  const std::string header = "{" + tensor("a", "[1,2]", "[0,8]") + "}";
  EXPECT_ERROR(read(file(header, raw_bytes<float>({1, NAN}))), "tensor 'a': element 1 is nan");
  EXPECT_ERROR(read(file(header, raw_bytes<float>({INFINITY, 1}))), "tensor 'a': element 0 is inf");
}

TEST_F(SafetensorsTest, BadNamesCannotBeWritten) {
  Tensors t;
  t.matrices["__metadata__"] = Matrix(1, 1);
  EXPECT_ERROR(write_safetensors(path_, t), "cannot be called __metadata__");
  EXPECT_FALSE(std::filesystem::exists(path_));
  EXPECT_ERROR(write_safetensors(path_, {{}, {{"a", "\xff"}}}), "cannot write the header");
}

TEST_F(SafetensorsTest, MissingFileIsAnIoError) {
  EXPECT_EQ(status_of([&] { read_safetensors(dir_ / "absent"); }), Status::io);
}

TEST_F(SafetensorsTest, EveryCutIsAnErrorAndFlippedBitsAreReadOrRefused) {
  write_safetensors(path_, example_tensors());
  const std::string good = read_file(path_);
  for_every_cut(good, [&](const std::string& bytes) { EXPECT_ERROR(read(bytes), "m.safetensors: "); });
  for_every_flip(good, 0, good.size(),
                 [&](const std::string& bytes) { expect_read_or_refused("m.safetensors: ", [&] { read(bytes); }); });
}

}  // namespace
}  // namespace gcnh
