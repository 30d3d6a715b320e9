// The library's kernels, as the registry makes them, launched on little.
#include "kernels/registry.hpp"
#include "lib/runtime/Inspect.h"
#include "test/faults/Subject.h"

#include <algorithm>
#include <bit>
#include <stdexcept>

namespace tegula::test {

std::vector<std::string> library_names() {
  std::vector<std::string> names;
  for (const kernels::Entry& entry : kernels::registry())
    names.emplace_back(entry.name);
  return names;
}

Subject library_subject(const std::string& name, const std::string& target) {
  const auto entry = std::ranges::find(kernels::registry(), name, [](const kernels::Entry& e) { return std::string(e.name); });
  const AnyKernel kernel = entry->make();
  const trace::Record& record = trace_of(kernel);
  const kernels::SmallLaunch& launch = entry->launch;
  Subject subject{name, {}, {}, {}, {}, launch.programs, static_cast<std::size_t>(launch.faults)};
  Specialisation facts = row_major(record);
  const auto views = std::ranges::count_if(record.parameters, &trace::Parameter::is_view);
  if (std::ssize(launch.extents) != views)
    throw std::runtime_error("kernel '" + name + "' has " + std::to_string(views) +
                             " views, and its launch in kernels/registry.cpp " + std::to_string(launch.extents.size()));
  auto next = launch.extents.begin();
  for (std::size_t i = 0; i < record.parameters.size(); ++i) {
    const trace::Parameter& parameter = record.parameters[i];
    if (!parameter.is_view()) {
      subject.arguments.emplace_back(Scalar{std::bit_cast<std::uint32_t>(0.125f)});
      continue;
    }
    Tensor& tensor = *subject.tensors.emplace_back(std::make_unique<Tensor>(parameter.type.dtype, *next++));
    if (parameter.has_bound())
      tensor.bound = launch.bound;
    const bool is_index = parameter.is_certified() && parameter.kind != ParameterKind::offsets;
    subject.contents.push_back(is_distinct(parameter.kind)   ? Contents::different_positions
                               : is_index                    ? Contents::positions
                               : parameter.is_only_written() ? Contents::poison
                                                             : Contents::numbers);
    facts[i].aligned = !tensor.extents.empty() && tensor.extents.back() * size_of(tensor.dtype) % 16 == 0;
    subject.arguments.emplace_back(&tensor);
  }
  subject.code = compile_for_gpu(*prove_kernel(record).ir, facts,
                                 {.target = target, .warps = kernel.hints().warps, .stages = kernel.hints().stages});
  return subject;
}

} // namespace tegula::test
