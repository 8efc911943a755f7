#include "gcnh/io/pack.h"

#include <gtest/gtest.h>

#include "gcnh/io/file_stream.h"
#include "tests/support/temp_dir.h"

namespace gcnh {
namespace {

TEST(Pack, WhatIsPackedIsUnpackedTheSame) {
  const TempDir dir;
  std::string random;
  for (std::uint64_t i = 0, state = 1; i < 3'000'000; ++i) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    random += static_cast<char>(state >> 56);
  }
  for (const std::string& bytes : {std::string(), std::string("a"), std::string(5'000'000, 'x'), random}) {
    write_text(dir / "p.gz", gzip(bytes));
    std::string back;
    FileStream(dir / "p.gz").read(bytes.size() + 1, back);
    EXPECT_TRUE(back == bytes) << bytes.size();
    EXPECT_EQ(gzip(bytes), gzip(bytes));
  }
}

}  // namespace
}  // namespace gcnh
