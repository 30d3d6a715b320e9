#include "lib/runtime/Replay.h"
#include "lib/abi/ArgumentWords.h"
#include "lib/compile/Compile.h"
#include "lib/prove/IndexContents.h"
#include "lib/prove/Refutation.h"
#include "lib/runtime/Inspect.h"
#include "lib/runtime/KernelState.h"
#include "lib/runtime/Messages.h"
#include "tegula/error.hpp"
#include "tegula/host/op.hpp"
#include "tegula/host/proof.hpp"

#include <algorithm>
#include <cstring>

namespace tegula {
namespace {

constexpr std::size_t alignment = 64;

/// Memory that starts where compiled programs expect it to.
class Block {
public:
  explicit Block(std::size_t bytes) : bytes_(bytes + alignment) {}
  unsigned char* data() {
    const auto address = reinterpret_cast<std::uintptr_t>(bytes_.data());
    return bytes_.data() + (alignment - address % alignment) % alignment;
  }

private:
  std::vector<unsigned char> bytes_;
};

/// A launch in memory of its own: floats count 1, 2, 3 ..., integers are what the witness says.
class Launch {
public:
  Launch(const trace::Record& record, const KernelIr& ir, const Witness& witness)
      : record_(record), witness_(witness), code_(compile_for_cpu(ir, row_major(record))), scratch_(code_->scratch_bytes) {
    for (std::size_t i = 0; i < record.parameters.size(); ++i)
      add(record.parameters[i], witness.launch.parameters[i]);
    std::vector<runtime::Claims> claims;
    for (const int parameter : code_->claimed)
      claims.emplace_back(parameter, witness.launch.parameters[static_cast<std::size_t>(parameter)].extents);
    messages_ = std::make_unique<runtime::LaunchMessages>(record.name.c_str(), code_->sites, std::move(claims));
  }

  void run(std::int64_t program) {
    code_->entry(words_.data(), program, witness_.launch.programs, messages_.get(), scratch_.data());
  }
  /// Of all programs, one after the other.
  std::string trap() {
    for (std::int64_t program = 0; program < witness_.launch.programs && !messages_->failed(); ++program)
      run(program);
    for (const int parameter : code_->covered_checked)
      messages_->check_covered(parameter);
    try {
      messages_->throw_if_failed();
    } catch (const LaunchError& error) {
      return error.what();
    }
    return "";
  }
  /// The witness's element, as text.
  std::string value() {
    const trace::Type type{record_.parameters[static_cast<std::size_t>(witness_.parameter)].type.dtype, {}};
    const std::vector<std::int64_t>& extents = witness_.launch.parameters[static_cast<std::size_t>(witness_.parameter)].extents;
    std::int64_t position = 0;
    for (std::size_t axis = 0; axis < extents.size(); ++axis)
      position = position * extents[axis] + witness_.element[axis];
    return runtime::value_text(type, blocks_[static_cast<std::size_t>(witness_.parameter)].data() +
                                         static_cast<std::size_t>(position) * static_cast<std::size_t>(size_of(type.dtype)));
  }

private:
  void add(const trace::Parameter& parameter, const LaunchShape::Parameter& shape) {
    const DType dtype = parameter.type.dtype;
    if (!parameter.is_view()) {
      words_.push_back(is_float(dtype) ? static_cast<std::int64_t>(host::encode_float(dtype, 1.0)) : shape.value);
      blocks_.emplace_back(0);
      return;
    }
    std::int64_t count = 1;
    for (const std::int64_t extent : shape.extents)
      count *= extent;
    const auto size = static_cast<std::size_t>(size_of(dtype));
    Block block(static_cast<std::size_t>(count) * size);
    for (std::int64_t i = 0; i < count; ++i) {
      std::uint64_t bits = 0;
      if (is_float(dtype) && parameter.kind != ParameterKind::out)
        bits = host::encode_float(dtype, static_cast<double>(i + 1));
      else if (parameter.is_certified())
        bits = static_cast<std::uint64_t>(index_value(parameter.kind, i, count, shape.value, witness_.descending));
      std::memcpy(block.data() + static_cast<std::size_t>(i) * size, &bits, size); // little-endian: the low bytes
    }
    const ArgumentWords layout{true, static_cast<int>(shape.extents.size()), parameter.has_bound()};
    const std::size_t begin = words_.size();
    words_.resize(begin + static_cast<std::size_t>(layout.count()));
    auto word = [&](int place) -> std::int64_t& { return words_[begin + static_cast<std::size_t>(place)]; };
    word(ArgumentWords::pointer) = static_cast<std::int64_t>(reinterpret_cast<std::intptr_t>(block.data()));
    blocks_.push_back(std::move(block));
    std::int64_t stride = 1;
    for (int axis = layout.rank; axis-- > 0;) {
      const std::int64_t extent = shape.extents[static_cast<std::size_t>(axis)];
      word(layout.extent(axis)) = extent;
      word(layout.stride(axis)) = stride;
      stride *= extent;
    }
    if (layout.has_bound)
      word(layout.bound()) = shape.value;
  }

