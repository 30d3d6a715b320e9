#include "llm/models/qwen3/Projections.h"
#include "llm/models/qwen3/Shapes.h"
#include "llm/models/qwen3/kernels/linear.hpp"
#include "llm/models/qwen3/kernels/matrix_vector.hpp"
#include "llm/models/qwen3/kernels/rms_norm.hpp"
#include "tegula/error.hpp"

namespace tegula::llm::qwen3 {
namespace {

template <class F> auto with_tiles(const Matrix& x, const F& f) {
  const i64 rows = x.extent(0);
  if (x.device().is_cpu())
    return rows <= 16   ? f.template operator()<few_on_cpu>()
           : rows <= 64 ? f.template operator()<to_64>()
                        : f.template operator()<many>();
  return rows <= 16   ? f.template operator()<to_16>()
         : rows <= 32 ? f.template operator()<to_32>()
         : rows <= 64 ? f.template operator()<to_64>()
                      : f.template operator()<many>();
}

/// Calls f with the Pieces that suit rows of w: they are read at once if they are as long as one of these.
template <int Matrices, int... Lengths, class F>
auto with_pieces(std::integer_sequence<int, Lengths...>, const Matrix& w, const F& f) {
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
    result = f.template operator()<in_turns(Matrices)>();
  return result;
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
  return with_pieces<1>(HiddenLengths(), w, [&]<Pieces P> {
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
      static const auto multiply = kernel<linear_gate_up<bf16, T.rows, T.columns_of_two(), T.depth>>(T.hints());
      return multiply(fresh(x.extent(0), gate.extent(0)), n, gate.view().transpose(), up.view().transpose()).start(queue);
    });
  }
  return with_pieces<2>(HiddenLengths(), gate, [&]<Pieces P> {
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
  return with_pieces<1>(InnerLengths(), w, [&]<Pieces P> {
    static const auto multiply = kernel<matrix_vector_add<bf16, P.rows, P.width, P.columns>>(P.hints());
    return multiply(std::move(x), w, a).start(queue);
  });
}

} // namespace tegula::llm::qwen3
