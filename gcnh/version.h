#pragma once

namespace gcnh {

// Version of the library, and the SIMD instruction set this machine uses.
const char* version();
const char* simd();

}  // namespace gcnh
