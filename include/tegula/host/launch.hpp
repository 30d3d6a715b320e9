// Kernels as objects, and launching them.
#pragma once
#include "tegula/host/arguments.hpp"
#include "tegula/host/op.hpp"

#include <source_location>
#include <string>
#include <string_view>

TEGULA_HOST_BEGIN
namespace tegula {

/// What is asked of the compiler. Numbers are advice, 0 leaves the choice to it; the result never depends on them, and the CPU has
/// no use for them.
struct Hints {
  int stages = 0;      // tiles in flight per load in a loop
  int warps = 0;       // per program
  int max_regs = 0;    // per thread
  bool strict = false; // what would be checked in the kernel, because it could not be proved, is an error
};

struct Timings {
  double trace_ms = 0;
  double compile_ms = 0; // all specialisations together
  int specialisations = 0;
};

namespace host {
/// A null pointer is no name, which is reported, as an empty one is.
struct KernelName {
  std::string_view text;
  KernelName(const char* name) : text(name ? name : "") {}
  KernelName(std::string_view name) : text(name) {}
  KernelName(const std::string& name) : text(name) {}
};

struct KernelSource {
  std::string_view name;
  std::source_location location;
  const detail::ParameterDecl* declarations;
  std::size_t parameters;
  detail::Body body;
  const void* callable;
  Hints hints;
};
KernelState* make_kernel(const KernelSource&);

template <auto F> inline constexpr auto function_of = F;
template <class F> inline constexpr F lambda_of{};
} // namespace host

/// What all kernels have in common. A handle: copies share their trace and their machine code.
class AnyKernel {
public:
  AnyKernel(const AnyKernel& other) noexcept : state_(other.state_) { host::retain(state_); }
  AnyKernel& operator=(const AnyKernel& other) noexcept {
    host::retain(other.state_);
    host::release(state_);
    state_ = other.state_;
    return *this;
  }
  ~AnyKernel() { host::release(state_); }
  const char* name() const noexcept;
  const Hints& hints() const noexcept;
  Timings timings() const;
  host::KernelState* state() const noexcept { return state_; }

protected:
  explicit AnyKernel(host::KernelState* state) noexcept : state_(state) {}
  host::KernelState* state_;
};

/// P are the kernel's parameters.
template <class... P> class Kernel : public AnyKernel {
public:
  explicit Kernel(const host::KernelSource& source) : AnyKernel(host::make_kernel(source)) {}

  /// The kernel with its arguments; sync() of the result runs it, with one program per tile of the partition.
  template <class... A> Op<host::owns_inputs<A...>, P...> operator()(A&&... arguments) const {
    using Result = Op<host::owns_inputs<A...>, P...>;
    constexpr bool complete = sizeof...(A) == sizeof...(P);
    TEGULA_CHECK(complete, "tegula: a launch has one argument for each parameter of its kernel",
                 detail::Text{}
                     .add("tegula: the kernel has ")
                     .add(std::int64_t{sizeof...(P)})
                     .add(sizeof...(P) == 1 ? " parameter" : " parameters")
                     .add(", the launch ")
                     .add(std::int64_t{sizeof...(A)})
                     .add(sizeof...(A) < sizeof...(P) ? ": arguments are missing" : ": there are surplus arguments"));
    if constexpr (complete) {
      constexpr bool fits = fit<A...>(std::make_index_sequence<sizeof...(P)>{});
      if constexpr (fits)
        return Result(state_, arguments...);
      else
        return Result(state_, host::Unfit{});
    } else
      return Result(state_, host::Unfit{});
  }

private:
  template <class... A, std::size_t... I> static constexpr bool fit(std::index_sequence<I...>) {
    return (int(host::check_argument<static_cast<int>(I), P, A>()) & ... & 1) != 0;
  }
};

namespace host {
template <class F, class... P> Kernel<std::remove_cvref_t<P>...>
kernel_of(detail::TypeList<P...>, std::string_view name, const void* callable, Hints hints, std::source_location location) {
  return Kernel<std::remove_cvref_t<P>...>({.name = name,
                                            .location = location,
                                            .declarations = detail::Signature<F>::declarations.data(),
                                            .parameters = detail::Signature<F>::declarations.size(),
                                            .body = detail::body_of<F>(),
                                            .callable = callable,
                                            .hints = hints});
}
/// After a mistake has been reported: of the right type, so that its uses are not reported too.
template <class... P> Kernel<std::remove_cvref_t<P>...> no_kernel(detail::TypeList<P...>) {
  return Kernel<std::remove_cvref_t<P>...>(KernelSource{});
}
} // namespace host

/// kernel<gemm<128, 256, 64>>("gemm", {.stages = 4})
template <auto F>
auto kernel(host::KernelName name, Hints hints = {}, std::source_location location = std::source_location::current()) {
  using Parameters = typename detail::Signature<decltype(F)>::parameters;
  return host::kernel_of<decltype(F)>(Parameters{}, name.text, &host::function_of<F>, hints, location);
}

/// kernel("scale", [](Out<f32, 256> y, In<f32, 256> x, Scalar<f32> s) { y.store(x[y] * s); })
template <class F>
auto kernel(host::KernelName name, F, Hints hints = {}, std::source_location location = std::source_location::current()) {
  static_assert(std::is_class_v<F>, "tegula: a function becomes a kernel by kernel<function>(\"name\")");
  if constexpr (std::is_empty_v<F>) {
    return host::kernel_of<F>(typename detail::Signature<F>::parameters{}, name.text, &host::lambda_of<F>, hints, location);
  } else if constexpr (std::is_class_v<F>) {
    static_assert(std::is_empty_v<F>,
                  "tegula: a kernel's lambda captures nothing; pass values as Scalar<T> parameters or template arguments");
    return host::no_kernel(typename detail::CallSignature<decltype(&F::operator())>::parameters{});
  }
}

} // namespace tegula
TEGULA_HOST_END
