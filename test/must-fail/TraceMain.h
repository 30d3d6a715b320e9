// The main function of programs whose kernel fails while it is traced: exit status 1 and the error's text.
#pragma once
#include "lib/trace/Recorder.h"
#include "tegula/error.hpp"
#include "tegula/kernel.hpp"

#include <cstdio>

namespace must_fail {

template <auto Kernel> void record(const char* name, std::source_location where = std::source_location::current()) {
  using Signature = tegula::detail::Signature<decltype(Kernel)>;
  const auto kernel = Kernel;
  tegula::trace::record(name, where, Signature::declarations.data(), Signature::declarations.size(),
                        tegula::detail::body_of<decltype(Kernel)>(), &kernel);
}

template <auto Kernel> int trace(std::source_location where = std::source_location::current()) {
  try {
    record<Kernel>("kernel", where);
  } catch (const tegula::TraceError& e) {
    std::puts(e.what());
    return 1;
  }
  return 0;
}

} // namespace must_fail
