#include "lib/runtime/gpu/Launch.h"
#include "lib/runtime/gpu/TensorMaps.h"

#include <algorithm>
#include <array>
#include <memory_resource>

namespace tegula::gpu {

std::string Launch::purpose() const {
  return "kernel '" + std::string(kernel) + "' (" + std::to_string(programs) + " programs of " +
         std::to_string(code.code().threads) + " threads, " + std::to_string(code.code().shared_bytes) +
         " bytes of shared memory each)";
}

void start(const Context& context, cuda::Stream stream, const Launch& launch, std::int64_t records,
           std::span<const std::int64_t> owners) {
  const auto purpose = [&] { return launch.purpose(); };
  const GpuKernel& code = launch.code.code();
  std::array<std::byte, 8192> room; // so that most launches ask for no memory
  std::pmr::monotonic_buffer_resource memory(room.data(), room.size());
  std::pmr::vector<std::int64_t> words(&memory);
  words.reserve(launch.words.size() + 3 + owners.size());
  words.assign(launch.words.begin(), launch.words.end());
  const std::size_t first = words.size();
  words.insert(words.end(), {0, launch.programs, records});
  words.insert(words.end(), owners.begin(), owners.end());
  std::pmr::vector<void*> parameters(&memory);
  parameters.reserve(words.size() + code.maps.size());
  for (std::int64_t& word : words)
    parameters.push_back(&word);
  std::pmr::vector<EncodedMap> maps(code.maps.size(), &memory);
  for (std::size_t i = 0; i < maps.size(); ++i) {
    encode_map(context, code.maps[i], words, maps[i], purpose);
    parameters.push_back(&maps[i]);
  }
  for (; words[first] < launch.programs; words[first] += launch.grid) {
    const auto blocks = static_cast<unsigned>(std::min(launch.grid, launch.programs - words[first]));
    context.call(context.driver().cuLaunchKernel, purpose, launch.code.entry(), blocks, 1u, 1u, static_cast<unsigned>(code.threads),
                 1u, 1u, static_cast<unsigned>(code.shared_bytes), stream, parameters.data(), nullptr);
  }
}

} // namespace tegula::gpu
