#include "lib/runtime/gpu/LoadedKernel.h"
#include "tegula/error.hpp"

#include <array>

namespace tegula::gpu {
namespace {

// As the driver's interface fixes them.
constexpr int error_log_buffer = 5, error_log_bytes = 6, input_ptx = 1, max_dynamic_shared_bytes = 8;
/// What a block may have without being asked for.
constexpr std::int64_t free_shared_bytes = 48 * 1024;

/// What the assembler says about an error.
class Log {
public:
  static constexpr unsigned size = 2;
  int* options() { return options_.data(); }
  void** values() { return values_.data(); }
  std::string text() const {
    std::string text(text_.data());
    while (!text.empty() && text.back() == '\n')
      text.pop_back();
    return text.empty() ? "" : ", which the assembler refused with \"" + text + "\"";
  }

private:
  std::array<char, 4096> text_{};
  std::array<int, size> options_{error_log_buffer, error_log_bytes};
  std::array<void*, size> values_{text_.data(), reinterpret_cast<void*>(text_.size() - 1)};
};

/// Ends at the end of its scope, when its result has been copied.
class Linker {
public:
  Linker(const Context& context, std::string purpose) : context_(context), purpose_(std::move(purpose)) {
    if (const auto& destroy = context_.driver().cuLinkDestroy; !destroy.pointer)
      context_.driver().throw_missing(destroy.name);
    context_.call(
        context_.driver().cuLinkCreate_v2, [this] { return failure(); }, Log::size, log_.options(), log_.values(), &link_);
  }
  Linker(const Linker&) = delete;
  Linker& operator=(const Linker&) = delete;
  ~Linker() { context_.driver().cuLinkDestroy.pointer(link_); }

  std::string assemble(const std::string& ptx) {
    const Driver& driver = context_.driver();
    void* text = const_cast<char*>(ptx.c_str());
    context_.call(
        driver.cuLinkAddData_v2, [this] { return failure(); }, link_, input_ptx, text, ptx.size() + 1, "kernel.ptx", 0u, nullptr,
        nullptr);
    void* image = nullptr;
    std::size_t bytes = 0;
    context_.call(driver.cuLinkComplete, [this] { return failure(); }, link_, &image, &bytes);
    return {static_cast<const char*>(image), bytes};
  }

private:
  std::string failure() const { return purpose_ + log_.text(); }

  const Context& context_;
  std::string purpose_;
  Log log_;
  cuda::Link link_ = nullptr;
};

} // namespace

std::string assemble(const Context& context, const std::string& kernel, const GpuKernel& code) {
  Context::Use use(context);
  return Linker(context, "assembling kernel '" + kernel + "' for " + code.target).assemble(code.ptx);
}

LoadedKernel::LoadedKernel(std::shared_ptr<const Context> context, const std::string& kernel, GpuKernel code,
                           const std::string& image)
    : context_(std::move(context)), code_(std::move(code)) {
  Context::Use use(*context_);
  const Driver& driver = context_->driver();
  Log log;
  const auto purpose = [&] { return "loading kernel '" + kernel + "'" + log.text(); };
  context_->call(driver.cuModuleLoadDataEx, purpose, &module_, image.c_str(), Log::size, log.options(), log.values());
  try {
    context_->call(
        driver.cuModuleGetFunction, [&] { return "finding '" + code_.entry + "' in kernel '" + kernel + "'"; }, &entry_, module_,
        code_.entry.c_str());
    if (code_.shared_bytes > free_shared_bytes)
      context_->call(
          driver.cuFuncSetAttribute,
          [&] {
            return "kernel '" + kernel + "' asks for " + std::to_string(code_.shared_bytes) +
                   " bytes of shared memory for a program; use smaller tiles, or fewer stages in its hints";
          },
          entry_, max_dynamic_shared_bytes, static_cast<int>(code_.shared_bytes));
  } catch (...) {
    driver(driver.cuModuleUnload, module_);
    throw;
  }
}

std::string LoadedKernel::resources() const {
  constexpr int local_bytes = 3, registers = 4; // the driver's attributes
  Context::Use use(*context_);
  const Driver& driver = context_->driver();
  const auto attribute = [&](int which) {
    int value = 0;
    const bool is_known =
        driver.cuFuncGetAttribute.pointer && driver(driver.cuFuncGetAttribute, &value, which, entry_) == cuda::success;
    return is_known ? std::to_string(value) : "";
  };
  const std::string held = attribute(registers), spilled = attribute(local_bytes);
  return held.empty() ? "" : "registers: " + held + " of each thread, " + (spilled.empty() ? "?" : spilled) + " bytes spilled\n";
}

LoadedKernel::~LoadedKernel() {
  try {
    Context::Use use(*context_);
    const Driver& driver = context_->driver();
    driver(driver.cuCtxSynchronize); // its programs may be running
    driver(driver.cuModuleUnload, module_);
  } catch (const DriverError&) { // a lost device takes everything along
  }
}

} // namespace tegula::gpu
