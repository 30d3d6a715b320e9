#include "tools/measure/OpenBlas.h"

#include <cstdlib>
#include <dlfcn.h>

namespace tegula::bench {

static const char* best_core() {
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq"))
    return "SkylakeX";
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    return "Haswell";
  return nullptr;
}

std::unique_ptr<OpenBlas> OpenBlas::load(int threads) {
  if (const char* core = best_core())
    setenv("OPENBLAS_CORETYPE", core, /*overwrite=*/0);
  setenv("OPENBLAS_THREAD_TIMEOUT", "20", /*overwrite=*/0); // idle threads spin for a millisecond, not for a hundred
  void* library = dlopen("libopenblas.so.0", RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return nullptr;
  auto sgemm = reinterpret_cast<Sgemm>(dlsym(library, "cblas_sgemm"));
  auto set_threads = reinterpret_cast<void (*)(int)>(dlsym(library, "openblas_set_num_threads"));
  auto core_name = reinterpret_cast<char* (*)()>(dlsym(library, "openblas_get_corename"));
  if (!sgemm || !set_threads || !core_name)
    return nullptr;
  set_threads(threads);
  return std::unique_ptr<OpenBlas>(new OpenBlas(sgemm, core_name()));
}

void OpenBlas::sgemm(int m, int n, int k, const float* a, const float* b, float* c) const {
  constexpr int row_major = 101, no_transpose = 111;
  sgemm_(row_major, no_transpose, no_transpose, m, n, k, 1.0f, a, k, b, n, 0.0f, c, n);
}

} // namespace tegula::bench
