// A kernel with its arguments, ready to run.
#pragma once
#include "tegula/host/arguments.hpp"
#include "tegula/host/queue.hpp"

#include <array>
#include <bit>
#include <tuple>
#include <utility>

TEGULA_HOST_BEGIN
namespace tegula {
class Graph;
namespace host {

struct GraphState;
struct KernelState;

/// How an operation holds the memory of one argument: borrowed to be read (and counted in one of two ways: see Control), shared,
/// lent to be written, its own until the launch returns it, or not there before the launch.
enum class Hold : u8 { nothing, reader, home_reader, share, lent, given, fresh };

/// What most launches look at comes first.
struct Argument {
  Hold hold = Hold::nothing;
  bool frozen = false;    // a number that a graph may keep
  bool unsettled = false; // an input that other nodes of its graph write
  bool or_none = false;   // of an index that is refilled: if the launch fails, it may still hold -1
  u64 scalar = 0;
  i64 bound = 0;                 // of an index
  DeviceState* device = nullptr; // of what is fresh, if that names one; counted
  ViewData view;
};

enum class OpState : u8 { pending, failed, done };

/// An operation without its types. Its arguments stand beside it.
struct Operation {
  KernelState* kernel;
  i64 programs = 0; // asked for; 0 leaves the choice to the launch
  OpState state = OpState::pending;
};

void retain(KernelState*) noexcept;
void release(KernelState*) noexcept;
void retain(DeviceState*) noexcept;

// Arguments are taken before an operation is made. These throw a LaunchError if one is empty, outdated, or in use otherwise.
[[noreturn]] void throw_empty(const KernelState*, int parameter);
inline void require_argument(const KernelState* kernel, int parameter, const Control* control) {
  if (!control)
    throw_empty(kernel, parameter);
}
void hold_tensor(Argument&, const KernelState*, int parameter, Control*, int rank, const i64* extents);
void hold_view(Argument&, const KernelState*, int parameter, const ViewData&);
void hold_shared(Argument&, const KernelState*, int parameter, const ViewData&);
u64 lend(const KernelState*, int parameter, const ViewData&); // the generation from then on
/// What a parameter wants to be certified.
template <ParameterKind K>
inline constexpr Promise promise_of{.distinct = K == ParameterKind::distinct || K == ParameterKind::distinct_or_none,
                                    .or_none = K == ParameterKind::index_or_none || K == ParameterKind::distinct_or_none,
                                    .offsets = K == ParameterKind::offsets};
/// Throws a LaunchError unless the certificate says as much, or more.
void require_promise(const KernelState*, int parameter, const Certificate&, Promise);
/// Throws a LaunchError if the index is an output of an operation that has not run yet.
void require_not_lent(const KernelState*, int parameter, const Control*);
/// Throws a LaunchError unless values below the bound are all that the certificate promises, and nobody else relies on those that
/// are there now.
void require_refillable(const KernelState*, int parameter, const Control*, const Certificate&);
void release_held(Argument&) noexcept;
/// And drops an output that nobody takes back.
inline void release_argument(Argument& argument) noexcept {
  if (argument.hold != Hold::nothing)
    release_held(argument);
}
void give_back_inputs(Argument*, int n) noexcept; // and what was lent
u64 encode_integer(const KernelState*, int parameter, DType, bool negative, u64 bits);
u64 encode_float(DType, double) noexcept;

/// Starts the kernel, on the device's own queue if none is named. Throws without having lost anything: outputs and borrows stay
/// where they are. The second also waits.
void start(Operation&, Argument*, int n, const Queue*);
void launch(Operation&, Argument*, int n);
/// What the operation was given is the caller's again.
void cancel(const Operation&);
void report_dropped(const Operation&) noexcept;

/// Reaches the insides of the host types for operations.
struct Handles {
  static Device device(DeviceState* state) noexcept { return Device(state); }
  static QueueState* state(const Queue& queue) noexcept { return queue.state_; }
  static GraphState* state(const Graph& graph) noexcept;
  template <class T, int R> static Control* control(const Tensor<T, R>& tensor) noexcept { return tensor.control_; }
  template <class T, int R> static Control* control(const Shared<T, R>& shared) noexcept { return shared.data_.control; }
  template <class T, int R> static ViewData whole_of(const Tensor<T, R>& tensor) noexcept {
    return whole_if_owned(tensor.control_, R, tensor.extents_.begin());
  }
  template <class T, int R> static ViewData whole_of(const Shared<T, R>& shared) noexcept { return shared.data_; }
  template <class T, int R> static View<T, R> view(const ViewData& data) { return View<T, R>(data); }
  /// One owner more.
  template <class T, int R>
  static Certified<T, R> certified(Control* control, Extents<R> extents, Certificate certificate) noexcept {
    retain(control);
    return Certified<T, R>(control, extents, certificate);
  }

