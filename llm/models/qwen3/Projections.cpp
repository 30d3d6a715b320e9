#include "llm/models/qwen3/Projections.h"
#include "llm/models/qwen3/kernels/linear.hpp"
#include "llm/models/qwen3/kernels/matrix_vector.hpp"
#include "llm/models/qwen3/kernels/rms_norm.hpp"
#include "tegula/error.hpp"

namespace tegula::llm::qwen3 {
namespace {

constexpr Hints proved{.strict = true};

/// The shape of the tiles of a product with x: no more rows than there are, and, for few of them, narrow ones on a GPU, so that
/// there are programs for all multiprocessors. All go along a row in the same steps.
template <class F> auto with_tiles(const Matrix& x, const F& f) {
  const i64 rows = x.extent(0);
  if (rows <= 16)
    return x.device().is_cpu() ? f.template operator()<16, 64, 64>() : f.template operator()<16, 32, 64>();
  if (rows <= 64)
    return f.template operator()<64, 64, 64>();
  return f.template operator()<128, 128, 64>();
}

/// The rows of weights, and how much of each at a time, that a program reads for one row of activations. On a CPU it reads one row
/// from end to end, and its sums stay in registers.
template <int Rows, int N, class F> auto with_pieces(const Matrix& w, const F& f) {
  return w.device().is_cpu() ? f.template operator()<1, 128>() : f.template operator()<Rows, N>();
}

template <class R> Tensor<R, 2> product(const Queue& queue, const Matrix& x, const Matrix& w) {
  return with_tiles(x, [&]<int BM, int BN, int BK> {
    static const auto multiply = kernel<linear<bf16, R, BM, BN, BK>>(proved);
    return multiply(fresh(x.extent(0), w.extent(0)), x, w.view().transpose()).start(queue);
  });
}

template <int N> Matrix normed_by(const Queue& queue, const Matrix& x, const Vector& norm, double epsilon) {
  static const auto normalise = kernel<rms_norm<bf16, N>>(proved);
  return normalise(fresh(x.shape()), x, norm, frozen(epsilon)).start(queue);
}
/// A tile holds a row.
Matrix normed(const Queue& queue, const Matrix& x, const Vector& norm, double epsilon) {
  if (x.extent(1) <= 1024)
    return normed_by<1024>(queue, x, norm, epsilon);
  if (x.extent(1) <= 4096)
    return normed_by<4096>(queue, x, norm, epsilon);
  return normed_by<16384>(queue, x, norm, epsilon);
}

template <class R>
Tensor<R, 2> norm_product(const Queue& queue, By by, const Matrix& x, const Vector& norm, const Matrix& w, double epsilon) {
  if (by == By::matrices)
    return product<R>(queue, normed(queue, x, norm, epsilon), w);
  return with_pieces<2, 512>(w, [&]<int Rows, int N> {
    static const auto multiply = kernel<norm_matrix_vector<bf16, R, Rows, N>>({.warps = 1, .strict = true});
    return multiply(fresh(x.extent(0), w.extent(0)), w, x, norm, frozen(epsilon)).start(queue);
  });
}

} // namespace

Matrix norm_project(const Queue& queue, By by, const Matrix& x, const Vector& norm, const Matrix& w, double epsilon) {
  return norm_product<bf16>(queue, by, x, norm, w, epsilon);
}
Tensor<f32, 2> norm_project_f32(const Queue& queue, By by, const Matrix& x, const Vector& norm, const Matrix& w, double epsilon) {
  return norm_product<f32>(queue, by, x, norm, w, epsilon);
}

Matrix norm_gate_up(const Queue& queue, By by, const Matrix& x, const Vector& norm, const Matrix& gate, const Matrix& up,
                    double epsilon) {
  if (by == By::matrices) {
    const Matrix n = normed(queue, x, norm, epsilon);
    return with_tiles(x, [&]<int BM, int BN, int BK> {
      static const auto multiply = kernel<linear_gate_up<bf16, BM, BN / (BM == 128 ? 2 : 1), BK>>(proved);
      return multiply(fresh(x.extent(0), gate.extent(0)), n, gate.view().transpose(), up.view().transpose()).start(queue);
    });
  }
  return with_pieces<2, 512>(gate, [&]<int Rows, int N> {
    static const auto multiply = kernel<qwen3::norm_gate_up<bf16, Rows, N>>({.warps = 2, .strict = true});
    return multiply(fresh(x.extent(0), gate.extent(0)), gate, up, x, norm, frozen(epsilon)).start(queue);
  });
}

Matrix project_add(const Queue& queue, By by, Matrix x, const Matrix& w, const Matrix& a) {
  if (by == By::matrices)
    return with_tiles(x, [&]<int BM, int BN, int BK> {
      static const auto multiply = kernel<linear_add<bf16, BM, BN, BK>>(proved);
      return multiply(std::move(x), a, w.view().transpose()).start(queue);
    });
  return with_pieces<4, 1024>(w, [&]<int Rows, int N> {
    static const auto multiply = kernel<matrix_vector_add<bf16, Rows, N>>({.warps = 4, .strict = true});
    return multiply(std::move(x), w, a).start(queue);
  });
}

} // namespace tegula::llm::qwen3
