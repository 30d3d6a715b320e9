// Whatever a config.json says: it is refused, or its numbers are within limits.
#include "llm/models/qwen3/Weights.h"
#include "tegula/error.hpp"

#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tegula;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    const llm::qwen3::Config config = llm::qwen3::parse_config(llm::parse_json("fuzz", text, {}));
    if (config.num_attention_heads % config.num_key_value_heads != 0 || config.head_dim % 32 != 0 || config.head_dim > 256 ||
        !(config.rope_theta >= 1) || !(config.rms_norm_eps > 0))
      std::abort();
    if (const std::uint64_t bytes = llm::qwen3::weight_bytes(config); bytes == 0 || bytes > std::uint64_t{1} << 42)
      std::abort();
  } catch (const Error&) { // as it should be
  }
  return 0;
}
