#include "lib/runtime/gpu/Launch.h"

#include <algorithm>

namespace tegula::gpu {

std::string Launch::purpose() const {
  return "kernel '" + std::string(kernel) + "' (" + std::to_string(programs) + " programs of " +
         std::to_string(code.code().threads) + " threads, " + std::to_string(code.code().shared_bytes) +
         " bytes of shared memory each)";
}

void start(const Context& context, cuda::Stream stream, const Launch& launch, Parameters& parameters) {
  const auto purpose = [&] { return launch.purpose(); };
  const GpuKernel& code = launch.code.code();
  for (std::int64_t& first = parameters.first(); first < launch.programs; first += launch.grid) {
    const auto blocks = static_cast<unsigned>(std::min(launch.grid, launch.programs - first));
    context.call(context.driver().cuLaunchKernel, purpose, launch.code.entry(), blocks, 1u, 1u, static_cast<unsigned>(code.threads),
                 1u, 1u, static_cast<unsigned>(code.shared_bytes), stream, parameters.pointers(), nullptr);
  }
}

void Parameters::finish(const Context& context, const Launch& launch, std::int64_t records, std::span<const std::int64_t> owners) {
  words_.push_back(0);
  words_.push_back(launch.programs);
  words_.push_back(records);
  for (const std::int64_t owner : owners)
    words_.push_back(owner);
  for (std::int64_t& word : words_)
    pointers_.push_back(&word);
  for (const TensorMap& map : launch.code.code().maps) {
    EncodedMap encoded;
    encode_map(context, map, words_.span(), encoded, [&] { return launch.purpose(); });
    maps_.push_back(encoded);
  }
  for (EncodedMap& map : maps_)
    pointers_.push_back(&map);
}

} // namespace tegula::gpu