  // Each fills in an argument that holds nothing yet.
  template <class T, int R> static void hold(Argument& item, const KernelState* kernel, int parameter, const Input<T, R>& input) {
    if (!input.view_)
      hold_tensor(item, kernel, parameter, input.control_, R, input.extents_);
    else if (input.shared_)
      hold_shared(item, kernel, parameter, *input.view_);
    else
      hold_view(item, kernel, parameter, *input.view_);
  }
  template <class T, int R> static void hold(Argument& item, const KernelState* kernel, int parameter, const Shared<T, R>& shared) {
    hold_shared(item, kernel, parameter, shared.data_);
  }
  template <class T, int R>
  static void hold(Argument& item, const KernelState* kernel, int parameter, const Certified<T, R>& certified, Promise promise) {
    require_argument(kernel, parameter, certified.control_);
    require_not_lent(kernel, parameter, certified.control_);
    require_promise(kernel, parameter, certified.certificate_, promise);
    retain(certified.control_);
    item.view = whole(certified.control_, R, certified.extents_.begin());
    item.bound = certified.certificate_.bound;
    item.hold = Hold::share;
  }
  template <class T, int R> static void hold(Argument& item, const KernelState* kernel, int parameter, const Lent<T, R>& lent) {
    require_argument(kernel, parameter, lent.data_.control);
    hold_lent(item, kernel, parameter, lent.data_);
  }
  template <class T, int R, bool F>
  static void hold(Argument& item, const KernelState* kernel, int parameter, const Given<T, R, F>& given) {
    if (given.fresh_)
      return;
    const ViewData view = whole_if_owned(given.tensor_->control_, R, given.extents_.begin());
    require_argument(kernel, parameter, view.control);
    hold_lent(item, kernel, parameter, view); // until it is taken
  }
  template <class T, int R>
  static void hold(Argument& item, const KernelState* kernel, int parameter, const LentIndex<T, R>& lent) {
    refill(item, kernel, parameter, lent.data_, lent.certificate_);
  }
  template <class T, int R>
  static void hold(Argument& item, const KernelState* kernel, int parameter, const GivenIndex<T, R>& given) {
    if (given.tensor_) // lent until it is taken
      refill(item, kernel, parameter, whole_if_owned(given.tensor_->control_, R, given.extents_.begin()), given.certificate_);
  }
  /// When nothing can be thrown any more, after hold().
  template <class T, int R, bool F> static Argument take(Argument& held, const Given<T, R, F>& given) noexcept {
    if (!given.fresh_) {
      release_argument(held);
      Control* control = hand_over(given.tensor_->control_, End::given_up);
      return {.hold = Hold::given, .view = whole_if_owned(control, R, given.extents_.begin())};
    }
    return fresh_argument(given.device_, given.extents_);
  }
  template <class T, int R> static Argument take(Argument& held, const GivenIndex<T, R>& given) noexcept {
    Argument argument;
    if (given.tensor_) {
      release_argument(held);
      Control* control = hand_over(given.tensor_->control_, End::given_up);
      argument = {.hold = Hold::given, .view = whole_if_owned(control, R, given.extents_.begin())};
    } else {
      argument = fresh_argument(given.device_, given.extents_);
    }
    argument.bound = given.certificate_.bound;
    argument.or_none = given.certificate_.promise.or_none;
    return argument;
  }
  /// Empty, of what was never made.
  template <class T, int R> static Tensor<T, R> give_back(Argument& output) noexcept {
    Control* control = std::exchange(output.view.control, nullptr);
    const Extents<R> extents = Extents<R>::copy_of(control ? output.view.extents : no_extents);
    release_argument(output);
    return Tensor<T, R>(control, extents);
  }

