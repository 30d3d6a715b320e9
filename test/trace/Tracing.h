// Traces kernels for tests.
#pragma once
#include "lib/trace/Recorder.h"
#include "tegula/error.hpp"
#include "tegula/kernel.hpp"

#include <gtest/gtest.h>

#include <string>

namespace tegula::trace {

template <class F>
Record traced(const F& kernel, const char* name = "k", std::source_location where = std::source_location::current()) {
  using Signature = detail::Signature<F>;
  return record(name, where, Signature::declarations.data(), Signature::declarations.size(), detail::body_of<F>(), &kernel);
}
template <auto F> Record traced(const char* name = "k", std::source_location where = std::source_location::current()) {
  return traced(F, name, where);
}

/// The error that tracing reports.
template <class F> std::string error_of(const F& kernel) {
  try {
    traced(kernel);
  } catch (const TraceError& e) {
    return e.what();
  }
  return "no error";
}

inline void collect(const Region& region, const std::string& name, std::vector<const Operation*>& found) {
  for (const Operation& op : region.operations) {
    if (op.name == name)
      found.push_back(&op);
    for (const Region& r : op.regions)
      collect(r, name, found);
  }
}
/// All operations with a name, in order, also those in regions. The record must outlive them.
inline std::vector<const Operation*> find(const Record& record, const std::string& name) {
  std::vector<const Operation*> found;
  collect(record.body, name, found);
  return found;
}

/// The lines of the body without the kernel's first and last line, so that tests show what matters.
inline std::string body(const Record& record) {
  const std::string text = record.str();
  const std::size_t first = text.find('\n') + 1;
  return text.substr(first, text.rfind("}\n") - first);
}

} // namespace tegula::trace
