// Which program this is, and on which machine.
#pragma once

#include <string>

namespace gcnh {

// Version of the library, and the SIMD instruction set this machine uses.
const char* version();
const char* simd();
// The processor's name, as the system tells it.
std::string cpu_name();

}  // namespace gcnh
