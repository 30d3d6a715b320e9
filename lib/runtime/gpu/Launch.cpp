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
                 1u, 1u, static_cast<unsigned>(code.shared_bytes), stream, parameters.list(), parameters.packed());
  }
}

Parameters::Parameters(const Context& context, const Launch& launch, std::span<const std::int64_t> words, std::int64_t records,
                       std::span<const std::int64_t> owners)
    : lines_((words.size() + 4 + owners.size() + 7) / 8 + launch.code.code().maps.size() * (sizeof(EncodedMap) / sizeof(Line))),
      places_(launch.code.code().maps.empty() ? 0 : words.size() + 4 + owners.size() + launch.code.code().maps.size()) {
  // Numbers as the driver's interface fixes them.
  void *const buffer = reinterpret_cast<void*>(1), *const buffer_bytes = reinterpret_cast<void*>(2);
  const std::size_t count = words.size() + 4 + owners.size();
  std::int64_t* const begin = lines_.data()->words.data();
  first_ = std::ranges::copy(words, begin).out;
  first_[0] = 0;
  first_[1] = launch.programs;
  first_[2] = records;
  *std::ranges::copy(owners, first_ + 3).out = static_cast<std::int64_t>(context.nothing());
  bytes_ = count * sizeof(std::int64_t);
  options_ = {buffer, begin, buffer_bytes, &bytes_, nullptr};
  const std::vector<TensorMap>& maps = launch.code.code().maps;
  if (maps.empty())
    return;
  for (std::int64_t* word = begin; word != begin + count; ++word)
    places_.push_back(word);
  auto* encoded = reinterpret_cast<EncodedMap*>(lines_.data() + (count + 7) / 8);
  for (const TensorMap& map : maps) {
    encode_map(context, map, {begin, count}, *encoded, [&] { return launch.purpose(); });
    places_.push_back(encoded++);
  }
}

} // namespace tegula::gpu
