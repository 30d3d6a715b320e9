#include "test/faults/Subject.h"

#include "lib/abi/GpuMessages.h"
#include "test/support/Inputs.h"
#include "test/support/Launching.h"
#include "tools/ptxemu/TensorMap.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <numeric>
#include <stdexcept>

namespace tegula::test {
namespace {

constexpr std::uint64_t message_bytes = 1 << 16;

class Memory {
public:
  std::uint64_t place(const void* data, std::size_t bytes) {
    const std::uint64_t address = memory.allocate(std::max<std::size_t>(bytes, 1));
    memory.write(address, data, bytes);
    return address;
  }
  std::string take(std::uint64_t address, std::size_t bytes) {
    std::string data(bytes, '\0');
    memory.read(data.data(), address, bytes);
    return data;
  }
  ptxemu::DeviceMemory memory;
};

std::vector<std::uint64_t> positions(const Tensor& tensor, bool different, Random& random) {
  const std::int64_t bound = *tensor.bound;
  std::vector<std::uint64_t> all(static_cast<std::size_t>(std::max(bound, tensor.size())));
  std::iota(all.begin(), all.end(), 0);
  for (std::size_t i = all.size(); i > 1; --i)
    std::swap(all[i - 1], all[static_cast<std::size_t>(random.below(static_cast<std::int64_t>(i)))]);
  all.resize(static_cast<std::size_t>(tensor.size()));
  if (!different)
    for (std::uint64_t& position : all)
      position = static_cast<std::uint64_t>(random.below(bound));
  return all;
}

void fill(Tensor& tensor, Contents contents, Random random) {
  if (contents == Contents::poison) {
    std::memset(tensor.bytes.data(), 0xa5, tensor.bytes.size());
    return;
  }
  if (contents != Contents::numbers)
    return tensor.fill(positions(tensor, contents == Contents::different_positions, random));
  std::vector<std::uint64_t> bits;
  for (std::int64_t i = 0; i < tensor.size(); ++i) {
    if (tensor.dtype == DType::bf16) // of which no sum of a few hundred products is rounded
      bits.push_back(encode_number(tensor.dtype, static_cast<Real>(random.below(255) - 127) / 32));
    else
      bits.push_back(encode_number(tensor.dtype,
                                   static_cast<Real>(random.below(1 << 16) - (1 << 15)) / (tensor.dtype == DType::i32 ? 1 : 8192)));
  }
  tensor.fill(bits);
}

std::multiset<std::string> records_of(Memory& memory, std::uint64_t address) {
  GpuMessagesHeader header;
  memory.memory.read(&header, address, sizeof header);
  std::multiset<std::string> records{std::string("failed ") + std::to_string(header.failure != 0)};
  const std::string text = memory.take(header.records, std::min<std::size_t>(header.used, message_bytes));
  for (std::size_t at = 0; at + sizeof(GpuMessage) <= text.size();) {
    GpuMessage record;
    std::memcpy(&record, text.data() + at, sizeof record);
    records.insert(text.substr(at, record.bytes));
    at += std::max<std::size_t>(record.bytes, gpu_message_alignment);
  }
  return records;
}

/// As cuTensorMapEncodeTiled would make it: axes from the contiguous one on.
ptxemu::TensorMap map_of(const TensorMap& map, const std::vector<std::int64_t>& words) {
  const std::size_t rank = map.order.size();
  const std::int64_t* view = &words[static_cast<std::size_t>(map.word)];
  std::vector<std::uint64_t> extents, strides;
  std::vector<std::uint32_t> box, steps(rank, 1);
  for (std::size_t i = rank; i-- > 0;) {
    const auto axis = static_cast<std::size_t>(map.order[i]);
    extents.push_back(static_cast<std::uint64_t>(view[1 + axis]));
    box.push_back(static_cast<std::uint32_t>(map.box[axis]));
    if (i + 1 < rank)
      strides.push_back(static_cast<std::uint64_t>(view[1 + rank + axis] * map.element_bytes));
  }
  const int type = map.element_bytes == 1 ? 0 : map.element_bytes == 2 ? 1 : map.element_bytes == 4 ? 2 : 4;
  const int swizzle = map.swizzle_bytes == 128 ? 3 : map.swizzle_bytes == 64 ? 2 : map.swizzle_bytes == 32 ? 1 : 0;
  ptxemu::TensorMap filled;
  const std::string wrong =
      ptxemu::fill_tensor_map(filled, type, static_cast<std::uint32_t>(rank), static_cast<std::uint64_t>(view[0]), extents.data(),
                              strides.data(), box.data(), steps.data(), 0, swizzle);
  if (!wrong.empty())
    throw std::runtime_error(wrong);
  return filled;
}

/// The entry's parameters: words, then maps, each where the declaration puts it.
std::vector<std::uint8_t> parameters_of(const ptxemu::Program& program, const std::vector<std::int64_t>& words,
                                        const std::vector<ptxemu::TensorMap>& maps) {
  std::vector<std::uint8_t> bytes(static_cast<std::size_t>(program.parameter_bytes));
  for (std::size_t i = 0; i < program.parameters.size(); ++i)
    if (i < words.size())
      std::memcpy(&bytes[program.parameters[i].offset], &words[i], sizeof words[i]);
    else
      std::memcpy(&bytes[program.parameters[i].offset], &maps.at(i - words.size()), sizeof maps[0]);
  return bytes;
}

} // namespace

Remains run(const Subject& subject, const std::string& ptx, std::uint64_t seed) {
  const auto module = ptxemu::load_module(ptx);
  for (std::size_t i = 0; i < subject.tensors.size(); ++i)
    fill(*subject.tensors[i], subject.contents[i], Random(subject.name + std::to_string(i) + " " + std::to_string(seed)));
  Memory memory;
  const std::vector<std::uint64_t> globals = ptxemu::place_globals(*module, memory.memory);
  std::map<const Tensor*, std::uint64_t> addresses;
  std::vector<std::int64_t> words = pack_words(subject.arguments, [&](Tensor& tensor) {
    return static_cast<std::int64_t>(addresses[&tensor] = memory.place(tensor.bytes.data(), tensor.bytes.size()));
  });
  const bool speaks = !subject.code->sites.empty();
  const std::string no_records(speaks ? message_bytes : 0, '\0');
  const GpuMessagesHeader header{0, 0, memory.place(no_records.data(), no_records.size()), message_bytes};
  const std::uint64_t messages = speaks ? memory.place(&header, sizeof header) : 0;
  words.insert(words.end(), {0, subject.programs, static_cast<std::int64_t>(messages)});
  for (const int parameter : subject.code->claimed) {
    const Tensor& tensor = *std::get<Tensor*>(subject.arguments[static_cast<std::size_t>(parameter)]);
    const std::vector<std::uint32_t> owners(static_cast<std::size_t>(tensor.size()));
    words.push_back(static_cast<std::int64_t>(memory.place(owners.data(), owners.size() * sizeof owners[0])));
  }
  // What is read where no tensor may be read, and must not be used.
  const std::string nothing(16, '\xa5');
  words.push_back(static_cast<std::int64_t>(memory.place(nothing.data(), nothing.size())));
  std::vector<ptxemu::TensorMap> maps;
  for (const TensorMap& map : subject.code->maps)
    maps.push_back(map_of(map, words));
  const ptxemu::Program& program = *module->find(subject.code->entry);
  const std::vector<std::uint8_t> parameters = parameters_of(program, words, maps);

  ptxemu::Launch launch;
  launch.grid = {static_cast<std::uint32_t>(subject.programs), 1, 1};
  launch.block = {static_cast<std::uint32_t>(subject.code->threads), 1, 1};
  launch.dynamic_shared = static_cast<std::uint64_t>(subject.code->shared_bytes);
  launch.parameters = parameters;
  launch.global_addresses = globals;
  launch.options.seed = seed;
  launch.options.step_limit = 4'000'000;
  Remains remains;
  remains.report = ptxemu::launch(program, memory.memory, launch);
  for (const auto& tensor : subject.tensors)
    remains.tensors.push_back(memory.take(addresses.at(tensor.get()), tensor->bytes.size()));
  if (speaks)
    remains.messages = records_of(memory, messages);
  return remains;
}

} // namespace tegula::test
