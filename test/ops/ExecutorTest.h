// Whole kernels on every executor.
#pragma once
#include "test/support/Execute.h"
#include "test/support/Inputs.h"
#include "test/support/KernelText.h"

#include <gtest/gtest.h>

namespace tegula::test {

class OnExecutor : public testing::TestWithParam<Executor> {
protected:
  /// Runs a kernel that must not fail, nor write outside its tensors.
  Outcome run(const std::string& text, const std::vector<Argument>& arguments, std::int64_t programs) {
    Outcome outcome = prepare(GetParam(), text)->run(arguments, programs);
    EXPECT_FALSE(outcome.failure) << *outcome.failure << "\n" << text;
    for (const Argument& argument : arguments)
      if (Tensor* const* tensor = std::get_if<Tensor*>(&argument))
        EXPECT_TRUE((*tensor)->bytes.is_intact()) << "wrote before a tensor\n" << text;
    return outcome;
  }
};

inline Tensor integers(Shape extents, const std::vector<std::int64_t>& values) {
  return Tensor(DType::i64, std::move(extents), std::vector<std::uint64_t>(values.begin(), values.end()));
}
inline std::vector<std::int64_t> to_integers(const Tensor& tensor) {
  std::vector<std::int64_t> result;
  for (std::uint64_t bits : tensor.bits())
    result.push_back(static_cast<std::int64_t>(decode_integer(tensor.dtype, bits)));
  return result;
}

} // namespace tegula::test

#define TEGULA_ON_EXECUTORS(SUITE)                                                                                                 \
  INSTANTIATE_TEST_SUITE_P(all, SUITE, testing::ValuesIn(executors()), [](const auto& info) { return name(info.param); })
