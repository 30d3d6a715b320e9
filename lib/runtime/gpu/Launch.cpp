#include "lib/runtime/gpu/Launch.h"
#include "lib/runtime/gpu/TensorMaps.h"

#include <algorithm>

namespace tegula::gpu {

std::string Launch::purpose() const {
  return "kernel '" + kernel + "' (" + std::to_string(programs) + " programs of " + std::to_string(code->code().threads) +
         " threads, " + std::to_string(code->code().shared_bytes) + " bytes of shared memory each)";
}

void start(const Context& context, cuda::Stream stream, const Launch& launch, std::int64_t records,
           const std::vector<std::int64_t>& owners) {
  const auto purpose = [&] { return launch.purpose(); };
  std::vector<std::int64_t> words = launch.words;
  const std::size_t first = words.size();
  words.insert(words.end(), {0, launch.programs, records});
  words.insert(words.end(), owners.begin(), owners.end());
  std::vector<void*> parameters;
  parameters.reserve(words.size());
  for (std::int64_t& word : words)
    parameters.push_back(&word);
  const GpuKernel& code = launch.code->code();
  std::vector<EncodedMap> maps = encode_maps(context, code, words, purpose);
  for (EncodedMap& map : maps)
    parameters.push_back(&map);
  for (; words[first] < launch.programs; words[first] += launch.grid) {
    const auto blocks = static_cast<unsigned>(std::min(launch.grid, launch.programs - words[first]));
    context.call(context.driver().cuLaunchKernel, purpose, launch.code->entry(), blocks, 1u, 1u,
                 static_cast<unsigned>(code.threads), 1u, 1u, static_cast<unsigned>(code.shared_bytes), stream, parameters.data(),
                 nullptr);
  }
}

} // namespace tegula::gpu
