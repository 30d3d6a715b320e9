#include "lib/compile/Compile.h"
#include "lib/runtime/Messages.h"
#include "tegula/error.hpp"
#include "test/support/Executors.h"
#include "test/support/Launching.h"

#include <cstdlib>
#include <map>
#include <new>
#include <string>

namespace tegula::test {

namespace {

class Scratch {
public:
  explicit Scratch(std::size_t bytes) : data_(::operator new(std::max<std::size_t>(bytes, 1), std::align_val_t{64})) {}
  Scratch(const Scratch&) = delete;
  ~Scratch() { ::operator delete(data_, std::align_val_t{64}); }
  void* data() { return data_; }

private:
  void* data_;
};

class CompiledKernel : public Executable {
public:
  CompiledKernel(const std::string& text, CodeOptions code) : ir(kernel_of(text, code.checks)) {
    if (const char* cpu = std::getenv("TEGULA_TEST_CPU"))
      options.cpu = cpu;
  }

  Outcome run(const std::vector<Argument>& arguments, std::int64_t programs) override {
    Specialisation specialisation = strides_of(arguments);
    std::shared_ptr<const CpuKernel>& kernel = kernels[specialisation];
    if (!kernel)
      kernel = compile_for_cpu(*ir, specialisation, options);
    Outcome outcome;
    PrintCollector collector(outcome.prints);
    std::vector<runtime::Claims> claims;
    for (int parameter : kernel->claimed)
      claims.emplace_back(parameter, std::get<Tensor*>(arguments[static_cast<std::size_t>(parameter)])->extents);
    runtime::LaunchMessages messages("kernel", kernel->sites, std::move(claims));
    Scratch scratch(kernel->scratch_bytes);
    std::vector<std::int64_t> words = pack_words(
        arguments, [](Tensor& tensor) { return static_cast<std::int64_t>(reinterpret_cast<std::intptr_t>(tensor.bytes.data())); });
    for (std::int64_t program = 0; program < programs && !messages.failed(); ++program)
      kernel->entry(words.data(), program, programs, &messages, scratch.data());
    for (const int parameter : kernel->covered_checked)
      if (!messages.failed())
        messages.check_covered(parameter);
    try {
      messages.throw_if_failed();
    } catch (const LaunchError& error) {
      outcome.failure = error.what();
    }
    return outcome;
  }

private:
  std::shared_ptr<const KernelIr> ir;
  CompileOptions options;
  std::map<Specialisation, std::shared_ptr<const CpuKernel>> kernels;
};

} // namespace

std::unique_ptr<Executable> prepare_cpu(const std::string& text, CodeOptions options) {
  return std::make_unique<CompiledKernel>(text, options);
}

} // namespace tegula::test
