// Whatever a safetensors file says: it is refused, or its tensors have each byte behind the header once.
#include "llm/checkpoint/SafeTensorsHeader.h"
#include "tegula/error.hpp"

#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tegula;
  const std::span<const std::byte> bytes = std::as_bytes(std::span(data, size));
  try {
    const llm::SafeTensorsHeader header = llm::read_header("fuzz", bytes);
    std::uint64_t covered = header.tensors.empty() ? size : header.tensors[0].begin;
    for (const llm::StoredTensor& tensor : header.tensors) {
      if (tensor.begin != covered || tensor.end < tensor.begin)
        std::abort();
      covered = tensor.end;
    }
    if (covered != size)
      std::abort();
  } catch (const Error&) { // as it should be
  }
  return 0;
}
