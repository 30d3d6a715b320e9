// Kernels as objects, and launching them.
#pragma once
#include "tegula/host/op.hpp"

#include <algorithm>
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

/// Of a function: its name, without namespaces and template arguments.
template <auto F> constexpr std::string_view name_of() {
  std::string_view text = __PRETTY_FUNCTION__; // "... [F = &kernels::gemm<64, 64>]", or "... [with auto F = ...; ...]"
  text.remove_prefix(text.find("F = ") + 4);
  text = text.substr(0, std::min(text.find(';'), text.rfind(']')));
  if (text.ends_with('>')) {
    std::size_t depth = 0, end = text.size();
    do {
      --end;
      depth += text[end] == '>' ? 1u : 0u;
      depth -= text[end] == '<' ? 1u : 0u;
    } while (depth > 0 && end > 0);
    text = text.substr(0, end);
  }
  text.remove_prefix(text.find_last_of(":&)") + 1); // npos + 1 is 0
  return text;
}
/// Of a lambda: "lambda_at_softmax.cpp_17".
std::string name_of(const std::source_location&);

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

namespace host {
/// How a parameter is passed. Of a group, the arguments have types of their own.
enum class Passed : u8 { group, scalar, input, certified, output };
template <class P> constexpr Passed passed() {
  constexpr ParameterKind kind = detail::ParameterTraits<P>::kind;
  if (detail::GroupTraits<P>::is_group)
    return Passed::group;
  if (kind == ParameterKind::scalar)
    return Passed::scalar;
  return kind == ParameterKind::in ? Passed::input : is_certified(kind) ? Passed::certified : Passed::output;
}

/// What a parameter takes, in so many words that Clang sees which arguments are borrowed and which are given up. `owned` is for an
/// operation that owns all it uses, `lent` for one that is lent its outputs.
template <class P, Passed = passed<P>(), class Traits = detail::ParameterTraits<P>, class T = typename Traits::element>
struct Slot {
  using type = Number<T>;
  using owned = type;
  using lent = type;
};
template <int> struct NoGroup;
template <class P, class Traits, class T> struct Slot<P, Passed::group, Traits, T> {
  using type = const NoGroup<0>&;
  using owned = const NoGroup<1>&;
  using lent = const NoGroup<2>&;
};
template <class P, class Traits, class T> struct Slot<P, Passed::input, Traits, T> {
  using type = Input<T, Traits::rank>;
  using owned = const Shared<T, Traits::rank>&;
  using lent = type;
};
template <class P, class Traits, class T> struct Slot<P, Passed::certified, Traits, T> {
  using type = const Certified<T, Traits::rank>&;
  using owned = type;
  using lent = type;
};
template <class P, class Traits, class T> struct Slot<P, Passed::output, Traits, T> {
  using type = typename OutputArgument<P>::given;
  using owned = type;
  using lent = typename OutputArgument<P>::passed;
};
template <class... P> struct Calls {
  void operator()(typename Slot<P>::type...) const;
  void lent(typename Slot<P>::lent...) const;
};
template <class Calls, class... A>
concept fits_call = requires(const Calls& calls, A&&... a) { calls(static_cast<A&&>(a)...); } ||
                    requires(const Calls& calls, A&&... a) { calls.lent(static_cast<A&&>(a)...); };
} // namespace host

/// P are the kernel's parameters.
template <class... P> class Kernel : public AnyKernel {
  static constexpr unsigned all = (1u << host::Outputs<P...>::count) - 1;
  static constexpr bool has_input = ((detail::ParameterTraits<P>::kind == ParameterKind::in) || ...);

public:
  explicit Kernel(const host::KernelSource& source) : AnyKernel(host::make_kernel(source)) {}

  /// The kernel with its arguments; sync() of the result runs it, with one program per tile of an Out or InOut.
  Op<false, all, P...> operator()(TEGULA_BOUND typename host::Slot<P>::type... arguments) const
    requires has_input
  {
    return Op<false, all, P...>(state_, arguments...);
  }
  Op<true, all, P...> operator()(typename host::Slot<P>::owned... arguments) const {
    return Op<true, all, P...>(state_, arguments...);
  }
  /// All outputs are lent.
  Op<false, 0, P...> operator()(TEGULA_BOUND typename host::Slot<P>::lent... arguments) const {
    return Op<false, 0, P...>(state_, arguments...);
  }

  /// The same for other arguments that fit: groups, and outputs some of which are lent. Says why others do not.
  template <class... A>
    requires(!host::fits_call<host::Calls<P...>, A...>)
  auto operator()(A&&... arguments) const {
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
      using Result = Op<(host::owns<A> && ...), returned<A...>(), P...>;
      constexpr bool fits = fit<A...>(std::make_index_sequence<sizeof...(P)>{});
      if constexpr (fits)
        return Result(state_, arguments...);
      else
        return Result(state_, host::Unfit{});
    } else
      return Op<false, all, P...>(state_, host::Unfit{});
  }

private:
  template <class... A, std::size_t... I> static constexpr bool fit(std::index_sequence<I...>) {
    return (int(host::check_argument<static_cast<int>(I), P, A>()) & ... & 1) != 0;
  }
  template <class... A> static constexpr unsigned returned() {
    unsigned bits = 0;
    int output = 0;
    ((host::is_output<P> ? void(bits |= unsigned{host::is_returned<std::remove_cvref_t<A>>} << output++) : void()), ...);
    return bits;
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

/// kernel<gemm<128, 256, 64>>({.stages = 4}), or with a name of its own in front: kernel<gemm<128, 256, 64>>("gemm_wide").
template <auto F>
auto kernel(host::KernelName name, Hints hints = {}, std::source_location location = std::source_location::current()) {
  using Parameters = typename detail::Signature<decltype(F)>::parameters;
  return host::kernel_of<decltype(F)>(Parameters{}, name.text, &host::function_of<F>, hints, location);
}
template <auto F> auto kernel(Hints hints = {}, std::source_location location = std::source_location::current()) {
  return kernel<F>(host::name_of<F>(), hints, location);
}

/// kernel("scale", [](Out<f32, 256> y, In<f32, 256> x, Scalar<f32> s) { y.store(x[y] * s); }); without a name, that is its place.
template <class F>
auto kernel(host::KernelName name, F, Hints hints = {}, std::source_location location = std::source_location::current()) {
  static_assert(std::is_class_v<F>, "tegula: a function becomes a kernel by kernel<function>()");
  if constexpr (std::is_empty_v<F>) {
    return host::kernel_of<F>(typename detail::Signature<F>::parameters{}, name.text, &host::lambda_of<F>, hints, location);
  } else if constexpr (std::is_class_v<F>) {
    static_assert(std::is_empty_v<F>,
                  "tegula: a kernel's lambda captures nothing; pass values as Scalar<T> parameters or template arguments");
    return host::no_kernel(typename detail::CallSignature<decltype(&F::operator())>::parameters{});
  }
}
template <class F>
  requires(std::is_class_v<F> && !std::is_convertible_v<F, host::KernelName> && !std::is_same_v<F, Hints>)
auto kernel(F f, Hints hints = {}, std::source_location location = std::source_location::current()) {
  return kernel(host::name_of(location), f, hints, location);
}

} // namespace tegula
TEGULA_HOST_END
