#include "tools/measure/Machine.h"

#include <fstream>

namespace tegula::bench {

std::string machine() {
  std::ifstream file("/proc/cpuinfo");
  std::string line, model = "unknown CPU", flags;
  while (std::getline(file, line)) {
    const std::size_t colon = line.find(": ");
    if (colon == std::string::npos)
      continue;
    if (line.starts_with("model name"))
      model = line.substr(colon + 2);
    if (line.starts_with("flags"))
      flags = line.substr(colon + 1) + " ";
  }
  const auto has = [&](const char* flag) { return flags.find(std::string(" ") + flag + " ") != std::string::npos; };
  model += has("avx512f") ? ", AVX-512" : has("avx2") ? ", AVX2" : "";
  model += has("avx512_bf16") ? " with bf16" : "";
  model += has("amx_tile") ? ", AMX" : "";
  return model;
}

} // namespace tegula::bench
