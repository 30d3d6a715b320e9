#include "test/support/Launching.h"
#include "lib/compile/CompileModule.h"

#include "tegula/host/print.hpp"

namespace tegula::test {

PrintCollector::PrintCollector(std::vector<std::string>& lines) {
  set_print_sink([](void* user, const char* line,
                    std::size_t length) { static_cast<std::vector<std::string>*>(user)->emplace_back(line, length); },
                 &lines);
}
PrintCollector::~PrintCollector() { set_print_sink(nullptr); }

std::shared_ptr<const KernelIr> kernel_of(const std::string& text, Checks checks) {
  return checks == Checks::nothing ? parse_kernel(text) : prove_text(text, {.suppress = checks == Checks::everything}).ir;
}

Specialisation strides_of(const std::vector<Argument>& arguments) {
  Specialisation result;
  for (const Argument& argument : arguments) {
    Strides& strides = result.emplace_back().strides;
    if (Tensor* const* tensor = std::get_if<Tensor*>(&argument))
      for (std::int64_t stride : (*tensor)->strides)
        strides.push_back(stride == 0 ? Stride::zero : stride == 1 ? Stride::one : Stride::any);
  }
  return result;
}

std::vector<std::int64_t> pack_words(const std::vector<Argument>& arguments,
                                     const std::function<std::int64_t(Tensor&)>& address_of) {
  std::vector<std::int64_t> words;
  for (const Argument& argument : arguments) {
    if (const Scalar* scalar = std::get_if<Scalar>(&argument)) {
      words.push_back(static_cast<std::int64_t>(scalar->bits));
      continue;
    }
    Tensor& tensor = *std::get<Tensor*>(argument);
    words.push_back(address_of(tensor));
    words.insert(words.end(), tensor.extents.begin(), tensor.extents.end());
    words.insert(words.end(), tensor.strides.begin(), tensor.strides.end());
    if (tensor.bound)
      words.push_back(*tensor.bound);
  }
  return words;
}

} // namespace tegula::test
