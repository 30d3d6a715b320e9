// How much work a proof may take. It is counted, not timed, so that a kernel gets the same verdict on every machine and every time.
#pragma once
#include <algorithm>
#include <cstdint>

namespace tegula::prover {

class Effort {
public:
  /// About a nanosecond each: a kernel takes 100 ms at most (and half as much for trials), in proportion more if it has more than 8
  /// parameters, as with groups of tensors; one obligation 33 ms, or half of what is left. What an author could write instead is
  /// looked for besides (Relation.cpp), with limits of its own.
  static constexpr int64_t ofKernel = 100'000'000, ofObligation = 33'000'000;
  static constexpr unsigned usualParameters = 8;

  explicit Effort(unsigned parameters) : given(ofKernel / usualParameters * std::max(parameters, usualParameters)) {}

  void begin() { left = std::min(ofObligation, kernel / 2); }
  /// False when there is none left: what is asked then counts as not shown.
  bool spend(int64_t work) {
    left -= work;
    kernel -= work;
    return left > 0;
  }
  int64_t used() const { return given - kernel; }
  bool isSpent() const { return left <= 0; }

  /// While it lives, half of what is left may be spent: on an attempt, so that something is left for the next.
  class Half {
  public:
    explicit Half(Effort& effort) : effort(effort), kept(effort.left - effort.left / 2) { effort.left -= kept; }
    Half(const Half&) = delete;
    ~Half() { effort.left = std::max<int64_t>(effort.left, 0) + kept; }

  private:
    Effort& effort;
    int64_t kept;
  };

  /// While it lives, something else is done, with so much of its own: what is left is as before.
  class Aside {
  public:
    Aside(Effort& effort, int64_t own) : effort(effort), kernel(effort.kernel), left(effort.left) { effort.left = own; }
    Aside(const Aside&) = delete;
    ~Aside() { effort.kernel = kernel, effort.left = left; }

  private:
    Effort& effort;
    int64_t kernel, left;
  };

private:
  int64_t given, kernel = given, left = ofObligation;
};

} // namespace tegula::prover
