// Traces kernels for tests.
#pragma once
#include "lib/trace/Recorder.h"
#include "tegula/error.hpp"
#include "tegula/kernel.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>

namespace tegula::trace {

/// No other record of these tests has the key of this one, unless it prints the same.
inline void check_key(const Record& record) {
  static std::map<std::string, std::string> texts;
  EXPECT_EQ(texts.try_emplace(record.key(Places::spoken), record.str()).first->second, record.str());
}

template <class F>
Record traced(const F& kernel, const char* name = "k", std::source_location where = std::source_location::current()) {
  using Signature = detail::Signature<F>;
  Record made = record(name, where, Signature::declarations.data(), Signature::declarations.size(), detail::body_of<F>(), &kernel);
  check_key(made);
  return made;
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

inline std::string types_of(const Record& record, const std::vector<Id>& ids) {
  std::vector<std::string> types;
  for (const Id id : ids) {
    types.emplace_back(name(record.types[id].dtype));
    for (const std::int64_t extent : record.types[id].shape)
      types.back() += "x" + std::to_string(extent);
  }
  std::ranges::sort(types);
  std::string text;
  for (const std::string& type : types)
    text += " " + type;
  return text;
}
inline void collect(const Record& record, const Region& region, const std::string& around, std::vector<std::string>& found) {
  for (const Operation& op : region.operations) {
    found.push_back(around + op.name + types_of(record, op.operands) + " ->" + types_of(record, op.results));
    for (const Region& r : op.regions)
      collect(record, r, around + op.name + " / ", found);
  }
}
/// The operations with their types and the regions that they are in, in no order: the same for every compiler, although compilers
/// differ in the order in which they evaluate arguments.
inline std::vector<std::string> contents(const Record& record) {
  std::vector<std::string> found;
  collect(record, record.body, "", found);
  std::ranges::sort(found);
  return found;
}

/// The lines of the body without the kernel's first and last line, so that tests show what matters.
inline std::string body(const Record& record) {
  const std::string text = record.str();
  const std::size_t first = text.find('\n') + 1;
  return text.substr(first, text.rfind("}\n") - first);
}

} // namespace tegula::trace
