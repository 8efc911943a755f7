#include "gcnh/io/pickle.h"

#include <gtest/gtest.h>

#include "gcnh/io/pickle_arrays.h"
#include "tests/io/io_tools.h"
#include "tests/io/pickle_writer.h"

namespace gcnh {
namespace {

using Kind = PickleValue::Kind;

void read(const std::string& bytes) { Pickle(bytes, "p"); }

std::string bytes(std::initializer_list<int> codes) {
  std::string out;
  for (int code : codes) out += static_cast<char>(code);
  return out;
}

TEST(Pickle, ReadsScalars) {
  const std::string file = pickled::file(
      pickled::tuple({"N", "\x88", "\x89", "K\xff", "M\xff\xff", "J\xfe\xff\xff\xff", "\x8a\x02\xff\x7f", "U\x02hi",
                      bytes({'G', 0x3f, 0xe0, 0, 0, 0, 0, 0, 0}), bytes({'X', 1, 0, 0, 0, 'u'}), bytes({0x8a, 0})}));
  const Pickle pickle(file, "p");
  const auto& items = pickle.root().items;
  ASSERT_EQ(items.size(), 11u);
  EXPECT_EQ(items[0]->kind, Kind::none);
  EXPECT_EQ(items[1]->integer, 1);
  EXPECT_EQ(items[2]->kind, Kind::boolean);
  EXPECT_EQ(items[3]->integer, 255);
  EXPECT_EQ(items[4]->integer, 65535);
  EXPECT_EQ(items[5]->integer, -2);
  EXPECT_EQ(items[6]->integer, 32767);
  EXPECT_EQ(items[7]->text, "hi");
  EXPECT_EQ(items[8]->real, 0.5);
  EXPECT_EQ(items[9]->text, "u");
  EXPECT_EQ(items[10]->integer, 0);
}

TEST(Pickle, ReadsContainersAndMemo) {
  // [1, (2,), {3: 4}, the tuple again]
  const std::string file =
      "\x80\x02]q\x05(K\x01K\x02\x85q\x01}K\x03K\x04sh\x01"
      "e.";
  const Pickle pickle(file, "p");
  const auto& items = pickle.root().items;
  ASSERT_EQ(items.size(), 4u);
  EXPECT_EQ(items[1], items[3]);
  EXPECT_EQ(items[1]->items[0]->integer, 2);
  EXPECT_EQ(items[2]->items[1]->integer, 4);
}

TEST(Pickle, AListMayHoldItself) {
  const std::string file = bytes({']', 'q', 0, 'h', 0, 'a', '.'});
  const Pickle pickle(file, "p");
  EXPECT_EQ(pickle.root().items[0], &pickle.root());
}

TEST(Pickle, ArraysAndMatricesComeOut) {
  const std::string file = pickled::file(pickled::matrix(2, 3, {0, 2, 3}, {2, 0, 1}, {1, 1, 1}));
  const Csr a = to_matrix(Pickle(file, "p").root(), "p");
  EXPECT_EQ(a.offsets, std::vector<Offset>({0, 2, 3}));
  EXPECT_EQ(a.indices, std::vector<Index>({0, 2, 1}));  // sorted within the row
  EXPECT_TRUE(a.values.empty());
}

TEST(Pickle, ForeignGlobalsAreNamed) {
  EXPECT_ERROR(read("\x80\x02"
                    "cos\nsystem\n(S'echo'\ntR."),
               "p: opcode 0x63 at byte 2: the global 'os system' is not");
  EXPECT_ERROR(read("c__builtin__\neval\n."), "'__builtin__ eval'");
  EXPECT_ERROR(read("cnumpy\nndarray2\n."), "'numpy ndarray2'");
  EXPECT_ERROR(read("cnumpy core\nndarray\n."), "'numpy core ndarray'");
  EXPECT_ERROR(read("cnumpy"), "a name does not end");
}

TEST(Pickle, ForeignOpcodesAreNamedByCodeAndByte) {
  // Text opcodes, persistent ids, instances, duplicates, extensions, and everything beyond protocol 2.
  for (int code : std::vector<int>{'S',  'I',  'L',  'F',  'V',  'P',  'Q',  'i',  'o',  '2',  'd',  'l',
                                   'g',  'p',  '1',  0x82, 0x83, 0x84, 0x8b, 0x8c, 0x8d, 0x8e, 0x8f, 0x90,
                                   0x91, 0x92, 0x93, 0x94, 0x95, 0x96, 0x97, 0x98, 0,    0xff}) {
    EXPECT_ERROR(read(bytes({'N', code, 'N', '.'})), "at byte 1: this opcode is not among those read");
  }
  EXPECT_ERROR(read("N\x93."), "p: opcode 0x93 at byte 1: ");
  EXPECT_ERROR(read("\x80\x04N."), "pickle protocol 4; known: 0 to 2");
}

TEST(Pickle, MisusedOpcodesAreErrors) {
  EXPECT_ERROR(read("."), "opcode 0x2e at byte 0: needs 1 values, found 0");
  EXPECT_ERROR(read("t."), "needs a mark");
  EXPECT_ERROR(read("N(a."), "needs 1 values, found 0");  // nothing reaches below an open mark
  EXPECT_ERROR(read("NNa."), "the value below has another type");
  EXPECT_ERROR(read("](Ne(u."), "the value below has another type");
  EXPECT_ERROR(read("}(Nu."), "a key without a value");
  EXPECT_ERROR(read("NNR."), "needs a global and a tuple");
  EXPECT_ERROR(read("NNb."), "the value below has another type");
  EXPECT_ERROR(read("cnumpy\ndtype\n)RNbNb."), "built twice");
  EXPECT_ERROR(read("h\1."), "memo 1 was never set");
  EXPECT_ERROR(read("Nr\x40\x42\x0f\x01."), "outside 0..999999");
  EXPECT_ERROR(read("NN.N"), "1 bytes after the end");
  EXPECT_ERROR(read("T\xff\xff\xff\xff"
                    "abc."),
               "needs 4294967295 bytes, the file has 4 left");
  EXPECT_ERROR(read("\x8a\x09"
                    "123456789."),
               "an integer of 9 bytes");
}

TEST(Pickle, LimitsHold) {
  std::string deep(65, '(');
  deep += '.';
  EXPECT_ERROR(read(deep), "nested deeper than 64");
  EXPECT_ERROR(read("N" + std::string(70, '\x85') + "."), "nested deeper than 64");
  std::string remember = "N";
  for (int i = 0; i < 10'000'000; ++i) remember += {'q', '\0'};
  EXPECT_ERROR(read(remember), "more than 10000000 opcodes");
}

TEST(Pickle, WrongShapesOfObjectsAreErrors) {
  const auto array = [](const std::string& body) {
    const std::string file = pickled::file(body);
    to_array(Pickle(file, "p").root(), "p");
  };
  EXPECT_ERROR(array("N"), "expected a numpy array");
  EXPECT_ERROR(array(pickled::array("i4", {3}, "12345678")), "needs 12 bytes, found 8");
  EXPECT_ERROR(array(pickled::array("O", {1}, "12345678")), "holds Python objects");
  EXPECT_ERROR(array(pickled::array("f2", {4}, "12345678")), "type '<f2'");
  EXPECT_ERROR(array(pickled::array("i4", {-1}, "")), "impossible shape (-1,)");
  const auto matrix = [](const std::string& body) {
    const std::string file = pickled::file(body);
    to_matrix(Pickle(file, "p").root(), "p");
  };
  EXPECT_ERROR(matrix("N"), "expected a scipy csr_matrix");
  EXPECT_ERROR(matrix(pickled::global("scipy.sparse.csr", "csr_matrix") + ")\x81}b"), "the matrix has no '_shape'");
  EXPECT_ERROR(matrix(pickled::matrix(2, 3, {0, 1}, {2}, {1})), "2 row offsets for 2 rows; expected 3");
  EXPECT_ERROR(matrix(pickled::matrix(2, 3, {0, 2, 1}, {2}, {1})), "row offset 2 is 1, below the one before, 2");
  EXPECT_ERROR(matrix(pickled::matrix(1, 3, {0, 2}, {2}, {1})), "row offsets run from 0 to 2; expected 0 to 1");
  EXPECT_ERROR(matrix(pickled::matrix(1, 3, {0, 1}, {3}, {1})), "p: indices: entry 0: column 3 outside 0..2");
  EXPECT_ERROR(matrix(pickled::matrix(1, 3, {0, 1}, {-1}, {1})), "column -1 outside 0..2");
  EXPECT_ERROR(matrix(pickled::matrix(1, 3, {0, 1}, {1}, {1, 2})), "2 values for 1 entries");
  EXPECT_ERROR(matrix(pickled::matrix(-1, 3, {}, {}, {})), "-1 rows");
}

TEST(Pickle, EveryCutIsAnErrorAndFlippedBitsAreReadOrRefused) {
  const std::string good = pickled::file(pickled::matrix(2, 3, {0, 2, 3}, {0, 2, 1}, {1, 1, 1}));
  for_every_cut(good, [](const std::string& file) { EXPECT_ERROR(read(file), "p: "); });
  for_every_flip(good, 0, good.size(), [](const std::string& file) {
    expect_read_or_refused("p: ", [&] { to_matrix(Pickle(file, "p").root(), "p"); });
  });
}

}  // namespace
}  // namespace gcnh
