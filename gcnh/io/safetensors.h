// The safetensors file: 8 bytes of header length, a JSON header, the numbers. It holds data only; every offset in it is
// taken for hostile until the tensors are seen to tile the buffer exactly.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "gcnh/base/matrix.h"

namespace gcnh {

struct Tensors {
  std::map<std::string, Matrix> matrices;
  std::map<std::string, std::string> metadata;
};

// F32, or F64 in the double build. The same tensors give the same bytes; the file appears complete or not at all.
void write_safetensors(const std::filesystem::path& path, const Tensors& tensors);

// F32 or F64, two dimensions, finite numbers.
Tensors read_safetensors(const std::filesystem::path& path);

}  // namespace gcnh
