// The library's kernels, as the registry makes them, launched on little.
#include "kernels/registry.hpp"
#include "lib/runtime/Inspect.h"
#include "test/faults/Subject.h"

#include <algorithm>
#include <bit>
#include <stdexcept>

namespace tegula::test {
namespace {

struct Row {
  const char* name;
  std::vector<Shape> extents; // of each view, in order
  std::int64_t programs;
  std::size_t samples;    // fewer where a run takes long
  std::int64_t bound = 0; // of an index tensor
};

/// Extents that no tile divides; along the last axis whole groups of 16 bytes, so that accesses are vectors.
const std::vector<Row>& rows() {
  static const std::vector<Row> table = {
      {"add", {{1500}, {1500}, {1500}}, 2, 16},
      {"argmax_final", {{3, 1}, {3, 100}, {3, 100}}, 3, 16},
      {"argmax_partial", {{2, 2}, {2, 2}, {2, 4000}}, 4, 16},
      {"attention", {{1, 60, 60}, {1, 60, 60}, {1, 124, 60}, {1, 124, 60}}, 1, 6},
      {"attention_backward_keys",
       {{1, 60, 60}, {1, 60, 60}, {1, 124, 60}, {1, 124, 1}, {1, 124, 1}, {1, 124, 60}, {1, 60, 60}, {1, 60, 60}},
       1,
       2},
      {"attention_backward_queries",
       {{1, 124, 60}, {1, 124, 1}, {1, 124, 60}, {1, 124, 60}, {1, 124, 1}, {1, 124, 60}, {1, 124, 60}, {1, 124, 60}},
       2,
       2},
      {"attention_causal", {{1, 124, 60}, {1, 124, 60}, {1, 124, 60}, {1, 124, 60}}, 2, 4},
      {"attention_training", {{1, 124, 60}, {1, 124, 1}, {1, 124, 60}, {1, 124, 60}, {1, 124, 60}}, 2, 2},
      {"column_sums", {{500}, {60, 500}}, 2, 16},
      {"copy", {{1500}, {1500}}, 2, 16},
      {"dropout", {{1496}, {1496}}, 2, 8},
      {"embedding", {{28, 504}, {50, 504}, {28}}, 4, 16, 50},
      {"histogram", {{300}, {1000}}, 2, 16, 300},
      {"kv_append", {{40, 248}, {28, 248}, {28}}, 1, 16, 40},
      {"layer_norm", {{7, 1000}, {7, 1}, {7, 1}, {7, 1000}, {1000}, {1000}}, 2, 6},
      {"layer_norm_backward", {{7, 1000}, {1000}, {1000}, {7, 1000}, {7, 1000}, {1000}, {7, 1}, {7, 1}}, 1, 6},
      {"matrix_product", {{120, 120}, {120, 248}, {248, 120}}, 1, 6},
      {"matrix_product_batched", {{1, 56, 56}, {1, 56, 248}, {1, 248, 56}}, 1, 6},
      {"matrix_product_grouped", {{120, 248}, {120, 248}, {248, 248}}, 1, 6},
      {"matrix_product_persistent", {{120, 248}, {120, 248}, {248, 248}}, 1, 6},
      {"matrix_product_split_k", {{56, 120}, {56, 248}, {248, 120}}, 1, 10},
      {"matrix_vector", {{14}, {14, 1000}, {1000}}, 2, 16},
      {"permute_heads", {{1, 60, 2, 120}, {1, 2, 60, 120}}, 2, 16},
      {"rms_norm", {{7, 1000}, {7, 1000}, {1000}}, 2, 16},
      {"row_statistics", {{7, 1}, {7, 1}, {7, 500}}, 2, 16},
      {"saxpy", {{1500}, {1500}}, 2, 16},
      {"silu_gate", {{56, 56}, {56, 248}, {248, 56}, {248, 56}}, 1, 10},
      {"silu_product", {{14, 1000}, {14, 1000}, {14, 1000}}, 4, 16},
      {"softmax", {{7, 1000}, {7, 1000}}, 2, 16},
      {"topk_final", {{1, 64}, {1, 64}, {1, 4000}, {1, 4000}}, 1, 4},
      {"topk_partial", {{1, 64}, {1, 64}, {1, 4000}}, 1, 4},
      {"transpose", {{60, 60}, {60, 60}}, 4, 16},
  };
  return table;
}

const Row& row_of(const std::string& name) {
  const auto row = std::ranges::find(rows(), name, &Row::name);
  if (row == rows().end())
    throw std::runtime_error("the library's kernel '" + name + "' has no launch: add a row to test/faults/LibrarySubjects.cpp");
  return *row;
}

} // namespace

std::vector<std::string> library_names() {
  std::vector<std::string> names;
  for (const kernels::Entry& entry : kernels::registry())
    names.emplace_back(row_of(entry.name).name);
  return names;
}

Subject library_subject(const std::string& name, const std::string& target) {
  const auto entry = std::ranges::find(kernels::registry(), name, [](const kernels::Entry& e) { return std::string(e.name); });
  const AnyKernel kernel = entry->make();
  const trace::Record& record = trace_of(kernel);
  const Row& row = row_of(name);
  Subject subject{name, {}, {}, {}, {}, row.programs, row.samples};
  Specialisation facts = row_major(record);
  auto next = row.extents.begin();
  for (std::size_t i = 0; i < record.parameters.size(); ++i) {
    const trace::Parameter& parameter = record.parameters[i];
    if (!parameter.is_view) {
      subject.arguments.emplace_back(Scalar{std::bit_cast<std::uint32_t>(0.125f)});
      continue;
    }
    Tensor& tensor = *subject.tensors.emplace_back(std::make_unique<Tensor>(parameter.type.dtype, *next++));
    if (parameter.has_bound())
      tensor.bound = row.bound;
    const bool is_index = parameter.is_certified() && parameter.access != trace::Access::offsets;
    subject.contents.push_back(trace::is_distinct(parameter.access) ? Contents::different_positions
                               : is_index                           ? Contents::positions
                               : parameter.is_only_written()        ? Contents::poison
                                                                    : Contents::numbers);
    facts[i].aligned = !tensor.extents.empty() && tensor.extents.back() * size_of(tensor.dtype) % 16 == 0;
    subject.arguments.emplace_back(&tensor);
  }
  subject.code = compile_for_gpu(record, facts, {.target = target, .warps = kernel.hints().warps, .stages = kernel.hints().stages});
  return subject;
}

} // namespace tegula::test
