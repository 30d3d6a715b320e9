#include "lib/runtime/gpu/Report.h"
#include "lib/compile/GpuMessages.h"
#include "lib/runtime/gpu/MessageReader.h"
#include "tegula/error.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdio>

namespace tegula::gpu {

Report::Report(const Context& context, Pool& pool, cuda::Stream stream, const Launch& launch,
               std::shared_ptr<const LoadedKernel> loaded, std::vector<std::vector<std::int64_t>> claimed,
               std::shared_ptr<host::Fault> fault)
    : context_(context), stream_(stream), kernel_(launch.kernel), purpose_(launch.purpose()), loaded_(std::move(loaded)),
      code_(loaded_->code()), programs_(launch.programs), claimed_(std::move(claimed)), messages_(kernel_, code_.sites),
      fault_(std::move(fault)) {
  if (!code_.sites.empty())
    prepare_records(pool);
  for (std::size_t i = 0; i < code_.claimed.size(); ++i)
    prepare_owners(pool, i);
}

std::int64_t Report::records() const {
  return static_cast<std::int64_t>(records_.empty() ? context_.silence() : records_[0].address());
}

std::vector<std::int64_t> Report::owners() const {
  std::vector<std::int64_t> addresses;
  for (const Block& block : owners_)
    addresses.push_back(static_cast<std::int64_t>(block.address()));
  return addresses;
}

void Report::listen() noexcept {
  try {
    if (fault_->inherit())
      return;
    Context::Use use(context_);
    read();
    fault_->succeed();
  } catch (...) {
    fault_->fail(std::current_exception());
  }
}

void Report::run(const Context& context, Pool& pool, const Launch& launch, std::shared_ptr<const LoadedKernel> loaded,
                 std::vector<std::vector<std::int64_t>> claimed) {
  Context::Use use(context);
  Report report(context, pool, context.stream(), launch, std::move(loaded), std::move(claimed), nullptr);
  start(context, context.stream(), launch, report.records(), report.owners());
  context.wait([&] { return launch.purpose(); }, context.stream());
  report.read();
}

void Report::read() {
  if (!records_.empty())
    read_records();
  for (std::size_t i = 0; i < code_.claimed.size(); ++i)
    if (std::ranges::find(code_.covered_checked, code_.claimed[i]) != code_.covered_checked.end())
      check_covered(i);
  messages_.throw_if_failed();
}

void Report::zero(cuda::Address address, std::size_t bytes) {
  context_.call(
      context_.driver().cuMemsetD8Async, [this] { return purpose_; }, address, static_cast<unsigned char>(0), bytes, stream_);
}

void Report::download(void* to, cuda::Address from, std::size_t bytes) {
  context_.call(context_.driver().cuMemcpyDtoHAsync_v2, [this] { return purpose_; }, to, from, bytes, context_.reading());
  context_.wait([this] { return purpose_; }, context_.reading());
}

void Report::prepare_records(Pool& pool) {
  if (programs_ > runtime::Claims::most_programs)
    if (const auto site = std::ranges::find(code_.sites, Site::Kind::claim, &Site::kind); site != code_.sites.end()) {
      messages_.refuse_claims(site - code_.sites.begin(), 0);
      messages_.throw_if_failed();
    }
  capacity_ = message_capacity(code_, programs_);
  const std::size_t bytes = sizeof(GpuMessagesHeader) + capacity_;
  const cuda::Address address = records_.emplace_back(pool, stream_, bytes).address();
  if (address == 0)
    throw Error("tegula: device '" + context_.name() + "' has no memory for " + std::to_string(bytes) +
                " bytes of messages from kernel '" + kernel_ + "'; free tensors, or set TEGULA_MESSAGE_BYTES to less");
  zero(address, bytes);
  context_.call(
      context_.driver().cuMemsetD32Async, [this] { return purpose_; }, address + offsetof(GpuMessagesHeader, capacity),
      static_cast<unsigned>(capacity_), std::size_t{1}, stream_); // it fits 32 bits
}

void Report::prepare_owners(Pool& pool, std::size_t number) {
  const std::size_t elements = runtime::element_count(claimed_[number]);
  const cuda::Address address = owners_.emplace_back(pool, stream_, elements * sizeof(std::uint32_t)).address();
  if (address == 0 && elements != 0)
    throw Error("tegula: kernel '" + kernel_ + "': device '" + context_.name() + "' has no memory to check who writes " +
                "parameter " + std::to_string(code_.claimed[number] + 1) + ", which takes 4 bytes for each of its " +
                std::to_string(elements) + " elements");
  if (elements != 0)
    zero(address, elements * sizeof(std::uint32_t));
}

void Report::read_records() {
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

void Report::check_covered(std::size_t number) {
  if (messages_.failed() || owners_[number].address() == 0)
    return;
  const std::vector<std::int64_t>& extents = claimed_[number];
  std::vector<std::uint32_t> owners(runtime::element_count(extents));
  download(owners.data(), owners_[number].address(), owners.size() * sizeof(std::uint32_t));
  if (const auto nobody = std::ranges::find(owners, 0u); nobody != owners.end())
    messages_.uncovered(code_.claimed[number], runtime::element_at(extents, static_cast<std::size_t>(nobody - owners.begin())));
}

} // namespace tegula::gpu
