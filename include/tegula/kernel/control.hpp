// Control flow that is recorded: range and loop_while in a range-for, if_ with lambdas.
#pragma once
#include "tegula/kernel/tile.hpp"

namespace tegula {

namespace detail {
struct End {};
/// What `auto _` of a loop_while is. Its destructor keeps compilers from calling it unused.
struct Iteration {
  ~Iteration() {}
};

/// Opens the loop's region when it is made; ++ closes it. Destroyed in between, by break or return, it reports that.
class ForIterator {
public:
  ForIterator(const Int& lo, const Int& hi, const Int& step, Loc loc) {
    const Value l = lo.id(loc), h = hi.id(loc), s = step.id(loc);
    begin_for(scope_, l, h, s, loc);
  }
  Int operator*() const { return Int(loop_variable(scope_)); }
  void operator++() { end_iteration(scope_); }
  bool operator!=(End) const { return scope_.frame != 0; }

private:
  Scope scope_;
};

class [[nodiscard]] Range {
public:
  Range(Value lo, Value hi, Value step, Loc loc) : lo_(lo), hi_(hi), step_(step), loc_(loc) {}
  ForIterator begin() const { return ForIterator(lo_, hi_, step_, loc_); }
  End end() const { return {}; }

private:
  Int lo_, hi_, step_;
  Loc loc_;
};

template <class C> class WhileIterator {
public:
  WhileIterator(const C& condition, Loc loc) : condition_(condition), loc_(loc) {
    begin_while(scope_, loc);
    record_condition();
  }
  Iteration operator*() const { return {}; }
  void operator++() {
    if (end_while_iteration(scope_))
      record_condition();
  }
  bool operator!=(End) const { return scope_.frame != 0; }

private:
  void record_condition() {
    auto holds = condition_();
    constexpr bool right = std::is_same_v<decltype(holds), Tile<bool>>;
    static_assert(right, "tegula: the condition of loop_while must return a traced bool scalar (a comparison of scalars)");
    if constexpr (right)
      while_condition(scope_, holds.id(loc_), loc_);
  }
  const C& condition_;
  Loc loc_;
  Scope scope_;
};

template <class C> class [[nodiscard]] While {
public:
  While(const C& condition, Loc loc) : condition_(condition), loc_(loc) {}
  WhileIterator<C> begin() const { return WhileIterator<C>(condition_, loc_); }
  End end() const { return {}; }

private:
  C condition_;
  Loc loc_;
};

template <class F> constexpr bool check_branch() {
  constexpr bool good = std::is_invocable_v<const F&>;
  static_assert(good,
                "tegula: a branch of if_ is a lambda without parameters that captures by reference: [&] { ... } (a mutable one "
                "would change only its own copy)");
  return good;
}
template <class R> constexpr bool check_branch_result() {
  constexpr bool good = std::is_class_v<R> && std::is_default_constructible_v<R>;
  static_assert(good, "tegula: a branch of if_ returns tiles (a tile, a std::tuple, an array or struct of tiles), not host values");
  return good;
}
template <class F> void record_branch(Scope& scope, const F& f) {
  do
    f();
  while (replay(scope));
}
} // namespace detail

/// 0, 1, ... n - 1; or lo, lo + step, ... below hi. The bounds are host integers or integer scalars; step is positive.
inline detail::Range range(detail::Index n) { return {Int(0, n.loc).id(n.loc), n.value, Int(1, n.loc).id(n.loc), n.loc}; }
inline detail::Range range(detail::Index lo, detail::Index hi) { return {lo.value, hi.value, Int(1, lo.loc).id(lo.loc), lo.loc}; }
inline detail::Range range(detail::Index lo, detail::Index hi, detail::Index step) {
  return {lo.value, hi.value, step.value, lo.loc};
}

/// for (auto _ : loop_while([&] { return i < n; })) { ... }
template <class C> detail::While<C> loop_while(const C& condition, detail::Loc loc = detail::Loc::current()) {
  static_assert(std::is_invocable_v<const C&>,
                "tegula: loop_while takes a lambda that returns the condition: [&] { return i < n; }");
  return detail::While<C>(condition, loc);
}

/// Runs one of two branches. They may assign variables declared outside, and may return tiles.
template <class F, class G>
auto if_(const Tile<bool>& condition, const F& then, const G& otherwise, detail::Loc loc = detail::Loc::current()) {
  if constexpr (detail::check_branch<F>() && detail::check_branch<G>()) {
    using R = std::invoke_result_t<const F&>;
    constexpr bool same = std::is_same_v<R, std::invoke_result_t<const G&>>;
    static_assert(same, "tegula: both branches of if_ must return the same type, or nothing");
    if constexpr (std::is_void_v<R> && same) {
      detail::Scope scope;
      detail::begin_if(scope, condition.id(loc), loc);
      detail::record_branch(scope, then);
      detail::begin_else(scope);
      detail::record_branch(scope, otherwise);
      detail::end_if(scope);
    } else if constexpr (!same || !detail::check_branch_result<R>()) {
      return R();
    } else {
      const std::size_t variables = detail::live_variables();
      R result;
      if ((detail::live_variables() - variables) * sizeof(detail::Variable) != sizeof(R))
        detail::branch_returns_host_value(loc);
      detail::Scope scope;
      detail::begin_if(scope, condition.id(loc), loc);
      detail::record_branch(scope, [&] { result = then(); });
      detail::begin_else(scope);
      detail::record_branch(scope, [&] { result = otherwise(); });
      detail::end_if(scope);
      return result;
    }
  }
}
template <class F> void if_(const Tile<bool>& condition, const F& then, detail::Loc loc = detail::Loc::current()) {
  if constexpr (detail::check_branch<F>()) {
    static_assert(std::is_void_v<std::invoke_result_t<const F&>>, "tegula: an if_ that returns a value needs a second branch");
    detail::Scope scope;
    detail::begin_if(scope, condition.id(loc), loc);
    detail::record_branch(scope, then);
    detail::begin_else(scope);
    detail::end_if(scope);
  }
}

} // namespace tegula
