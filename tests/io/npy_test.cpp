#include "gcnh/io/npy.h"

#include <gtest/gtest.h>

#include <limits>

#include "tests/io/io_tools.h"

namespace gcnh {
namespace {

std::string npy(const std::string& literal, const std::string& data, int version = 1) {
  std::string out = "\x93NUMPY";
  out += static_cast<char>(version);
  out += '\0';
  for (int i = 0; i < (version == 1 ? 2 : 4); ++i) out += static_cast<char>(literal.size() >> (8 * i) & 0xFF);
  return out + literal + data;
}

std::string header(const std::string& dtype, const std::string& shape, const std::string& order = "False") {
  return "{'descr': '" + dtype + "', 'fortran_order': " + order + ", 'shape': " + shape + ", }  \n";
}

NpyArray parse(const std::string& file) { return parse_npy(file, "a.npy"); }

template <class T>
std::string bytes_of(std::vector<T> values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

const std::string kGood = npy(header("<i4", "(2, 3)"), bytes_of<std::int32_t>({1, -2, 3, 4, 5, 6}));

TEST(Npy, ReadsEveryTypeAndVersion) {
  using Values = std::vector<std::int64_t>;
  EXPECT_EQ(parse(kGood).as_integers(), Values({1, -2, 3, 4, 5, 6}));
  EXPECT_EQ(parse(npy(header("|b1", "(2,)"), std::string("\1\0", 2))).as_integers(), Values({1, 0}));
  EXPECT_EQ(parse(npy(header("|u1", "(1,)"), "\xff")).as_integers(), Values({255}));
  EXPECT_EQ(parse(npy(header("|i1", "(1,)"), "\xff")).as_integers(), Values({-1}));
  EXPECT_EQ(parse(npy(header("<i2", "(1,)"), bytes_of<std::int16_t>({-300}))).as_integers(), Values({-300}));
  EXPECT_EQ(parse(npy(header("<u2", "(1,)"), bytes_of<std::uint16_t>({65535}))).as_integers(), Values({65535}));
  EXPECT_EQ(parse(npy(header("<u4", "(1,)"), bytes_of<std::uint32_t>({4294967295u}))).as_integers(),
            Values({4294967295}));
  const std::int64_t least = std::numeric_limits<std::int64_t>::min();
  EXPECT_EQ(parse(npy(header("<i8", "()"), bytes_of<std::int64_t>({least}), 2)).as_integers(), Values({least}));
  EXPECT_EQ(parse(npy(header("<f4", "(2L,)"), bytes_of<float>({0.5f, -1}), 3)).as_reals(),
            std::vector<Real>({0.5f, -1}));
  EXPECT_EQ(parse(npy(header("<f8", "(1,)"), bytes_of<double>({0.25}))).as_reals(), std::vector<Real>({0.25f}));
  EXPECT_EQ(parse(kGood).as_reals().at(1), Real{-2});
  EXPECT_EQ(parse(npy(header("<f4", "(0, 7)"), "")).as_reals().size(), 0u);
}

TEST(Npy, ColumnMajorMatricesComeOutByRows) {
  const NpyArray a = parse(npy(header("<i2", "(2, 3)", "True"), bytes_of<std::int16_t>({1, 4, 2, 5, 3, 6})));
  EXPECT_EQ(a.as_integers(), std::vector<std::int64_t>({1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(parse(npy(header("|u1", "(2,)", "True"), "ab")).bytes, "ab");
  EXPECT_ERROR(parse(npy(header("|u1", "(1, 2, 1)", "True"), "ab")), "a.npy: a column-major array of 3 dimensions");
}

TEST(Npy, UnicodeIsPassedOverButNotRead) {
  const NpyArray text = parse(npy(header("<U2", "()"), std::string("a\0\0\0b\0\0\0", 8)));
  EXPECT_ERROR(text.as_integers(), "type '<U2' where integers are expected");
  EXPECT_ERROR(text.as_reals(), "where integers are expected");
}

TEST(Npy, WritesWhatItReads) {
  const std::vector<std::int64_t> values = {3, 1, 2, 9};
  const NpyArray a = make_npy(std::span<const std::int64_t>(values), {2, 2});
  const std::string file = format_npy(a);
  EXPECT_EQ((file.size() - 4 * 8) % 64, 0u);
  EXPECT_EQ(parse(file).as_integers(), values);
  EXPECT_EQ(parse(file).shape, a.shape);
  EXPECT_EQ(format_npy(parse(file)), file);
  EXPECT_ERROR(make_npy(std::span<const std::int64_t>(values), {5}), "needs 40 bytes, found 32");
}

TEST(Npy, RefusesObjectsByName) {
  EXPECT_ERROR(parse(npy(header("|O", "(1,)"), "12345678")), "a.npy: type '|O' holds Python objects");
}

TEST(Npy, RefusesOtherTypes) {
  for (const char* type : {">i4", "<f2", "<c8", "<M8[s]", "<U", "<U0", "<U-1", "<U99999999999", "", "<i"})
    EXPECT_ERROR(parse(npy(header(type, "(1,)"), "12345678")), "a.npy: type '");
  EXPECT_ERROR(parse(npy("{'descr': [('a', '<i4')], 'fortran_order': False, 'shape': (1,)}", "1234")), "structured");
}

TEST(Npy, LyingShapesAreFoundBeforeAnythingIsAllocated) {
  for (const char* shape : {"(7,)", "(5,)", "(0,)", "(4294967296,)", "(2, 2)", "()"})
    EXPECT_ERROR(parse(npy(header("<i4", shape), std::string(24, 'x'))), " bytes, found 24");
  EXPECT_ERROR(parse(npy(header("<i4", "(4611686018427387904, 4)"), "")), "impossible shape");
  EXPECT_ERROR(parse(npy(header("<i8", "(2305843009213693952,)"), "")), "impossible shape");
  EXPECT_ERROR(parse(npy(header("<i4", "(9223372036854775807,)"), "")), "impossible shape");
  EXPECT_ERROR(parse(npy(header("<i4", "(-1,)"), "")), "expected a length from 0");
  EXPECT_ERROR(parse(npy(header("<i4", "(9223372036854775808,)"), "")), "expected a length from 0");
  std::string many = "(";
  for (int i = 0; i < 40; ++i) many += "1,";
  EXPECT_ERROR(parse(npy(header("<i4", many + ")"), "1234")), "more than 32 dimensions");
}

TEST(Npy, HeaderErrorsNameTheByte) {
  EXPECT_ERROR(parse("short"), "5 bytes are too few");
  EXPECT_ERROR(parse("PK\3\4 not an array"), "not an npy file");
  EXPECT_ERROR(parse(npy("{}", "", 4)), "npy version 4; known: 1 to 3");
  EXPECT_ERROR(parse(npy("{}", "")), "byte 12: expected the keys");
  EXPECT_ERROR(parse(npy("[]", "")), "byte 10: expected '{'");
  EXPECT_ERROR(parse(npy("{'descr': '<i4', 'descr': '<i4', 'shape': ()}", "1234")), "once each");
  EXPECT_ERROR(parse(npy("{'other': 1}", "")), "unknown key 'other'");
  EXPECT_ERROR(parse(npy(header("<i4", "(1,)", "maybe"), "1234")), "expected True or False");
  EXPECT_ERROR(parse(npy(header("<i4", "(1,)") + "x", "1234")), "text after the closing brace");
  EXPECT_ERROR(parse(npy("{'descr': '<i4", "")), "a string does not end");
}

TEST(Npy, LongHeaderIsRefusedBeforeItIsRead) {
  EXPECT_ERROR(parse(std::string("\x93NUMPY\2\0\xff\xff\xff\xff", 12)), "header of 4294967295 bytes; at most 10000");
  EXPECT_ERROR(parse(npy(std::string(10'001, ' '), "")), "header of 10001 bytes; at most 10000");
  EXPECT_ERROR(parse(std::string("\x93NUMPY\1\0\x10\0{}", 12)), "header of 16 bytes, found 2");
}

TEST(Npy, NonFiniteNumbersAreNamed) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_ERROR(parse(npy(header("<f4", "(2,)"), bytes_of<float>({1, nan}))).as_reals(), "a.npy: element 1 is nan");
  const double huge = std::numeric_limits<double>::infinity();
  EXPECT_ERROR(parse(npy(header("<f8", "(1,)"), bytes_of<double>({huge}))).as_reals(), "element 0 is inf");
  EXPECT_ERROR(parse(npy(header("<f8", "(1,)"), bytes_of<double>({1e300}))).as_reals(), "element 0 is inf");
  EXPECT_ERROR(parse(npy(header("<f4", "(1,)"), bytes_of<float>({1}))).as_integers(), "where integers are expected");
}

TEST(Npy, EveryCutIsAnError) {
  for_every_cut(kGood, [](const std::string& file) { EXPECT_ERROR(parse(file), "a.npy: "); });
}

TEST(Npy, FilesWithAFlippedBitAreReadOrRefused) {
  for_every_flip(kGood, 0, kGood.size(), [](const std::string& file) {
    expect_read_or_refused("a.npy", [&] { parse(file).as_integers(); });
    expect_read_or_refused("a.npy", [&] { parse(file).as_reals(); });
  });
}

}  // namespace
}  // namespace gcnh
