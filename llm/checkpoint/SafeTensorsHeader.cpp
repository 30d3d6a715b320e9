#include "llm/checkpoint/SafeTensorsHeader.h"
#include "llm/checkpoint/Json.h"
#include "llm/checkpoint/Quote.h"
#include "tegula/error.hpp"
#include "tegula/limits.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <tuple>

namespace tegula::llm {
namespace {

static_assert(std::endian::native == std::endian::little, "the numbers in the files are used as they are");

constexpr std::uint64_t length_bytes = 8;
/// The format's own limit of bytes; the values are those of a quarter of a million tensors.
constexpr JsonLimits limits{.bytes = 100'000'000, .values = 2'000'000, .depth = 8};
constexpr std::size_t most_dimensions = 8;
constexpr std::int64_t most_bytes = std::int64_t{1} << 60;

/// Bytes of a tensor.
std::uint64_t size_of(const StoredTensor& tensor, const JsonValue& place) {
  if (std::ranges::find(tensor.shape, 0) != tensor.shape.end())
    return 0;
  auto bits = static_cast<std::uint64_t>(tensor.type.bits);
  for (const std::int64_t extent : tensor.shape)
    if (__builtin_mul_overflow(bits, static_cast<std::uint64_t>(extent), &bits))
      place.refuse("a shape with less than 2^64 bits, unlike " + shape_text(tensor.shape));
  if (bits % 8 != 0)
    place.refuse("a shape with whole bytes: " + shape_text(tensor.shape) + " of " + std::string(tensor.type.name) + " are " +
                 std::to_string(bits) + " bits");
  return bits / 8;
}

/// Whether the file has its bytes is not looked at.
StoredTensor read_tensor(const std::string& name, const JsonValue& entry, std::uint64_t data) {
  for (const auto& [key, value] : entry.members())
    if (key != "dtype" && key != "shape" && key != "data_offsets")
      value.refuse("absent: a tensor has dtype, shape and data_offsets, and what more means is not known");
  StoredTensor tensor{.name = name, .type = {}, .shape = {}};
  const std::optional<ElementType> type = element_type(entry["dtype"].text());
  if (!type)
    entry["dtype"].refuse("one of " + element_type_names());
  tensor.type = *type;
  for (const JsonValue& extent : entry["shape"].elements())
    tensor.shape.push_back(extent.whole(0, max_extent));
  if (tensor.shape.size() > most_dimensions)
    entry["shape"].refuse("at most " + std::to_string(most_dimensions) + " extents");

  const std::vector<JsonValue> offsets = entry["data_offsets"].elements();
  if (offsets.size() != 2)
    entry["data_offsets"].refuse("two numbers, where the data begins and where it ends");
  const std::int64_t begin = offsets[0].whole(0, most_bytes), end = offsets[1].whole(begin, most_bytes);
  const std::uint64_t needed = size_of(tensor, entry["shape"]);
  if (static_cast<std::uint64_t>(end - begin) != needed)
    entry["data_offsets"].refuse(std::to_string(needed) + " bytes apart, as " + shape_text(tensor.shape) + " of " +
                                 std::string(tensor.type.name) + " needs");
  tensor.begin = data + static_cast<std::uint64_t>(begin);
  tensor.end = data + static_cast<std::uint64_t>(end);
  return tensor;
}

/// That each byte behind the header is of one tensor. Messages count as the file does, from the end of the header.
void check_tiling(const std::string& file, const std::vector<StoredTensor>& tensors, std::uint64_t data, std::uint64_t file_bytes) {
  std::uint64_t covered = data;
  const std::string* last = nullptr;
  for (const StoredTensor& tensor : tensors) {
    if (tensor.begin < covered)
      throw Error(file + ": the tensors " + in_quotes(*last) + " and " + in_quotes(tensor.name) +
                  " overlap: the first ends at byte " + std::to_string(covered - data) +
                  " of the data, the second begins at byte " + std::to_string(tensor.begin - data) + ". The file is damaged");
    if (tensor.begin > covered)
      throw Error(file + ": bytes " + std::to_string(covered - data) + " to " + std::to_string(tensor.begin - data) +
                  " of the data, before the tensor " + in_quotes(tensor.name) + ", belong to no tensor. The file is damaged");
    covered = tensor.end;
    last = &tensor.name;
  }
  if (covered > file_bytes)
    throw Error(file + ": ends at byte " + std::to_string(file_bytes) + ", but the tensor " + in_quotes(*last) +
                " needs bytes up to " + std::to_string(covered) +
                ". It was not written or downloaded to its end: download the file again");
  if (covered != file_bytes)
    throw Error(file + ": its tensors end at byte " + std::to_string(covered - data) + " of the data, but there are " +
                std::to_string(file_bytes - data) + " bytes. The file is damaged");
}

} // namespace

std::uint64_t header_end(const std::string& file, std::span<const std::byte> bytes) {
  if (bytes.size() < length_bytes)
    throw Error(file + ": has " + std::to_string(bytes.size()) +
                " bytes; a safetensors file has at least 8, the length of its header. It was not written or downloaded to its end");
  std::uint64_t length = 0;
  std::memcpy(&length, bytes.data(), sizeof length);
  if (length > limits.bytes)
    throw Error(file + ": its first 8 bytes say that the header has " + std::to_string(length) + " bytes; at most " +
                std::to_string(limits.bytes) + " are allowed. It is no safetensors file, or damaged");
  if (length > bytes.size() - length_bytes)
    throw Error(file + ": its header should have " + std::to_string(length) + " bytes, but only " +
                std::to_string(bytes.size() - length_bytes) + " are there. It was not written or downloaded to its end");
  return length_bytes + length;
}

SafeTensorsHeader read_header(const std::string& file, std::span<const std::byte> bytes) {
  const std::uint64_t data = header_end(file, bytes);
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()) + length_bytes, data - length_bytes);
  if (!text.starts_with('{'))
    throw Error(file + ": its header begins with " + in_quotes(text.substr(0, 1)) +
                "; it must begin with \"{\". It is no safetensors file, or damaged");
  SafeTensorsHeader header;
  for (const auto& [name, value] : parse_json(file + " (header)", text, limits).members()) {
    if (name != "__metadata__") {
      header.tensors.push_back(read_tensor(name, value, data));
      continue;
    }
    for (const auto& [key, entry] : value.members())
      header.metadata.emplace(key, entry.text());
  }
  std::ranges::sort(header.tensors, {}, [](const StoredTensor& tensor) { return std::tie(tensor.begin, tensor.end, tensor.name); });
  check_tiling(file, header.tensors, data, bytes.size());
  return header;
}

} // namespace tegula::llm
