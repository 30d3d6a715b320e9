// Kernels that add, for tests that hold on the CPU as on a GPU whose work is done as late as streams and events allow.
#pragma once
#include "GpuKernels.h"

#include <optional>

enum class Kind : std::uint8_t { cpu, gpu };
inline std::string name_of_kind(const testing::TestParamInfo<Kind>& info) { return info.param == Kind::cpu ? "Cpu" : "Gpu"; }

namespace adders {

using namespace tegula;

// What they do is said by their programs; they are recorded otherwise, so that each has code of its own.
inline void plus(Out<i32, 4> y, In<i32, 4> x, Scalar<i32> s) { y.store(x[y] + s); }
inline void to(InOut<i32, 4> y, In<i32, 4> x, Scalar<i32> s) { y.store(y.load() + x[y] + s); }
inline void fails(Out<i32, 4> y, In<i32, 4> x, Scalar<i32> s) { y.store(x[y] + s + 3); }

/// Wraps: what is read too early may be anything.
inline i32 sum(i32 a, i32 b) { return static_cast<i32>(static_cast<u32>(a) + static_cast<u32>(b)); }

// Words: y, extent, stride; x, extent, stride; s; on a GPU first, programs, messages.
template <bool Adds, class Word> void run(const Word& word, std::int64_t program) {
  for (std::int64_t i = program * 4; i < program * 4 + 4 && i < word(1); ++i) {
    i32& y = reinterpret_cast<i32*>(word(0))[i];
    y = sum(Adds ? y : 0, sum(reinterpret_cast<const i32*>(word(3))[i * word(5)], static_cast<i32>(word(6))));
  }
}
template <bool Adds> void run_cpu(const std::int64_t* w, std::int64_t program, std::int64_t, void*, void*) {
  run<Adds>([&](int i) { return w[i]; }, program);
}
template <bool Adds> void run_gpu(void** p, std::int64_t block) {
  run<Adds>([&](int i) { return fake::word(p, i); }, block);
}
/// Fails if s is not 0.
inline void fail_cpu(const std::int64_t* w, std::int64_t program, std::int64_t programs, void* context, void* scratch) {
  run_cpu<false>(w, program, programs, context, scratch);
  if (program == 0 && static_cast<i32>(w[6]) != 0)
    tegula_cpu_assert_failed(context, 0, program, nullptr);
}
inline void fail_gpu(void** p, std::int64_t block) {
  run_gpu<false>(p, block);
  if (block != 0 || static_cast<i32>(fake::word(p, 6)) == 0)
    return;
  fail_at_first_site(fake::word(p, 9));
}

template <auto F>
auto defined(Kind kind, const char* name, CpuKernel::Entry on_cpu, fake::GpuProgram on_gpu, std::vector<Site> sites = {}) {
  if (kind == Kind::cpu) {
    fake::define(name, on_cpu, std::move(sites));
  } else {
    fake::define_entry(name, on_gpu);
    GpuKernel kernel = code(name);
    kernel.sites = std::move(sites);
    fake::define_gpu(name, kernel);
  }
  Proof proof;
  proof.covered = {0};
  fake::prove(name, proof);
  return tegula::kernel<F>(name);
}

} // namespace adders

class Adders : public WithoutDiskCache, public testing::WithParamInterface<Kind> {
public: // for coroutines, which are no members
  using Plus = tegula::Kernel<tegula::Out<tegula::i32, 4>, tegula::In<tegula::i32, 4>, tegula::Scalar<tegula::i32>>;
  using To = tegula::Kernel<tegula::InOut<tegula::i32, 4>, tegula::In<tegula::i32, 4>, tegula::Scalar<tegula::i32>>;

  static tegula::Device open() { return GetParam() == Kind::cpu ? tegula::Device::cpu(2) : fake::gpu(); }
  /// On a GPU, once for each of many orders of work, on a device of its own.
  template <class F> void for_each_order(const F& f) {
    const unsigned orders = GetParam() == Kind::cpu ? 3 : 60;
    for (unsigned seed = 1; seed <= orders; ++seed) {
      opened_.reset();
      opened_.emplace(open());
      if (GetParam() == Kind::gpu)
        fake::delay(seed);
      f(seed);
    }
  }

  const Plus plus = adders::defined<adders::plus>(GetParam(), "adders_plus", adders::run_cpu<false>, adders::run_gpu<false>);
  const To to = adders::defined<adders::to>(GetParam(), "adders_to", adders::run_cpu<true>, adders::run_gpu<true>);
  const Plus fails = adders::defined<adders::fails>(GetParam(), "adders_fails", adders::fail_cpu, adders::fail_gpu,
                                                    {{tegula::Site::Kind::assertion, {"a.cpp", 7, 3}, "s is 0", {}}});

private:
  std::optional<tegula::Device> opened_{open()};

public:
  const tegula::Device& device = *opened_;
};
