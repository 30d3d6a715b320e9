#include "lib/runtime/gpu/Speech.h"
#include "lib/compile/GpuMessages.h"
#include "lib/runtime/gpu/MessageReader.h"
#include "tegula/error.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdio>

namespace tegula::gpu {

std::vector<std::vector<std::int64_t>> claimed_extents(const GpuKernel& code, const trace::Record& record,
                                                       const host::Argument* arguments) {
  std::vector<std::vector<std::int64_t>> claimed;
  for (const int parameter : code.claimed) {
    const std::int64_t* extents = arguments[parameter].view.extents;
    claimed.emplace_back(extents, extents + record.parameters[static_cast<std::size_t>(parameter)].type.shape.size());
  }
  return claimed;
}

Speech::Speech(const Context& context, Pool& pool, cuda::Stream stream, const Launch& launch,
               std::shared_ptr<const LoadedKernel> loaded, std::vector<std::vector<std::int64_t>> claimed)
    : context_(context), pool_(pool), kernel_(launch.kernel), purpose_(launch.purpose()), loaded_(std::move(loaded)),
      code_(loaded_->code()), programs_(launch.programs), claimed_(std::move(claimed)), messages_(kernel_, code_.sites) {
  make_memory(stream);
}

Speech::Speech(const Speech& other, cuda::Stream stream)
    : context_(other.context_), pool_(other.pool_), kernel_(other.kernel_), purpose_(other.purpose_), loaded_(other.loaded_),
      code_(other.code_), programs_(other.programs_), claimed_(other.claimed_), messages_(kernel_, code_.sites) {
  make_memory(stream);
}

std::unique_ptr<Speech> Speech::another(cuda::Stream stream) const { return std::unique_ptr<Speech>(new Speech(*this, stream)); }

void Speech::make_memory(cuda::Stream stream) {
  if (!code_.sites.empty())
    make_records(stream);
  for (std::size_t i = 0; i < code_.claimed.size(); ++i)
    make_owners(stream, i);
}

void Speech::copy_from(const Speech& other, cuda::Stream stream) {
  const auto copy = [&](cuda::Address to, cuda::Address from, std::size_t bytes) {
    if (bytes != 0)
      context_.call(context_.driver().cuMemcpyDtoDAsync_v2, [this] { return purpose_; }, to, from, bytes, stream);
  };
  if (!records_.empty())
    copy(records_[0].address(), other.records_[0].address(), sizeof(GpuMessagesHeader) + capacity_);
  for (std::size_t i = 0; i < owners_.size(); ++i)
    copy(owners_[i].address(), other.owners_[i].address(), owners_bytes(i));
}

std::size_t Speech::bytes() const noexcept {
  std::size_t all = records_.empty() ? 0 : sizeof(GpuMessagesHeader) + capacity_;
  for (std::size_t i = 0; i < owners_.size(); ++i)
    all += owners_bytes(i);
  return all;
}

std::int64_t Speech::records() const {
  return static_cast<std::int64_t>(records_.empty() ? context_.silence() : records_[0].address());
}

std::vector<std::int64_t> Speech::owners() const {
  std::vector<std::int64_t> addresses;
  for (const Block& block : owners_)
    addresses.push_back(static_cast<std::int64_t>(block.address()));
  return addresses;
}

std::vector<host::Transfer> Speech::preparations() const {
  std::vector<host::Transfer> fills;
  const auto fill = [&](cuda::Address to, std::size_t bytes, std::uint32_t value) {
    if (bytes != 0)
      fills.push_back(host::fill_of(reinterpret_cast<void*>(to), bytes, &value, sizeof value));
  };
  if (!records_.empty()) {
    const cuda::Address header = records_[0].address();
    fill(header, sizeof(GpuMessagesHeader) + capacity_, 0);
    fill(header + offsetof(GpuMessagesHeader, capacity), sizeof capacity_ / 2, static_cast<std::uint32_t>(capacity_)); // it fits
  }
  for (std::size_t i = 0; i < owners_.size(); ++i)
    fill(owners_[i].address(), owners_bytes(i), 0);
  return fills;
}

void Speech::read() {
  if (!records_.empty())
    read_records();
  for (std::size_t i = 0; i < code_.claimed.size(); ++i)
    if (std::ranges::find(code_.covered_checked, code_.claimed[i]) != code_.covered_checked.end())
      check_covered(i);
  messages_.throw_if_failed();
}

void Speech::download(void* to, cuda::Address from, std::size_t bytes) {
  context_.call(context_.driver().cuMemcpyDtoHAsync_v2, [this] { return purpose_; }, to, from, bytes, context_.reading());
  context_.wait([this] { return purpose_; }, context_.reading());
}

void Speech::make_records(cuda::Stream stream) {
  if (programs_ > runtime::Claims::most_programs)
    if (const auto site = std::ranges::find(code_.sites, Site::Kind::claim, &Site::kind); site != code_.sites.end()) {
      messages_.refuse_claims(site - code_.sites.begin(), 0);
      messages_.throw_if_failed();
    }
  capacity_ = message_capacity(code_, programs_);
  const std::size_t bytes = sizeof(GpuMessagesHeader) + capacity_;
  const cuda::Address address = records_.emplace_back(pool_, stream, bytes).address();
  if (address == 0)
    throw Error("tegula: device '" + context_.name() + "' has no memory for " + std::to_string(bytes) +
                " bytes of messages from kernel '" + kernel_ + "'; free tensors, or set TEGULA_MESSAGE_BYTES to less");
}

std::size_t Speech::owners_bytes(std::size_t number) const {
  return runtime::element_count(claimed_[number]) * sizeof(std::uint32_t);
}

void Speech::make_owners(cuda::Stream stream, std::size_t number) {
  const std::size_t elements = runtime::element_count(claimed_[number]);
  if (owners_.emplace_back(pool_, stream, owners_bytes(number)).address() == 0 && elements != 0)
    throw Error("tegula: kernel '" + kernel_ + "': device '" + context_.name() + "' has no memory to check who writes " +
                "parameter " + std::to_string(code_.claimed[number] + 1) + ", which takes 4 bytes for each of its " +
                std::to_string(elements) + " elements");
}

void Speech::read_records() {
  GpuMessagesHeader header;
  download(&header, records_[0].address(), sizeof header);
  std::vector<std::byte> records(std::min<std::size_t>(header.used, capacity_));
  if (!records.empty())
    download(records.data(), records_[0].address() + sizeof header, records.size());
  read_messages(kernel_, code_, records, messages_);
  const bool lost = header.used > capacity_;
  if (header.failed && !messages_.failed())
    throw LaunchError(lost ? lost_messages_text(kernel_, capacity_) + ": a program failed"
                           : "kernel '" + kernel_ + "' failed and did not say why");
  if (lost && !messages_.failed())
    std::fprintf(stderr, "tegula: %s\n", lost_messages_text(kernel_, capacity_).c_str());
}

void Speech::check_covered(std::size_t number) {
  if (messages_.failed() || owners_[number].address() == 0)
    return;
  const std::vector<std::int64_t>& extents = claimed_[number];
  std::vector<std::uint32_t> owners(runtime::element_count(extents));
  download(owners.data(), owners_[number].address(), owners.size() * sizeof(std::uint32_t));
  if (const auto nobody = std::ranges::find(owners, 0u); nobody != owners.end())
    messages_.uncovered(code_.claimed[number], runtime::element_at(extents, static_cast<std::size_t>(nobody - owners.begin())));
}

} // namespace tegula::gpu