  template <class T, int R> static Certified<T, R> give_back_index(Argument& output) noexcept {
    Certificate certificate(output.bound);
    certificate.promise.or_none = output.or_none;
    Control* control = std::exchange(output.view.control, nullptr);
    const Extents<R> extents = Extents<R>::copy_of(control ? output.view.extents : no_extents);
    release_argument(output);
    mark_certified(control);
    return Certified<T, R>(control, extents, certificate);
  }

private:
  template <int R> static Argument fresh_argument(DeviceState* device, const Extents<R>& extents) noexcept {
    Argument argument;
    argument.hold = Hold::fresh;
    argument.device = device;
    if (device)
      retain(device);
    for (int axis = 0; axis < R; ++axis)
      argument.view.extents[axis] = extents[axis];
    return argument;
  }
  static void hold_lent(Argument& item, const KernelState* kernel, int parameter, const ViewData& view) {
    const u64 generation = lend(kernel, parameter, view);
    item.view = view;
    item.view.generation = generation;
    item.hold = Hold::lent;
  }
  static void refill(Argument& item, const KernelState* kernel, int parameter, const ViewData& view,
                     const Certificate& certificate) {
    require_argument(kernel, parameter, view.control);
    require_refillable(kernel, parameter, view.control, certificate);
    hold_lent(item, kernel, parameter, view);
    item.bound = certificate.bound;
    item.or_none = certificate.promise.or_none;
  }
};

template <int N> struct Arguments {
  Argument items[N > 0 ? N : 1];
  Arguments() = default;
  Arguments(Arguments&& other) noexcept {
    for (int i = 0; i < N; ++i)
      items[i] = std::exchange(other.items[i], {});
  }
  ~Arguments() {
    for (Argument& item : items)
      release_argument(item);
  }
};

struct Free {};
struct Immovable {
  Immovable() = default;
  Immovable(Immovable&&) = delete;
};

template <class P> inline constexpr bool is_output = tegula::is_output(detail::ParameterTraits<detail::member_of<P>>::kind);

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

/// A host number for a Scalar<T>.
template <class T> struct Number {
  template <class A>
    requires(fits_scalar<T, A>())
  Number(A value) {
    if constexpr (is_float(dtype_of<T>::value)) {
      real = static_cast<double>(value);
    } else {
      negative = is_negative(value);
      bits = static_cast<u64>(value);
    }
  }
  template <class A>
    requires(fits_scalar<T, A>())
  Number(const Frozen<A>& number) : Number(number.value) {
    frozen = true;
  }
  double real = 0;
  u64 bits = 0;
  bool negative = false, frozen = false;
};

/// What an output takes that the launch returns, and what it takes that it is lent, as a launch passes it and as it is held.
template <class P, class Traits = detail::ParameterTraits<P>, bool Index = Traits::kind == ParameterKind::out_index>
struct OutputArgument {
  using given = Given<typename Traits::element, Traits::rank, takes_fresh<P>>;
  using passed = Borrowed<typename Traits::element, Traits::rank>;
  using lent = Lent<typename Traits::element, Traits::rank>;
};
template <class P, class Traits> struct OutputArgument<P, Traits, true> {
  using given = GivenIndex<typename Traits::element, Traits::rank>;
  using passed = LentIndex<typename Traits::element, Traits::rank>;
  using lent = passed;
};

/// What a launch returns for a parameter, and how it is taken out of the parameter's arguments.
template <class P> struct OutputOf {
  using Traits = detail::ParameterTraits<P>;
  static auto take(Argument* argument) noexcept {
    if constexpr (Traits::kind == ParameterKind::out_index)
      return Handles::give_back_index<typename Traits::element, Traits::rank>(*argument);
    else
      return Handles::give_back<typename Traits::element, Traits::rank>(*argument);
  }
  using type = decltype(take(nullptr));
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
template <class> class OpAwaiter;

} // namespace host

class AnyOp;

/// Lazy and linear: it must be run by sync() or start(), once, or be given up by cancel(). It borrows its inputs and what it was
/// lent, so it cannot leave the scope that made it, unless it owns all of them: then it is `Movable`. `Returned` has a bit for each
/// output that the launch returns, as it was not lent.
template <bool Movable, unsigned Returned, class... P> class [[nodiscard(
    "tegula: an operation does nothing until sync() or start() runs it")]] [[gnu::warn_unused]] TEGULA_BORROW TEGULA_LINEAR Op
    : std::conditional_t<Movable, host::Free, host::Immovable> {
  using Outputs = host::Outputs<P...>;
  template <int I> using Output = host::OutputOf<std::tuple_element_t<Outputs::parameters.at[I], std::tuple<P...>>>;
  static constexpr auto firsts = detail::firsts<P...>();
  static constexpr int count = static_cast<int>(firsts.back()); // arguments, each member of a group being one

public:
  Op(Op&& other) noexcept
    requires Movable
      : operation_(other.operation_), arguments_(std::move(other.arguments_)) {
    other.operation_.state = host::OpState::done;
    host::retain(operation_.kernel);
  }
  TEGULA_CLANG(clang::callable_when("consumed")) ~Op() {
    if (operation_.state == host::OpState::pending)
      host::report_dropped(operation_);
    host::release(operation_.kernel);
  }

  /// So many programs, where the kernel leaves the choice: without an Out or InOut. 0, the default, means one per core.
  [[nodiscard("tegula: an operation does nothing until sync() or start() runs it")]] TEGULA_CLANG(
      clang::callable_when("unconsumed", "unknown"), clang::set_typestate(consumed)) Op&& programs(i64 n) &&
      TEGULA_BOUND {
    operation_.programs = n;
    return static_cast<Op&&>(*this);
  }
  /// Runs the kernel, waits, and returns the output, or a tuple of several; of a group, a std::array; of what was lent, nothing.
  /// After an exception the operation still holds its arguments: call sync() again, or cancel().
  TEGULA_CLANG(clang::callable_when("unconsumed", "unknown"), clang::set_typestate(consumed)) auto sync() && {
    host::launch(operation_, arguments_.items, count);
    return outputs();
  }
  /// Starts the kernel, on a queue, and returns the outputs at once: whoever uses them waits, if he must. What the operation reads
  /// may be changed or destroyed from now on. If the kernel fails, its error is thrown where an output, or what was computed from
  /// one, is read or waited for.
  TEGULA_CLANG(clang::callable_when("unconsumed", "unknown"), clang::set_typestate(consumed)) auto start(const Queue& queue) && {
    host::start(operation_, arguments_.items, count, &queue);
    return outputs();
  }
  TEGULA_CLANG(clang::callable_when("unconsumed", "unknown"), clang::set_typestate(consumed)) auto start() && {
    host::start(operation_, arguments_.items, count, nullptr);
    return outputs();
  }
  /// Returns the outputs without running anything; what would have been fresh is empty. After a launch that failed on the way, some
  /// of their tiles may have been written.
  TEGULA_CLANG(clang::set_typestate(consumed)) auto cancel() && {
    host::cancel(operation_);
    return outputs();
  }

  /// To be stored, or run by another thread: the outputs are passed to the function when the AnyOp is run.
  template <class F, class Any = AnyOp> TEGULA_CLANG(clang::callable_when("unconsumed", "unknown"), clang::set_typestate(consumed))
  Any then(F use) && {
    static_assert(Movable, "tegula: an operation that is stored owns all that it uses: pass inputs as Shared, by "
                           "std::move(tensor).share(), and outputs by std::move(tensor) or fresh(...), not by out(tensor)");
    if constexpr (Movable)
      return Any::made_of(static_cast<Op&&>(*this), std::move(use));
    else
      return Any();
  }

private:
  template <class...> friend class Kernel;
  template <class> friend class host::OpAwaiter;
  template <class... A> explicit Op(host::KernelState* kernel, A&&... arguments) : operation_{kernel} {
    // Outputs are taken last: whatever throws has done so before, and tensors that are given up stay where they are.
    int i = 0;
    (each<P>(arguments, [&]<class Q>(std::type_identity<Q>, auto& argument) { hold<Q>(i++, argument); }), ...);
    i = 0;
    (each<P>(arguments, [&]<class Q>(std::type_identity<Q>, auto& argument) { take<Q>(i++, argument); }), ...);
    host::retain(kernel);
  }
  Op(host::KernelState* kernel, host::Unfit) : operation_{kernel} { host::retain(kernel); }

  /// Calls f for an argument, or for each member of a group, and the parameter that it is for.
  template <class Q, class A, class F> static void each(A& argument, const F& f) {
    if constexpr (detail::GroupTraits<Q>::is_group)
      host::each_member(argument, [&](auto& member) { f(std::type_identity<detail::member_of<Q>>{}, member); });
    else
      f(std::type_identity<Q>{}, argument);
  }
  template <class Q, class A> void hold(int i, A& argument) {
    using Traits = detail::ParameterTraits<Q>;
    using T = typename Traits::element;
    host::KernelState* kernel = operation_.kernel;
    host::Argument& item = arguments_.items[i];
    if constexpr (is_certified(Traits::kind)) {
      host::Handles::hold(item, kernel, i, argument, host::promise_of<Traits::kind>);
    } else if constexpr (Traits::kind == ParameterKind::scalar) {
      const host::Number<T> number(argument);
      item.frozen = number.frozen;
      item.scalar = is_float(dtype_of<T>::value)
                        ? host::encode_float(dtype_of<T>::value, number.real)
                        : host::encode_integer(kernel, i, dtype_of<T>::value, number.negative, number.bits);
    } else if constexpr (host::is_output<Q> && host::is_returned<std::remove_cv_t<A>>) {
      host::Handles::hold(item, kernel, i, given<Q>(argument));
    } else if constexpr (host::is_output<Q>) {
      const typename host::OutputArgument<Q>::lent& lent = argument;
      host::Handles::hold(item, kernel, i, lent);
    } else {
      const host::Input<T, Traits::rank>& input = argument;
      host::Handles::hold(item, kernel, i, input);
    }
  }
  template <class Q, class A> void take(int i, A& argument) noexcept {
    if constexpr (host::is_output<Q> && host::is_returned<std::remove_cv_t<A>>)
      arguments_.items[i] = host::Handles::take(arguments_.items[i], given<Q>(argument));
  }
  template <class Q, class A> static typename host::OutputArgument<Q>::given given(A& argument) {
    return static_cast<A&&>(argument);
  }

  static constexpr bool returns(int output) { return (Returned >> output & 1) != 0; }
  auto outputs() noexcept {
    operation_.state = host::OpState::done;
    host::give_back_inputs(arguments_.items, count);
    return outputs(std::make_index_sequence<Outputs::count>{});
  }
  template <std::size_t... I> auto outputs(std::index_sequence<I...>) noexcept {
    constexpr int returned = (0 + ... + returns(I));
    if constexpr (returned == 1) {
      constexpr int only = std::countr_zero(Returned);
      return take_back<only>();
    } else if constexpr (returned > 1) {
      return std::tuple_cat(take_if_returned<I>()...);
    }
  }
  template <int I> auto take_back() noexcept { return Output<I>::take(arguments_.items + firsts[Outputs::parameters.at[I]]); }
  template <int I> auto take_if_returned() noexcept {
    if constexpr (returns(I))
      return std::tuple<typename Output<I>::type>(take_back<I>());
    else
      return std::tuple<>{};
  }

  host::Operation operation_;
  host::Arguments<count> arguments_;
};

} // namespace tegula
TEGULA_HOST_END
