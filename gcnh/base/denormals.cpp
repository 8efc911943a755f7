#include "gcnh/base/denormals.h"

#if defined(__SSE__)
#include <xmmintrin.h>
#endif
#include <cstdint>

namespace gcnh {
namespace {

// The thread's control register, and its bits that take operands and give results as zero. On CPUs that are not named
// here denormals stay what they are.
#if defined(__SSE__)
constexpr unsigned kFlush = 0x8040;  // results (FTZ), operands (DAZ)
unsigned control() { return _mm_getcsr(); }
void set_control(unsigned bits) { _mm_setcsr(bits); }
#elif defined(__aarch64__)
constexpr unsigned kFlush = 1u << 24;  // both (FZ)
unsigned control() {
  std::uint64_t bits = 0;
  asm volatile("mrs %0, fpcr" : "=r"(bits));
  return static_cast<unsigned>(bits);
}
void set_control(unsigned bits) { asm volatile("msr fpcr, %0" : : "r"(std::uint64_t{bits})); }
#else
constexpr unsigned kFlush = 0;
unsigned control() { return 0; }
void set_control(unsigned) {}
#endif

}  // namespace

FlushDenormals::FlushDenormals(bool on) : before_(control() & kFlush) {
  set_control(on ? control() | kFlush : control() & ~kFlush);
}

FlushDenormals::~FlushDenormals() { set_control((control() & ~kFlush) | before_); }

bool FlushDenormals::is_on() { return (control() & kFlush) != 0; }

}  // namespace gcnh
