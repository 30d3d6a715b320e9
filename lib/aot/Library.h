// What a program carries of kernels that were compiled when it was built.
#pragma once
#include "lib/compile/Compile.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tegula::aot {

/// Tells a kernel from all that do something else, are called something else, or would report other source lines.
struct Identity {
  std::string name, key;
  bool operator==(const Identity&) const = default;
};
Identity identity_of(const trace::Record&);

struct ProvedKernel {
  Identity kernel;
  bool strict = false;
  Proof proof; // refutes nothing
};

/// What code was made for.
struct Variant {
  Identity kernel;
  std::string target; // "sm_90a"
  int warps = 0, stages = 0, max_regs = 0;
  Specialisation specialisation;
  std::string code; // a GpuKernel as bytes, because few of them are used
};

struct Library {
  std::vector<ProvedKernel> proofs;
  std::vector<Variant> variants;
};

std::string pack(const Library&);
/// Nothing if the bytes are no library, or one of another version of Tegula.
std::optional<Library> unpack(std::string_view bytes);

} // namespace tegula::aot
