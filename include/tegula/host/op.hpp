// A kernel with its arguments, ready to run.
#pragma once
#include "tegula/host/certified.hpp"
#include "tegula/host/group.hpp"
#include "tegula/kernel/signature.hpp"

#include <array>
#include <tuple>
#include <utility>

TEGULA_HOST_BEGIN
namespace tegula {
namespace host {

struct KernelState;

/// How an operation holds the memory of one argument.
enum class Hold : u8 { nothing, reader, share, output };

struct Argument {
  ViewData view;
  u64 scalar = 0;
  i64 programs = 0; // asked for by pieces() or accumulate(); 0 leaves the choice to the launch
  i64 bound = 0;    // of a certified index
  Hold hold = Hold::nothing;
};

enum class OpState : u8 { pending, failed, done };

void retain(KernelState*) noexcept;
void release(KernelState*) noexcept;

/// Throws a LaunchError if the argument was moved from.
Control* require_argument(const KernelState*, int parameter, Control*);
/// Counts a reader, or throws a LaunchError if the view is outdated.
void borrow(const KernelState*, int parameter, const ViewData&);
/// What a parameter wants to be certified.
template <detail::Kind K>
inline constexpr Promise promise_of{.distinct = K == detail::Kind::distinct || K == detail::Kind::distinct_or_none,
                                    .or_none = K == detail::Kind::index_or_none || K == detail::Kind::distinct_or_none,
                                    .offsets = K == detail::Kind::offsets};
/// Throws a LaunchError unless the certificate says as much, or more.
void require_promise(const KernelState*, int parameter, const Certificate&, Promise);
void give_back_inputs(Argument*, int n) noexcept;
void give_back(Argument*, int n) noexcept;
u64 encode_integer(const KernelState*, int parameter, DType, bool negative, u64 bits);
u64 encode_float(DType, double) noexcept;

/// Runs the kernel and waits for it. Throws without having lost anything: outputs and borrows stay where they are.
void launch(KernelState*, Argument*, int n, OpState&);
void check_takeable(const KernelState*, OpState);
void report_dropped(const KernelState*) noexcept;

/// Reaches the insides of the host types for operations.
struct Handles {
  static DeviceState* state(const Device& device) noexcept { return device.state_; }
  static Device device(DeviceState* state) noexcept { return Device(state); }

  template <class T, int R> static View<T, R> view(const ViewData& data) { return View<T, R>(data); }
  /// One owner more.
  template <class T, int R>
  static Certified<T, R> certified(Control* control, Extents<R> extents, Certificate certificate) noexcept {
    retain(control);
    return Certified<T, R>(control, extents, certificate);
  }

