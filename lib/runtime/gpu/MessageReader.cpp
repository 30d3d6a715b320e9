#include "lib/runtime/gpu/MessageReader.h"
#include "lib/abi/GpuMessages.h"
#include "lib/runtime/Environment.h"
#include "tegula/error.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>

namespace tegula::gpu {
namespace {

// What fails is told without its record, too; what prints may do so in a loop.
constexpr std::size_t least_capacity = std::size_t{4} << 10, least_to_print = std::size_t{256} << 10;
constexpr std::size_t most_capacity = std::size_t{16} << 20;

std::size_t aligned(std::size_t bytes) {
  return (bytes + gpu_message_alignment - 1) / gpu_message_alignment * gpu_message_alignment;
}

std::size_t bytes_of(const trace::Type& type) {
  auto bytes = static_cast<std::size_t>(size_of(type.dtype));
  for (const std::int64_t extent : type.shape)
    bytes *= static_cast<std::size_t>(extent);
  return bytes;
}

std::size_t record_bytes(const Site& site) {
  std::size_t bytes = sizeof(GpuMessage);
  for (const trace::Type& type : site.values)
    bytes += aligned(bytes_of(type));
  return bytes;
}

std::int64_t word_at(const std::byte* record, std::size_t number) {
  std::int64_t word = 0;
  std::memcpy(&word, record + sizeof(GpuMessage) + number * gpu_message_alignment, sizeof word);
  return word;
}

void read_claim(const GpuMessage& head, const std::byte* record, const Site& site, runtime::LaunchMessages& messages) {
  const std::size_t words = (head.bytes - sizeof head) / gpu_message_alignment;
  std::vector<std::int64_t> element;
  for (std::size_t axis = 1; axis < words; ++axis)
    element.push_back(word_at(record, axis));
  const std::int64_t other = word_at(record, 0);
  messages.conflict({std::max<std::int64_t>(head.program, other), std::min<std::int64_t>(head.program, other), head.site, 0},
                    site.parameter, element);
}

void read_values(const GpuMessage& head, const std::byte* record, const Site& site, runtime::LaunchMessages& messages) {
  std::vector<const void*> values;
  const std::byte* value = record + sizeof head;
  for (const trace::Type& type : site.values) {
    values.push_back(value);
    value += aligned(bytes_of(type));
  }
  if (site.kind == Site::Kind::print)
    messages.print(head.site, head.program, values.data());
  else
    messages.fail(head.site, head.program, values.data());
}

} // namespace

std::size_t message_capacity(const GpuKernel& kernel, std::int64_t programs) {
  if (const auto wanted = runtime::number("TEGULA_MESSAGE_BYTES", gpu_message_alignment, UINT32_MAX, "a number"))
    return static_cast<std::size_t>(*wanted) / gpu_message_alignment * gpu_message_alignment;
  std::size_t bytes = 0;
  for (const Site& site : kernel.sites)
    bytes += record_bytes(site);
  const auto count = std::min(static_cast<std::size_t>(programs), most_capacity);
  const bool prints = std::ranges::find(kernel.sites, Site::Kind::print, &Site::kind) != kernel.sites.end();
  return std::clamp(bytes * count, prints ? least_to_print : least_capacity, most_capacity);
}

void read_messages(const std::string& kernel, const GpuKernel& code, std::span<const std::byte> records,
                   runtime::LaunchMessages& messages) {
  std::size_t at = 0;
  while (at + sizeof(GpuMessage) <= records.size()) {
    GpuMessage head;
    std::memcpy(&head, records.data() + at, sizeof head);
    if (head.bytes == 0) // this one did not fit, and so none after it
      return;
    const bool known = head.site < code.sites.size();
    const bool is_claim = known && code.sites[head.site].kind == Site::Kind::claim;
    if (!known || head.bytes % gpu_message_alignment != 0 || head.bytes > records.size() - at ||
        (is_claim ? head.bytes < sizeof head + gpu_message_alignment : head.bytes != record_bytes(code.sites[head.site])))
      throw InternalError("kernel '" + kernel + "' left a message that makes no sense: " + std::to_string(head.bytes) +
                          " bytes of site " + std::to_string(head.site) + " at byte " + std::to_string(at) + " of " +
                          std::to_string(records.size()));
    if (is_claim)
      read_claim(head, records.data() + at, code.sites[head.site], messages);
    else
      read_values(head, records.data() + at, code.sites[head.site], messages);
    at += head.bytes;
  }
}

std::string lost_messages_text(const std::string& kernel, std::size_t capacity) {
  return "kernel '" + kernel + "' had more to say than the " + std::to_string(capacity) +
         " bytes that were set aside for it, and the rest is lost; set the environment variable TEGULA_MESSAGE_BYTES to more";
}

} // namespace tegula::gpu