  const trace::Record& record_;
  const Witness& witness_;
  std::shared_ptr<const CpuKernel> code_;
  std::vector<std::int64_t> words_;
  std::vector<Block> blocks_;
  Block scratch_;
  std::unique_ptr<runtime::LaunchMessages> messages_;
};

std::string value_after(const trace::Record& record, const Witness& witness, std::int64_t program) {
  Launch launch(record, *import_kernel(record), witness);
  launch.run(program);
  return launch.value();
}

} // namespace

Replay replay(const trace::Record& record, const Witness& witness) {
  Replay result;
  const std::string tensor = "parameter " + std::to_string(witness.parameter + 1);
  result.text = "kernel '" + record.name + "', " + describe_launch(witness.launch) + "\n";
  if (witness.kind == ObligationKind::disjoint) {
    for (const std::int64_t program : {witness.first_program, witness.second_program})
      result.text += "  program " + std::to_string(program) + " alone leaves element " + tuple(witness.element) + " of " + tensor +
                     " as " + value_after(record, witness, program) + "\n";
  } else if (witness.kind == ObligationKind::covered) {
    result.text += "  after all programs, nobody has written element " + tuple(witness.element) + " of " + tensor + "\n";
  } else if (witness.kind != ObligationKind::bounds) { // no access is concerned
    result.text += "  " + summary(witness) + (witness.parameter < 0 ? "" : " of " + tensor) + "\n";
  } else {
    const auto axis = static_cast<std::size_t>(witness.axis);
    const LaunchShape::Parameter& shape = witness.launch.parameters[static_cast<std::size_t>(witness.parameter)];
    std::int64_t stride = size_of(record.parameters[static_cast<std::size_t>(witness.parameter)].type.dtype);
    for (std::size_t inner = axis + 1; inner < shape.extents.size(); ++inner)
      stride *= shape.extents[inner];
    const std::int64_t step = witness.counts_elements ? 1 : shape.tile[axis];
    const auto first = static_cast<__int128>(witness.index[0]) * step * stride;
    const bool is_short = first >= INT64_MIN && first <= INT64_MAX;
    result.text += "  program " + std::to_string(witness.first_program) + " addresses byte " +
                   (is_short ? std::to_string(static_cast<std::int64_t>(first)) : std::string("2^63 or more")) + " along axis " +
                   std::to_string(witness.axis) + " of " + tensor + ", which has " + std::to_string(shape.extents[axis] * stride) +
                   " bytes along it\n";
  }
  result.trap = Launch(record, *prove_kernel(record, {.suppress = true}).ir, witness).trap();
  result.text += "  with every access checked: " + (result.trap.empty() ? "nothing fails" : result.trap) + "\n";
  return result;
}

std::string replay(const AnyKernel& kernel) {
  const Proof& proof = kernel.state()->proof();
  if (!proof.witness)
    return "kernel '" + proof.kernel + "' is not refuted: there is nothing to replay\n";
  return replay(kernel.state()->record(), *proof.witness).text;
}

} // namespace tegula
