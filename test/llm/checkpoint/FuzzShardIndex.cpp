// Whatever an index says: it is refused, or the files that it names are in its folder.
#include "llm/checkpoint/ShardIndex.h"
#include "tegula/error.hpp"

#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tegula;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    for (const auto& [tensor, file] : llm::read_weight_map(llm::parse_json("fuzz", text, llm::index_limits)))
      if (const std::filesystem::path path = file; path.filename() != path || path == ".." || path.extension() != ".safetensors")
        std::abort();
  } catch (const Error&) { // as it should be
  }
  return 0;
}
