// How the processor rounds, whatever the thread has set it to.
#pragma once
#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace tegula {

/// While it lives, arithmetic is as docs/language.md says: to nearest even, with denormal numbers, without traps.
class FloatMode {
public:
#if defined(__x86_64__)
  FloatMode() : before_(_mm_getcsr()) {
    if ((before_ & modes) != documented)
      _mm_setcsr(documented);
  }
  ~FloatMode() {
    if ((before_ & modes) != documented)
      _mm_setcsr(before_);
  }

private:
  static constexpr unsigned modes = 0xFFC0, documented = 0x1F80; // all but the flags that arithmetic raises
  unsigned before_;
#else
  FloatMode() {}
  ~FloatMode() {}
#endif

public:
  FloatMode(const FloatMode&) = delete;
  FloatMode& operator=(const FloatMode&) = delete;
};

} // namespace tegula
