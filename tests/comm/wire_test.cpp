// Values arrive bit for bit, and bytes that end too early are an error.
#include "gcnh/comm/wire.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace gcnh::testing {
namespace {

enum Colour : char { red, green };

struct Inner {
  double x = 0;
  std::optional<std::string> name;
};
void visit_fields(auto& f, Inner& i) { f(i.x, i.name); }

struct Outer {
  int number = 0;
  Colour colour = Colour::red;
  std::vector<Inner> inner;
  std::map<std::string, Matrix> matrices;
  std::vector<std::vector<int>> lists;
  Csr csr;
};
void visit_fields(auto& f, Outer& o) { f(o.number, o.colour, o.inner, o.matrices, o.lists, o.csr); }

Outer an_outer() {
  Outer out{7, Colour::green, {{1.5, "one"}, {0.1, std::nullopt}}, {}, {{}, {1, 2}}, {}};
  out.inner.push_back({std::numeric_limits<double>::quiet_NaN(), std::string("a\0b", 3)});
  out.inner.push_back({-std::numeric_limits<double>::infinity(), ""});
  out.matrices["w"] = Matrix(2, 3, Real(0.25));
  out.matrices["empty"] = Matrix(0, 4);
  out.csr = make_csr(2, 3, {{0, 2, 1}, {1, 0, 2}}, Repeats::add);
  return out;
}

std::string written(const Outer& o) {
  WireWriter write;
  write(o);
  return write.take();
}

TEST(Wire, StructsArriveBitForBit) {
  const Outer sent = an_outer();
  const std::string bytes = written(sent);
  WireReader read(bytes);
  const auto got = read.take<Outer>();
  EXPECT_EQ(got.number, 7);
  EXPECT_EQ(got.colour, Colour::green);
  ASSERT_EQ(got.inner.size(), 4u);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(std::bit_cast<std::uint64_t>(got.inner[i].x), std::bit_cast<std::uint64_t>(sent.inner[i].x)) << i;
    EXPECT_EQ(got.inner[i].name, sent.inner[i].name) << i;
  }
  EXPECT_EQ(got.matrices, sent.matrices);
  EXPECT_EQ(got.lists, sent.lists);
  EXPECT_EQ(got.csr.offsets, sent.csr.offsets);
  EXPECT_EQ(got.csr.indices, sent.csr.indices);
  EXPECT_EQ(got.csr.values, sent.csr.values);
  EXPECT_EQ(written(got), bytes);
}

TEST(Wire, WhatIsReadTakesThePlaceOfWhatWasThere) {
  const std::string bytes = written({});
  Outer got = an_outer();
  WireReader read(bytes);
  read(got);
  EXPECT_EQ(written(got), bytes);
}

TEST(Wire, BytesThatEndTooEarlyAreAnError) {
  const std::string bytes = written(an_outer());
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    WireReader read(std::string_view(bytes).substr(0, size));
    EXPECT_THROW(read.take<Outer>(), Error) << size;
  }
}

}  // namespace
}  // namespace gcnh::testing
