#include "lib/runtime/Messages.h"
#include "lib/runtime/Buffer.h"
#include "tegula/error.hpp"
#include "tegula/host/print.hpp"

#include <cstdio>

namespace tegula {
namespace {

struct Sink {
  std::mutex mutex;
  PrintSink function = nullptr;
  void* user = nullptr;

  void write(std::string line) {
    std::lock_guard lock(mutex);
    if (function)
      return function(user, line.data(), line.size());
    line += '\n';
    std::fwrite(line.data(), 1, line.size(), stdout);
  }
};

Sink& sink() {
  static Sink& instance = *new Sink; // kernels may print while static objects are destroyed
  return instance;
}

std::string values_text(const Site& site, const void* const* values) {
  std::string text;
  for (std::size_t i = 0; i < site.values.size(); ++i)
    text += (i ? ", " : "") + runtime::value_text(site.values[i], values[i]);
  return text;
}

} // namespace

void set_print_sink(PrintSink function, void* user) {
  std::lock_guard lock(sink().mutex);
  sink().function = function;
  sink().user = user;
}

namespace runtime {

std::string LaunchMessages::head(const Site& site, std::int64_t program) const {
  return site.location.file + ":" + std::to_string(site.location.line) + ":" + std::to_string(site.location.column) + ": kernel '" +
         kernel_ + "', program " + std::to_string(program) + ": ";
}

void LaunchMessages::print(std::int64_t number, std::int64_t program, const void* const* values) noexcept {
  const Site& site = sites_[static_cast<std::size_t>(number)];
  std::string line = head(site, program) + site.text;
  if (!site.values.empty())
    line += (site.text.empty() ? "" : " ") + values_text(site, values);
  sink().write(std::move(line));
}

void LaunchMessages::fail(std::int64_t number, std::int64_t program, const void* const* values) noexcept {
  const Site& site = sites_[static_cast<std::size_t>(number)];
  std::lock_guard lock(mutex_);
  if (failed() && program_ <= program)
    return;
  program_ = program;
  text_ = head(site, program) + "require failed: " + site.text;
  if (!site.values.empty())
    text_ += "; values: " + values_text(site, values);
  failed_.store(true, std::memory_order_relaxed);
}

void LaunchMessages::throw_if_failed() const {
  if (failed())
    throw LaunchError(text_);
}

} // namespace runtime
} // namespace tegula

extern "C" void tegula_cpu_print(void* context, std::int64_t site, std::int64_t program, const void* const* values) {
  static_cast<tegula::runtime::LaunchMessages*>(context)->print(site, program, values);
}
extern "C" void tegula_cpu_assert_failed(void* context, std::int64_t site, std::int64_t program, const void* const* values) {
  static_cast<tegula::runtime::LaunchMessages*>(context)->fail(site, program, values);
}
