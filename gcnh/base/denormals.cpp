#include "gcnh/base/denormals.h"

#include <xmmintrin.h>

namespace gcnh {
namespace {

constexpr unsigned kFlush = 0x8040;  // of the control register: results to zero (FTZ), operands to zero (DAZ)

}  // namespace

FlushDenormals::FlushDenormals(bool on) : before_(_mm_getcsr() & kFlush) {
  _mm_setcsr(on ? _mm_getcsr() | kFlush : _mm_getcsr() & ~kFlush);
}

FlushDenormals::~FlushDenormals() { _mm_setcsr((_mm_getcsr() & ~kFlush) | before_); }

bool FlushDenormals::is_on() { return (_mm_getcsr() & kFlush) == kFlush; }

}  // namespace gcnh
