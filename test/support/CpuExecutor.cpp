#include "lib/compile/CompileModule.h"
#include "lib/runtime/Messages.h"
#include "tegula/error.hpp"
#include "tegula/host/print.hpp"
#include "test/support/Executors.h"

#include <cstdlib>
#include <map>
#include <new>
#include <string>

namespace tegula::test {

namespace {

/// Collects what kernels print while it lives.
class PrintCollector {
public:
  explicit PrintCollector(std::vector<std::string>& lines) {
    set_print_sink([](void* user, const char* line,
                      std::size_t length) { static_cast<std::vector<std::string>*>(user)->emplace_back(line, length); },
                   &lines);
  }
  ~PrintCollector() { set_print_sink(nullptr); }
};

class Scratch {
public:
  explicit Scratch(std::size_t bytes) : data_(::operator new(std::max<std::size_t>(bytes, 1), std::align_val_t{64})) {}
  Scratch(const Scratch&) = delete;
  ~Scratch() { ::operator delete(data_, std::align_val_t{64}); }
  void* data() { return data_; }

private:
  void* data_;
};

Specialisation specialise(const std::vector<Argument>& arguments) {
  Specialisation result;
  for (const Argument& argument : arguments) {
    std::vector<Stride>& strides = result.emplace_back();
    if (Tensor* const* tensor = std::get_if<Tensor*>(&argument))
      for (std::int64_t stride : (*tensor)->strides)
        strides.push_back(stride == 0 ? Stride::zero : stride == 1 ? Stride::one : Stride::any);
  }
  return result;
}

std::vector<std::int64_t> pack(const std::vector<Argument>& arguments) {
  std::vector<std::int64_t> words;
  for (const Argument& argument : arguments) {
    if (const Scalar* scalar = std::get_if<Scalar>(&argument)) {
      words.push_back(static_cast<std::int64_t>(scalar->bits));
      continue;
    }
    Tensor& tensor = *std::get<Tensor*>(argument);
    words.push_back(static_cast<std::int64_t>(reinterpret_cast<std::intptr_t>(tensor.bytes.data())));
    words.insert(words.end(), tensor.extents.begin(), tensor.extents.end());
    words.insert(words.end(), tensor.strides.begin(), tensor.strides.end());
    if (tensor.bound)
      words.push_back(*tensor.bound);
  }
  return words;
}

class CompiledKernel : public Executable {
public:
  explicit CompiledKernel(std::string text) : text(std::move(text)) {
    options.checks = Checks::nothing; // what lies outside is the back end's business here, and nobody proved anything
    if (const char* cpu = std::getenv("TEGULA_TEST_CPU"))
      options.cpu = cpu;
  }

  Outcome run(const std::vector<Argument>& arguments, std::int64_t programs) override {
    Specialisation specialisation = specialise(arguments);
    std::shared_ptr<const CpuKernel>& kernel = kernels[specialisation];
    if (!kernel)
      kernel = compile_text_for_cpu(text, specialisation, options);
    Outcome outcome;
    PrintCollector collector(outcome.prints);
    std::vector<runtime::Claims> claims;
    for (int parameter : kernel->claimed)
      claims.emplace_back(parameter, std::get<Tensor*>(arguments[static_cast<std::size_t>(parameter)])->extents);
    runtime::LaunchMessages messages("kernel", kernel->sites, std::move(claims));
    Scratch scratch(kernel->scratch_bytes);
    std::vector<std::int64_t> words = pack(arguments);
    for (std::int64_t program = 0; program < programs && !messages.failed(); ++program)
      kernel->entry(words.data(), program, programs, &messages, scratch.data());
    try {
      messages.throw_if_failed();
    } catch (const LaunchError& error) {
      outcome.failure = error.what();
    }
    return outcome;
  }

private:
  std::string text;
  CompileOptions options;
  std::map<Specialisation, std::shared_ptr<const CpuKernel>> kernels;
};

} // namespace

std::unique_ptr<Executable> prepare_cpu(const std::string& text) { return std::make_unique<CompiledKernel>(text); }

} // namespace tegula::test
