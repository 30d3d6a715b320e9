// 20: the Fourier transform of many signals, as products with small matrices.
//
// A signal of A · B numbers is a matrix, filled row by row. Its transform is: each column transformed (a product with the A×A
// matrix of roots of unity, from the left), each element turned by a "twiddle" factor, each row transformed (a product with the B×B
// matrix, from the right), and the result read column by column. That takes A + B instead of A · B products for each number.
//
// A complex number is two tiles. A kernel is C++: a struct with operators makes it read like a number.
#include "check.hpp"

#include <tegula/tegula.hpp>

using namespace tegula;

template <class Real> struct Complex {
  Real re, im;
};
template <class T, class U> auto operator*(const Complex<T>& a, const Complex<U>& b) {
  return Complex{a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
/// For each of several signals, the product of two matrices.
template <int S, int M, int K, int N> auto product(const Complex<Tile<f32, S, M, K>>& a, const Complex<Tile<f32, S, K, N>>& b) {
  auto none = zeros<f32, S, M, N>();
  return Complex{mma(a.re, b.re, none) - mma(a.im, b.im, none), mma(a.re, b.im, mma(a.im, b.re, none))};
}
/// e^(-2πi · row · column / n), the same for all signals. The remainder keeps the angle small, and so exact.
template <int S, int M, int N> auto roots(int n) {
  auto turns = iota<S, M, N>(1) * iota<S, M, N>(2) % n;
  auto angle = cast<f32>(turns) * (-2 * 3.14159265358979 / n);
  return Complex{cos(angle), sin(angle)};
}

template <int S, int A, int B>
void transform(Out<f32, S, A * B> out_re, Out<f32, S, A * B> out_im, In<f32, S, A * B> re, In<f32, S, A * B> im) {
  expects(re.extent(0) == out_re.extent(0) && im.extent(0) == out_re.extent(0), "there are as many signals everywhere");
  expects(re.count(1) == 1 && im.count(1) == 1 && out_re.count(1) == 1, "a tile holds whole signals; short ones end with zeros");
  Complex signal{reshape<S, A, B>(re[out_re]), reshape<S, A, B>(im[out_re])};
  auto columns = product(roots<S, A, A>(A), signal);
  auto rows = product(columns * roots<S, A, B>(A * B), roots<S, B, B>(B));
  out_re.store(reshape<S, A * B>(transpose(rows.re)));
  out_im.store(reshape<S, A * B>(transpose(rows.im)));
}

int main() {
  constexpr i64 signals = 5;
  constexpr int S = 2, A = 16, B = 8, N = A * B;
  const auto host_re = some_numbers(signals * N, 51), host_im = some_numbers(signals * N, 52);

  Device device = Device::best();
  auto re = Tensor<f32, 2>::from_host(device, {signals, N}, host_re), im = Tensor<f32, 2>::from_host(device, {signals, N}, host_im);
  auto [out_re, out_im] = kernel<transform<S, A, B>>()(fresh(signals, N), fresh(signals, N), re, im).sync();

  std::vector<double> expected_re(signals * N), expected_im(signals * N);
  for (i64 s = 0; s < signals; ++s)
    for (i64 k = 0; k < N; ++k)
      for (i64 j = 0; j < N; ++j) {
        const double angle = -2 * 3.14159265358979 * double(j * k % N) / N, c = std::cos(angle), d = std::sin(angle);
        expected_re[s * N + k] += host_re[s * N + j] * c - host_im[s * N + j] * d;
        expected_im[s * N + k] += host_re[s * N + j] * d + host_im[s * N + j] * c;
      }
  return compare("FFT, real part", out_re.to_host(), expected_re, 3e-5) |
         compare("FFT, imaginary part", out_im.to_host(), expected_im, 3e-5);
}
