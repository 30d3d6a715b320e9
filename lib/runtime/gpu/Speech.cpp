#include "lib/runtime/gpu/Speech.h"
#include "lib/abi/GpuMessages.h"
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

Speech::Speech(const Context& context, Pool& pool, cuda::Stream stream, Ring* ring, const Launch& launch,
               std::shared_ptr<const LoadedKernel> loaded, std::vector<std::vector<std::int64_t>> claimed)
    : context_(context), pool_(pool), kernel_(launch.kernel), purpose_(launch.purpose()), loaded_(std::move(loaded)),
      code_(loaded_->code()), programs_(launch.programs), claimed_(std::move(claimed)), messages_(kernel_, code_.sites) {
  make_memory(stream, ring);
}

Speech::Speech(const Speech& other, cuda::Stream stream, Ring& ring)
    : context_(other.context_), pool_(other.pool_), kernel_(other.kernel_), purpose_(other.purpose_), loaded_(other.loaded_),
      code_(other.code_), programs_(other.programs_), claimed_(other.claimed_), messages_(kernel_, code_.sites) {
  make_memory(stream, &ring);
}

std::unique_ptr<Speech> Speech::another(cuda::Stream stream, Ring& ring) const {
  return std::unique_ptr<Speech>(new Speech(*this, stream, ring));
}

void Speech::make_memory(cuda::Stream stream, Ring* ring) {
  if (!code_.sites.empty())
    make_records(stream, ring);
  for (std::size_t i = 0; i < code_.claimed.size(); ++i)
    make_owners(stream, i);
}

void Speech::listen_to(const Speech& launch, cuda::Stream stream) {
  if (!records_)
    return;
  records_.set_known(false);
  context_.call(
      context_.driver().cuMemcpyHtoDAsync_v2, [this] { return purpose_; }, launch.header_[0].address(),
      static_cast<const void*>(&records_.header()), sizeof(GpuMessagesHeader), stream);
}

void Speech::copy_from(const Speech& launch, cuda::Stream stream) const {
  const auto purpose = [this] { return purpose_; };
  if (records_)
    context_.call(context_.driver().cuMemcpyDtoHAsync_v2, purpose, static_cast<void*>(&records_.header()),
                  launch.header_[0].address(), sizeof(GpuMessagesHeader), stream);
  for (std::size_t i = 0; i < owners_.size(); ++i)
    if (owners_bytes(i) != 0)
      context_.call(context_.driver().cuMemcpyDtoDAsync_v2, purpose, owners_[i].address(), launch.owners_[i].address(),
                    owners_bytes(i), stream);
}

std::size_t Speech::bytes() const noexcept {
  std::size_t all = records_.bytes();
  for (std::size_t i = 0; i < owners_.size(); ++i)
    all += owners_bytes(i);
  return all;
}

std::int64_t Speech::records() const {
  if (records_)
    return reinterpret_cast<std::intptr_t>(&records_.header());
  return header_.empty() ? 0 : static_cast<std::int64_t>(header_[0].address());
}

std::vector<std::int64_t> Speech::owners() const {
  std::vector<std::int64_t> addresses;
  for (const Block& block : owners_)
    addresses.push_back(static_cast<std::int64_t>(block.address()));
  return addresses;
}

std::vector<host::Transfer> Speech::preparations() const {
  constexpr std::uint32_t nobody = 0;
  std::vector<host::Transfer> fills;
  for (std::size_t i = 0; i < owners_.size(); ++i)
    if (owners_bytes(i) != 0)
      fills.push_back(host::fill_of(reinterpret_cast<void*>(owners_[i].address()), owners_bytes(i), &nobody, sizeof nobody));
  return fills;
}

void Speech::read() {
  if (records_)
    read_records();
  for (std::size_t i = 0; i < code_.claimed.size(); ++i)
    if (std::ranges::find(code_.covered_checked, code_.claimed[i]) != code_.covered_checked.end())
      check_covered(i);
  messages_.throw_if_failed();
}

void Speech::refuse_too_many_programs() {
  if (programs_ <= runtime::Claims::most_programs)
    return;
  if (const auto site = std::ranges::find(code_.sites, Site::Kind::claim, &Site::kind); site != code_.sites.end()) {
    messages_.refuse_claims(site - code_.sites.begin(), 0);
    messages_.throw_if_failed();
  }
}

void Speech::make_records(cuda::Stream stream, Ring* ring) {
  refuse_too_many_programs();
  const std::size_t capacity = ring ? message_capacity(code_, programs_) : 0;
  if (ring)
    records_ = ring->take(capacity);
  else
    header_.emplace_back(pool_, stream, sizeof(GpuMessagesHeader));
  if (ring && !records_)
    throw Error("tegula: there are no " + std::to_string(sizeof(GpuMessagesHeader) + capacity) +
                " bytes of pinned memory for what kernel '" + kernel_ + "' says on device '" + context_.name() +
                "'; set TEGULA_MESSAGE_BYTES to less");
  if (!ring && header_[0].address() == 0)
    throw Error("tegula: device '" + context_.name() + "' has no memory for what kernel '" + kernel_ + "' says; free tensors");
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
  const GpuMessagesHeader& header = records_.header();
  const std::size_t capacity = records_.capacity();
  records_.set_known(true);
  read_messages(kernel_, code_, records_.records(), messages_);
  const bool lost = header.used > capacity;
  if (lost && header.failure != 0)
    read_failure(GpuFailure::of(header.failure));
  else if (lost)
    std::fprintf(stderr, "tegula: %s\n", lost_messages_text(kernel_, capacity).c_str());
  else if (header.failure != 0 && !messages_.failed())
    throw LaunchError("kernel '" + kernel_ + "' failed and did not say why");
}

/// Its record may be lost. Of two programs that write one element it is only one, so any record of such says more.
void Speech::read_failure(const GpuFailure& failure) {
  if (failure.site >= code_.sites.size())
    throw InternalError("kernel '" + kernel_ + "' failed at site " + std::to_string(failure.site) + ", which it does not have");
  if (code_.sites[failure.site].kind != Site::Kind::claim || !messages_.failed())
    messages_.fail_without_values(static_cast<std::int64_t>(failure.site), static_cast<std::int64_t>(failure.program),
                                  "its values are lost: " + lost_messages_text(kernel_, records_.capacity()));
}

void Speech::check_covered(std::size_t number) {
  if (messages_.failed() || owners_[number].address() == 0)
    return;
  const std::vector<std::int64_t>& extents = claimed_[number];
  std::vector<std::uint32_t> owners(runtime::element_count(extents));
  const auto purpose = [this] { return purpose_; };
  context_.call(context_.driver().cuMemcpyDtoHAsync_v2, purpose, static_cast<void*>(owners.data()), owners_[number].address(),
                owners.size() * sizeof(std::uint32_t), context_.reading());
  context_.wait(purpose, context_.reading());
  if (const auto nobody = std::ranges::find(owners, 0u); nobody != owners.end())
    messages_.uncovered(code_.claimed[number], runtime::element_at(extents, static_cast<std::size_t>(nobody - owners.begin())));
}

} // namespace tegula::gpu