  template <class T, int R> static Argument input(const KernelState* kernel, int parameter, const View<T, R>& view) {
    borrow(kernel, parameter, view.data_);
    return {.view = view.data_, .hold = Hold::reader};
  }
  template <class T, int R> static Argument input(const KernelState* kernel, int parameter, const Tensor<T, R>& tensor) {
    ViewData view = whole(require_argument(kernel, parameter, tensor.control_), R, tensor.extents_.begin());
    borrow(kernel, parameter, view);
    return {.view = view, .hold = Hold::reader};
  }
  template <class T, int R> static Argument input(const KernelState* kernel, int parameter, const Shared<T, R>& shared) {
    ViewData view = whole(require_argument(kernel, parameter, shared.control_), R, shared.extents_.begin());
    retain(shared.control_);
    return {.view = view, .hold = Hold::share};
  }
  template <class T, int R>
  static Argument index(const KernelState* kernel, int parameter, const Certified<T, R>& certified, Promise promise) {
    ViewData view = whole(require_argument(kernel, parameter, certified.control_), R, certified.extents_.begin());
    require_promise(kernel, parameter, certified.certificate_, promise);
    retain(certified.control_);
    return {.view = view, .bound = certified.certificate_.bound, .hold = Hold::share};
  }
  template <class G> static void check_output(const KernelState* kernel, int parameter, const G& given_up) {
    require_argument(kernel, parameter, given_up.control_);
  }
  template <class T, int... D> static Argument output(Partition<T, D...>& partition) {
    return output_of<sizeof...(D)>(partition, 0);
  }
  template <class T, int... D> static Argument output(Pieces<T, D...>& pieces) {
    return output_of<sizeof...(D)>(pieces, pieces.programs_);
  }
  template <class T, int... D> static Argument output(Accumulation<T, D...>& accumulation) {
    return output_of<sizeof...(D)>(accumulation, accumulation.programs_);
  }
  template <class T, int R> static Tensor<T, R> take(Argument& output) noexcept {
    output.hold = Hold::nothing;
    return Tensor<T, R>(output.view.control, Extents<R>::copy_of(output.view.extents));
  }

private:
  template <int R, class G> static Argument output_of(G& given_up, i64 programs) {
    Argument argument{.view = whole(given_up.control_, R, given_up.extents_.begin()), .programs = programs, .hold = Hold::output};
    given_up.control_ = nullptr;
    return argument;
  }
};

template <int N> struct Arguments {
  Argument items[N > 0 ? N : 1];
  Arguments() = default;
  Arguments(Arguments&& other) noexcept {
    for (int i = 0; i < N; ++i)
      items[i] = std::exchange(other.items[i], {});
  }
  ~Arguments() { give_back(items, N); }
};

struct Free {};
struct Pinned {
  Pinned() = default;
  Pinned(Pinned&&) = delete;
};

template <class P> inline constexpr bool is_output = detail::is_output(detail::ParameterTraits<detail::member_of<P>>::kind);

template <class... P> struct Outputs {
  static constexpr int count = (0 + ... + is_output<P>);
  static constexpr auto parameters = [] {
    struct {
      int at[count + 1];
    } r{};
    int parameter = 0, output = 0;
    ((is_output<P> ? void(r.at[output++] = parameter) : void(), ++parameter), ...);
    return r;
  }();
};

template <class A> constexpr bool is_negative(A value) {
  if constexpr (std::is_signed_v<A>)
    return value < 0;
  else
    return false;
}

/// What a launch returns for a parameter, and how it is taken out of the parameter's arguments.
template <class P> struct OutputOf {
  using Traits = detail::ParameterTraits<P>;
  using type = Tensor<typename Traits::element, Traits::rank>;
  static type take(Argument* argument) noexcept { return Handles::take<typename Traits::element, Traits::rank>(*argument); }
};
template <class P, int N> struct OutputOf<Group<P, N>> {
  using type = std::array<typename OutputOf<P>::type, N>;
  static type take(Argument* arguments) noexcept { return take(arguments, std::make_index_sequence<N>{}); }

private:
  template <std::size_t... I> static type take(Argument* arguments, std::index_sequence<I...>) noexcept {
    return {OutputOf<P>::take(arguments + I)...};
  }
};
struct Unfit {};

} // namespace host

/// Lazy and linear: it must be run by sync(), once, or be given up by cancel(). It borrows its inputs, so it cannot leave the scope
/// that made it, unless all of them are Shared: then `Movable`.
template <bool Movable, class... P>
class [[nodiscard("tegula: an operation does nothing until sync() runs it")]] [[gnu::warn_unused]] TEGULA_BORROW TEGULA_LINEAR Op
    : std::conditional_t<Movable, host::Free, host::Pinned> {
  using Outputs = host::Outputs<P...>;
  template <int I> using Output = host::OutputOf<std::tuple_element_t<Outputs::parameters.at[I], std::tuple<P...>>>;
  static constexpr auto firsts = detail::firsts<P...>();
  static constexpr int count = static_cast<int>(firsts.back()); // arguments, each member of a group being one

public:
  Op(Op&& other) noexcept
    requires Movable
      : kernel_(other.kernel_), arguments_(std::move(other.arguments_)), state_(std::exchange(other.state_, host::OpState::done)) {
    host::retain(kernel_);
  }
  TEGULA_CLANG(clang::callable_when("consumed")) ~Op() {
    if (state_ == host::OpState::pending)
      host::report_dropped(kernel_);
    host::release(kernel_);
  }

  /// Runs the kernel, waits, and returns the output, or a tuple of several; of a group, a std::array. After an exception the
  /// operation still holds its outputs: call sync() again, or cancel().
  TEGULA_CLANG(clang::callable_when("unconsumed", "unknown"), clang::set_typestate(consumed)) auto sync() && {
    host::launch(kernel_, arguments_.items, count, state_);
    return outputs(std::make_index_sequence<Outputs::count>{});
  }
  /// Returns the outputs without running anything. After a launch that failed on the way, some of their tiles may have been
  /// written.
  TEGULA_CLANG(clang::set_typestate(consumed)) auto cancel() && {
    host::check_takeable(kernel_, state_);
    return outputs(std::make_index_sequence<Outputs::count>{});
  }

private:
  template <class...> friend class Kernel;
  template <class... A> explicit Op(host::KernelState* kernel, A&... arguments) : kernel_(kernel) {
    // Outputs are taken last: whatever throws has done so before, and named partitions keep their tensors.
    int i = 0;
    (each<P>(arguments, [&]<class Q>(std::type_identity<Q>, auto& argument) { check_or_hold<Q>(i++, argument); }), ...);
    i = 0;
    (each<P>(arguments, [&]<class Q>(std::type_identity<Q>, auto& argument) { hold_output<Q>(i++, argument); }), ...);
    host::retain(kernel_);
  }
  Op(host::KernelState* kernel, host::Unfit) : kernel_(kernel) { host::retain(kernel_); }

  /// Calls f for an argument, or for each member of a group, and the parameter that it is for.
  template <class Q, class A, class F> static void each(A& argument, const F& f) {
    if constexpr (detail::GroupTraits<Q>::is_group)
      host::each_member(argument, [&](auto& member) { f(std::type_identity<detail::member_of<Q>>{}, member); });
    else
      f(std::type_identity<Q>{}, argument);
  }
  template <class Q, class A> void check_or_hold(int i, A& argument) {
    using Traits = detail::ParameterTraits<Q>;
    if constexpr (Traits::kind == detail::Kind::in)
      arguments_.items[i] = host::Handles::input(kernel_, i, argument);
    else if constexpr (detail::is_certified(Traits::kind))
      arguments_.items[i] = host::Handles::index(kernel_, i, argument, host::promise_of<Traits::kind>);
    else if constexpr (host::is_output<Q>)
      host::Handles::check_output(kernel_, i, argument);
    else {
      constexpr DType dtype = dtype_of<typename Traits::element>::value;
      if constexpr (is_float(dtype))
        arguments_.items[i].scalar = host::encode_float(dtype, static_cast<double>(argument));
      else
        arguments_.items[i].scalar =
            host::encode_integer(kernel_, i, dtype, host::is_negative(argument), static_cast<u64>(argument));
    }
  }
  template <class Q, class A> void hold_output(int i, A& argument) {
    if constexpr (host::is_output<Q>)
      arguments_.items[i] = host::Handles::output(argument);
  }

  template <std::size_t... I> auto outputs(std::index_sequence<I...>) noexcept {
    state_ = host::OpState::done;
    host::give_back_inputs(arguments_.items, count);
    if constexpr (sizeof...(I) == 1)
      return (take<I>(), ...);
    else
      return std::tuple<typename Output<I>::type...>{take<I>()...};
  }
  template <int I> auto take() noexcept { return Output<I>::take(arguments_.items + firsts[Outputs::parameters.at[I]]); }

  host::KernelState* kernel_;
  host::Arguments<count> arguments_;
  host::OpState state_ = host::OpState::pending;
};

} // namespace tegula
TEGULA_HOST_END
