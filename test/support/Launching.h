// What launches of compiled kernels have in common, whatever they run on.
#pragma once
#include "lib/compile/Compile.h"
#include "test/support/Execute.h"

#include <functional>
#include <string>
#include <vector>

namespace tegula::test {

/// Collects what kernels print while it lives.
class PrintCollector {
public:
  explicit PrintCollector(std::vector<std::string>& lines);
  PrintCollector(const PrintCollector&) = delete;
  PrintCollector& operator=(const PrintCollector&) = delete;
  ~PrintCollector();
};

/// The one kernel of a module of tile IR, with these checks.
std::shared_ptr<const KernelIr> kernel_of(const std::string& text, Checks);

/// What is known of the arguments' strides, and nothing else.
Specialisation strides_of(const std::vector<Argument>&);

/// The arguments as compiled programs read them; `address_of` says where a tensor's elements are.
std::vector<std::int64_t> pack_words(const std::vector<Argument>&, const std::function<std::int64_t(Tensor&)>& address_of);

} // namespace tegula::test
