// OpenBLAS, if this machine has it: loaded when asked for, so that nothing else depends on it.
#pragma once
#include <memory>
#include <string>

namespace tegula::bench {

class OpenBlas {
public:
  /// Null if the library cannot be loaded. Left alone, OpenBLAS does not know newer CPUs and takes very old code for them: it is
  /// told which of its kernels is the best that this CPU can run.
  static std::unique_ptr<OpenBlas> load(int threads);

  /// C = A · B for row-major matrices of m×k, k×n and m×n.
  void sgemm(int m, int n, int k, const float* a, const float* b, float* c) const;
  /// Which of its kernels it runs.
  const std::string& core() const { return core_; }

private:
  using Sgemm = void (*)(int order, int transa, int transb, int m, int n, int k, float alpha, const float* a, int lda,
                         const float* b, int ldb, float beta, float* c, int ldc);
  OpenBlas(Sgemm sgemm, std::string core) : sgemm_(sgemm), core_(std::move(core)) {}
  Sgemm sgemm_;
  std::string core_;
};

} // namespace tegula::bench
