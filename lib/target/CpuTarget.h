// What the lowering needs to know of the CPU it generates for.
#pragma once
#include <string>

namespace tegula {

struct CpuTarget {
  std::string cpu;         // LLVM's name
  std::string features;    // LLVM's feature string
  int vectorBytes = 16;    // the widest register
  int registers = 16;      // of that width
  bool f16Convert = false; // F16C
  bool bf16Dot = false;    // AVX512-BF16
  bool vnni = false;       // AVX512-VNNI
  bool amxBf16 = false;
  bool amxInt8 = false;

  /// This machine. AMX counts only where the operating system lets this process use it.
  static const CpuTarget& host();
  /// A machine by LLVM's name for its CPU, for example "x86-64-v3". Throws InternalError for a name that LLVM does not know.
  static CpuTarget named(const std::string& cpu);
};

} // namespace tegula
