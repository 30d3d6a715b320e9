#include "lib/runtime/Messages.h"
#include "lib/abi/CpuKernel.h"
#include "lib/runtime/Buffer.h"
#include "tegula/error.hpp"
#include "tegula/host/print.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <utility>

namespace tegula {
namespace {

struct Sink {
  std::mutex mutex;
  PrintSink function = nullptr;
  void* user = nullptr;

  void write(std::string line) {
    std::lock_guard lock(mutex);
    if (function) {
      const Inside inside;
      return function(user, line.data(), line.size());
    }
    line += '\n';
    if (std::fwrite(line.data(), 1, line.size(), stdout) != line.size() && error == 0)
      error = errno;
  }
  /// What went wrong with the standard output since it was last asked; 0: nothing.
  int take_error() {
    std::lock_guard lock(mutex);
    if (!function && std::fflush(stdout) != 0 && error == 0)
      error = errno;
    if (error != 0)
      std::clearerr(stdout);
    return std::exchange(error, 0);
  }

  static thread_local bool is_inside;

private:
  struct Inside {
    Inside() { is_inside = true; }
    Inside(const Inside&) = delete;
    Inside& operator=(const Inside&) = delete;
    ~Inside() { is_inside = false; }
  };
  int error = 0;
};
thread_local bool Sink::is_inside = false;

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

std::string in_program(std::int64_t program) { return ", program " + std::to_string(program) + ": "; }

std::string element_name(const std::vector<std::int64_t>& element, std::int64_t parameter) {
  std::string text = "element (";
  for (std::size_t axis = 0; axis < element.size(); ++axis)
    text += (axis ? ", " : "") + std::to_string(element[axis]);
  return text + ") of parameter " + std::to_string(parameter + 1);
}

} // namespace

void set_print_sink(PrintSink function, void* user) {
  if (Sink::is_inside)
    throw Error("tegula: set_print_sink() is called by a print sink, while it has a line; call it when the launch is over");
  std::lock_guard lock(sink().mutex);
  sink().function = function;
  sink().user = user;
}

namespace runtime {

std::string LaunchMessages::place(const Site& site) const {
  return site.location.file + ":" + std::to_string(site.location.line) + ":" + std::to_string(site.location.column) + ": kernel '" +
         kernel_ + "'";
}

bool is_in_print_sink() noexcept { return Sink::is_inside; }

template <class Text> void LaunchMessages::fail_with(std::int64_t program, Text text, const Rank& rank) {
  std::lock_guard lock(mutex_);
  if (std::pair(lowest_.load(std::memory_order_relaxed), rank_) <= std::pair(program, rank))
    return;
  try {
    text_ = text();
  } catch (const std::bad_alloc&) {
    text_ = "no memory"; // so short that it needs none
  }
  rank_ = rank;
  lowest_.store(program, std::memory_order_relaxed);
}

void LaunchMessages::print(std::int64_t number, std::int64_t program, const void* const* values) noexcept {
  const Site& site = sites_[static_cast<std::size_t>(number)];
  printed_.store(true, std::memory_order_relaxed);
  const auto refuse = [&](const char* what, const char* why) {
    fail_with(program, [&] { return place(site) + in_program(program) + what + why; });
  };
  try {
    std::string line = place(site) + in_program(program) + site.text;
    if (!site.values.empty())
      line += (site.text.empty() ? "" : " ") + values_text(site, values);
    sink().write(std::move(line));
  } catch (const std::exception& error) {
    refuse("the print sink threw an exception: ", error.what());
  } catch (...) {
    refuse("the print sink threw something that is no std::exception", "");
  }
}

void LaunchMessages::fail(std::int64_t number, std::int64_t program, const void* const* values) noexcept {
  fail_with(program, [&] {
    const Site& site = sites_[static_cast<std::size_t>(number)];
    std::string text = place(site) + in_program(program);
    text += (site.kind == Site::Kind::assertion ? "require failed: " : "") + site.text;
    return site.values.empty() ? text : text + "; values: " + values_text(site, values);
  });
}

void LaunchMessages::fail_without_values(std::int64_t number, std::int64_t program, const std::string& why) noexcept {
  constexpr Rank behind_what_is_known{std::numeric_limits<std::int64_t>::max()};
  fail_with(
      program,
      [&] {
        const Site& site = sites_[static_cast<std::size_t>(number)];
        const char* what = site.kind == Site::Kind::assertion ? "require failed: "
                           : site.kind == Site::Kind::claim   ? "another program writes an element of parameter "
                                                              : "";
        return place(site) + in_program(program) + what +
               (site.kind == Site::Kind::claim ? std::to_string(site.parameter + 1) : site.text) + "; " + why;
      },
      behind_what_is_known);
}

void LaunchMessages::claim(std::int64_t number, std::int64_t program, std::int64_t parameter, const std::int64_t* box) noexcept {
  if (program >= Claims::most_programs)
    return refuse_claims(number, program);
  for (Claims& claims : claims_)
    if (claims.parameter() == parameter)
      if (const auto found = claims.claim(program, number, box))
        conflict(*found, parameter, claims.index_of(found->element));
}

void LaunchMessages::conflict(const Claims::Conflict& conflict, std::int64_t parameter,
                              const std::vector<std::int64_t>& element) noexcept {
  const auto text = [&] {
    return place(sites_[static_cast<std::size_t>(conflict.site)]) + ": programs " + std::to_string(conflict.lower) + " and " +
           std::to_string(conflict.higher) + " both write " + element_name(element, parameter);
  };
  fail_with(conflict.higher, text, {1 + conflict.lower, parameter, static_cast<std::int64_t>(conflict.element)});
}

void LaunchMessages::refuse_claims(std::int64_t number, std::int64_t program) noexcept {
  fail_with(program, [&] {
    return place(sites_[static_cast<std::size_t>(number)]) + ": what more than " + std::to_string(Claims::most_programs) +
           " programs write cannot be checked: launch fewer";
  });
}

void LaunchMessages::check_covered(int parameter) {
  for (const Claims& claims : claims_)
    if (claims.parameter() == parameter)
      if (const auto element = claims.unclaimed())
        uncovered(parameter, *element);
}

void LaunchMessages::uncovered(int parameter, const std::vector<std::int64_t>& element) {
  if (!failed()) // else programs were skipped
    fail_with(0, [&] { return "kernel '" + kernel_ + "': no program writes " + element_name(element, parameter); });
}

void LaunchMessages::throw_if_failed() const {
  const int error = printed_.load(std::memory_order_relaxed) ? sink().take_error() : 0;
  if (failed())
    throw LaunchError(text_);
  if (error != 0)
    throw LaunchError("kernel '" + kernel_ +
                      "': the lines that it prints cannot be written to the standard output: " + std::strerror(error));
}

} // namespace runtime
} // namespace tegula

extern "C" void tegula_cpu_print(void* context, std::int64_t site, std::int64_t program, const void* const* values) {
  static_cast<tegula::runtime::LaunchMessages*>(context)->print(site, program, values);
}
extern "C" void tegula_cpu_assert_failed(void* context, std::int64_t site, std::int64_t program, const void* const* values) {
  static_cast<tegula::runtime::LaunchMessages*>(context)->fail(site, program, values);
}
extern "C" void tegula_cpu_claim(void* context, std::int64_t site, std::int64_t program, std::int64_t parameter,
                                 const std::int64_t* box) {
  static_cast<tegula::runtime::LaunchMessages*>(context)->claim(site, program, parameter, box);
}
