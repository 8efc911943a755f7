#include <gtest/gtest.h>

#include "gcnh/io/file.h"
#include "gcnh/io/safetensors.h"
#include "tests/io/io_tools.h"
#include "tests/support/temp_dir.h"

namespace gcnh {
namespace {

TEST(SafetensorsDouble, KeepsEveryBit) {
  const TempDir dir;
  Tensors tensors;
  tensors.matrices["w"] = Matrix(2, 2, 0.1);
  write_safetensors(dir / "m", tensors);
  EXPECT_PRED2(contains, read_file(dir / "m"), "\"dtype\":\"F64\"");
  EXPECT_EQ(read_safetensors(dir / "m").matrices, tensors.matrices);
}

}  // namespace
}  // namespace gcnh
