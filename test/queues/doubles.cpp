// The same kernels as functions of C++, without a compiler and without a GPU, so that sanitizers see what the run time and the
// kernels do; on the CPU, or (TEGULA_DEVICE=gpu) on a driver whose work is done as late as streams and events allow, with hardly
// more memory than tensors take.
#include "kernels.hpp"
#include "test/runtime/GpuKernels.h"

namespace {

using namespace tegula;
using queues::tile;

// Words: y, extent, stride, of an OutIndex its bound; x, extent, stride, of an Index its bound; s; on a GPU first, programs,
// messages.
struct Words {
  const std::int64_t* cpu;
  void** gpu;
  std::int64_t operator[](int i) const { return cpu ? cpu[i] : fake::word(gpu, i); }
};

/// f(y, x, i) for the elements of a tile; the words of x begin at `x`.
template <class F> void each(const Words& w, int x, std::int64_t number, const F& f) {
  for (std::int64_t i = number * tile; i < std::min<std::int64_t>((number + 1) * tile, w[1]); ++i)
    f(reinterpret_cast<i32*>(w[0])[i], reinterpret_cast<const i32*>(w[x])[i * w[x + 2]]);
}
/// Wraps: what is poisoned may be anything.
i32 sum(i32 a, i32 b) { return static_cast<i32>(static_cast<u32>(a) + static_cast<u32>(b)); }

void add(const Words& w, std::int64_t program, std::int64_t) {
  each(w, 3, program, [&](i32& y, i32 x) { y = sum(x, static_cast<i32>(w[6])); });
}
void add_to(const Words& w, std::int64_t program, std::int64_t) {
  each(w, 3, program, [&](i32& y, i32 x) { y = sum(y, sum(x, static_cast<i32>(w[6]))) & 1023; });
}
void deal_out(const Words& w, std::int64_t program, std::int64_t programs) {
  for (; program * tile < w[1]; program += programs)
    each(w, 3, program, [](i32& y, i32 x) { y = sum(x, 1); });
}
void check(const Words& w, std::int64_t program, std::int64_t) {
  each(w, 3, program, [](i32& y, i32 x) { y = x; });
}
void choose(const Words& w, std::int64_t program, std::int64_t) {
  each(w, 4, program, [&](i32& y, i32 x) { y = static_cast<i32>(std::clamp<std::int64_t>(x, 0, w[3] - 1)); });
}
void chosen(const Words& w, std::int64_t program, std::int64_t) {
  each(w, 3, program, [&](i32& y, i32 x) { y = sum(x, static_cast<i32>(w[7])); });
}

using Body = void (*)(const Words&, std::int64_t program, std::int64_t programs);
/// `words`: how many there are before `first`.
template <Body body, int words> void define(const char* name, bool on_gpu, const std::vector<Site>& sites = {}) {
  if (on_gpu) {
    fake::define_entry(name, [](void** p, std::int64_t block) {
      body({nullptr, p}, fake::word(p, words) + block, fake::word(p, words + 1));
      if constexpr (body == check)
        if (block == 0 && static_cast<i32>(fake::word(p, 6)) != 0)
          fail_at_first_site(fake::word(p, words + 2));
    });
    GpuKernel kernel = code(name);
    kernel.sites = sites;
    fake::define_gpu(name, kernel);
  } else {
    const auto entry = [](const std::int64_t* w, std::int64_t program, std::int64_t programs, void* context, void*) {
      body({w, nullptr}, program, programs);
      if constexpr (body == check)
        if (static_cast<i32>(w[6]) != 0)
          tegula_cpu_assert_failed(context, 0, program, nullptr);
    };
    fake::define(name, entry, sites);
  }
  Proof proof;
  proof.covered = {0};
  fake::prove(name, proof);
}

} // namespace

tegula::Device queues::open(std::size_t bytes) {
  const char* device = std::getenv("TEGULA_DEVICE");
  const bool on_gpu = device && std::string(device) == "gpu";
  define<::add, 7>("add_tiles", on_gpu);
  define<::add_to, 7>("add_to_tiles", on_gpu);
  define<::deal_out, 6>("deal_out_tiles", on_gpu);
  define<::check, 7>("require_tiles", on_gpu, {{Site::Kind::assertion, {"kernels.hpp", 1, 1}, "s is 0", {}}});
  define<::choose, 7>("choose_tiles", on_gpu);
  define<::chosen, 8>("chosen_tiles", on_gpu);
  if (!on_gpu)
    return Device::cpu(4);
  const Device gpu = fake::gpu({.memory = bytes + bytes / 4});
  fake::delay(1);
  return gpu;
}
