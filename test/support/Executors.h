#pragma once
#include "test/support/Execute.h"

namespace tegula::test {
std::unique_ptr<Executable> prepare_interpreter(const std::string& text);
std::unique_ptr<Executable> prepare_cpu(const std::string& text, CodeOptions);
std::unique_ptr<Executable> prepare_gpu(const std::string& text, CodeOptions);
} // namespace tegula::test
