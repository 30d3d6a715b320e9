// Whatever a generation_config.json says: it is refused, or its numbers are in their ranges.
#include "llm/checkpoint/GenerationConfig.h"
#include "tegula/error.hpp"

#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tegula;
  constexpr std::int64_t words = 151936;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    const llm::GenerationConfig config = llm::parse_generation_config(llm::parse_json("fuzz", text, {}), words);
    const double top_p = config.top_p.value_or(1), temperature = config.temperature.value_or(1);
    if (!(top_p >= 0 && top_p <= 1 && temperature >= 0 && temperature <= 100))
      std::abort();
    for (const std::int64_t id : config.eos_token_ids)
      if (id < 0 || id >= words)
        std::abort();
  } catch (const Error&) { // as it should be
  }
  return 0;
}
