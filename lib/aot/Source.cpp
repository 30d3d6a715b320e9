#include "lib/aot/Source.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>

namespace tegula::aot {

std::string embedding_source(std::string_view packed, const std::string& symbol) {
  std::string text = "// Generated: kernels, proved and compiled ahead of time.\n#include <cstddef>\n\nnamespace tegula::aot {\n"
                     "bool embed(const void* bytes, std::size_t size) noexcept;\n}\n\n"
                     "static const unsigned long long kernels[] = {";
  // Words, because compilers take long for as many numbers as there are bytes.
  constexpr std::size_t width = sizeof(std::uint64_t), columns = 6;
  for (std::size_t at = 0; at < packed.size(); at += width) {
    std::uint64_t word = 0;
    std::memcpy(&word, packed.data() + at, std::min(width, packed.size() - at));
    char digits[24];
    std::snprintf(digits, sizeof digits, "0x%llx,", static_cast<unsigned long long>(word));
    text += (at / width % columns == 0 ? "\n    " : " ");
    text += digits;
  }
  return text + "};\n\nextern \"C\" {\nextern const bool " + symbol + ";\nconst bool " + symbol +
         " = tegula::aot::embed(kernels, " + std::to_string(packed.size()) + ");\n}\n";
}

} // namespace tegula::aot
