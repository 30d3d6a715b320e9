#include "tools/ptxemu/driver/State.h"

namespace ptxemu::driver {
namespace {

std::uint64_t from_environment(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text && *text ? std::strtoull(text, nullptr, 0) : otherwise;
}

} // namespace

State::State()
    : architecture(static_cast<int>(from_environment("TEGULA_PTXEMU_ARCH", 90))), seed(from_environment("TEGULA_PTXEMU_SEED", 1)),
      steps(from_environment("TEGULA_PTXEMU_STEPS", LaunchOptions().step_limit)),
      total_memory(from_environment("TEGULA_PTXEMU_MEMORY", std::uint64_t(8) << 30)), memory(total_memory) {}

State& state() {
  static State* the = new State; // never destroyed: programs call the driver while they end
  return *the;
}

Result enqueue(State& s, void* stream, Work work) {
  // Handles 0 to 2 are the default streams.
  bool by_default = reinterpret_cast<std::uintptr_t>(stream) <= 2;
  Stream& target = by_default ? s.default_stream : *static_cast<Stream*>(stream);
  if (!target.capture)
    return work();
  target.capture->work.push_back(std::move(work));
  return success;
}

} // namespace ptxemu::driver
