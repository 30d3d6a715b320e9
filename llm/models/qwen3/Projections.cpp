#include "llm/models/qwen3/Projections.h"
#include "llm/models/qwen3/kernels/linear.hpp"
#include "llm/models/qwen3/kernels/matrix_vector.hpp"
#include "llm/models/qwen3/kernels/rms_norm.hpp"
#include "tegula/error.hpp"

namespace tegula::llm::qwen3 {
namespace {

/// The shape of the tiles of a product with x, and how many of them are under way. On a GPU few rows are bound by the weights'
/// memory: narrow tiles, so that there are programs for all multiprocessors, that ask for much of a row at a time.
struct Tiles {
  int rows, columns, depth, stages = 0, warps = 0;

  constexpr Hints hints() const { return {.stages = stages, .warps = warps, .strict = true}; }
};

template <class F> auto with_tiles(const Matrix& x, const F& f) {
  const i64 rows = x.extent(0);
  if (x.device().is_cpu() && rows <= 16)
    return f.template operator()<Tiles{16, 64, 64}>();
  if (rows <= 16)
    return f.template operator()<Tiles{16, 32, 256, 4, 2}>();
  if (!x.device().is_cpu() && rows <= 32)
    return f.template operator()<Tiles{32, 32, 256, 4}>();
  if (rows <= 64)
    return f.template operator()<Tiles{64, 64, 64, 4}>();
  return f.template operator()<Tiles{128, 128, 64, 2, 4}>();
}

/// What a program reads for one row of activations: so many rows of weights, in pieces of `width` of which `columns` make a row.
struct Pieces {
  int rows, width, columns = any_length, warps = 0, max_regs = 0;

  constexpr Hints hints() const { return {.warps = warps, .max_regs = max_regs, .strict = true}; }
};
/// On a CPU a row from end to end: the sums stay in registers.
constexpr Pieces by_row{1, 128};
/// On a GPU, of rows that are not at_once().
constexpr Pieces in_turns{.rows = 4, .width = 1024, .warps = 4};
/// On a GPU rows of all matrices, four together if they are not too long, as a whole: they have been asked for before what they are
/// multiplied by is there, and wait in registers. The limit of these lets several programs share a multiprocessor.
constexpr Pieces at_once(int matrices, int columns) {
  constexpr int lanes = 32, enough = 160, most = 192, most_warps = 8; // elements of a thread
  int rows = 4 / matrices, warps = 1;
  while (warps < most_warps && rows * matrices * columns > enough * lanes * warps)
    warps *= 2;
  while (rows > 1 && rows * matrices * columns > most * lanes * warps)
    rows /= 2;
  int width = 8 * lanes * warps; // 16 bytes for each thread
  while (columns % width != 0)
    width /= 2;
  return {rows, width, columns, warps, warps <= 2 ? 168 : 128};
}

/// Calls f with the Pieces that suit rows of w: they are read at once if they are as long as one of `Lengths`.
template <int Matrices, int... Lengths, class F> auto with_pieces(const Matrix& w, const F& f) {
  if (w.device().is_cpu())
    return f.template operator()<by_row>();
  decltype(f.template operator()<by_row>()) result;
  const auto fits = [&]<int Length> {
    if (w.extent(1) != Length)
      return false;
    result = f.template operator()<at_once(Matrices, Length)>();
    return true;
  };
  if (!(fits.template operator()<Lengths>() || ...))
    result = f.template operator()<in_turns>();
  return result;
}
/// Of the residual stream, in all published sizes.
template <int Matrices, class F> auto with_hidden_pieces(const Matrix& w, const F& f) {
  return with_pieces<Matrices, 1024, 2048, 2560, 4096, 5120>(w, f);
}

template <class R> Tensor<R, 2> product(const Queue& queue, const Matrix& x, const Matrix& w) {
  return with_tiles(x, [&]<Tiles T> {
    static const auto multiply = kernel<linear<bf16, R, T.rows, T.columns, T.depth>>(T.hints());
    return multiply(fresh(x.extent(0), w.extent(0)), x, w.view().transpose()).start(queue);
  });
}

template <int N> Matrix normed_by(const Queue& queue, const Matrix& x, const Vector& norm, double epsilon) {
  static const auto normalise = kernel<rms_norm<bf16, N>>({.strict = true});
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
  return with_hidden_pieces<1>(w, [&]<Pieces P> {
    static const auto multiply = kernel<norm_matrix_vector<bf16, R, P.rows, P.width, P.columns>>(P.hints());
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
    return with_tiles(x, [&]<Tiles T> {
      static const auto multiply = kernel<linear_gate_up<bf16, T.rows, T.columns / (T.rows == 128 ? 2 : 1), T.depth>>(T.hints());
      return multiply(fresh(x.extent(0), gate.extent(0)), n, gate.view().transpose(), up.view().transpose()).start(queue);
    });
  }
  return with_hidden_pieces<2>(gate, [&]<Pieces P> {
    static const auto multiply = kernel<qwen3::norm_gate_up<bf16, P.rows, P.width, P.columns>>(P.hints());
    return multiply(fresh(x.extent(0), gate.extent(0)), gate, up, x, norm, frozen(epsilon)).start(queue);
  });
}

Matrix project_add(const Queue& queue, By by, Matrix x, const Matrix& w, const Matrix& a) {
  if (by == By::matrices)
    return with_tiles(x, [&]<Tiles T> {
      static const auto multiply = kernel<linear_add<bf16, T.rows, T.columns, T.depth>>(T.hints());
      return multiply(std::move(x), a, w.view().transpose()).start(queue);
    });
  return with_pieces<1, 2048, 3072, 4096, 5120, 6144, 8192, 9728, 12288, 17408>(w, [&]<Pieces P> {
    static const auto multiply = kernel<matrix_vector_add<bf16, P.rows, P.width, P.columns>>(P.hints());
    return multiply(std::move(x), w, a).start(queue);
  });
}

} // namespace tegula::llm::qwen3
