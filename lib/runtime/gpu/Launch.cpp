#include "lib/runtime/gpu/Launch.h"
#include "lib/compile/GpuMessages.h"
#include "lib/runtime/gpu/MessageReader.h"
#include "lib/runtime/gpu/TensorMaps.h"
#include "tegula/error.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdio>

namespace tegula::gpu {
namespace {

auto purpose_of(const Launch& launch) {
  return [&launch] {
    const GpuKernel& code = launch.code.code();
    return "kernel '" + launch.kernel + "' (" + std::to_string(launch.programs) + " programs of " + std::to_string(code.threads) +
           " threads, " + std::to_string(code.shared_bytes) + " bytes of shared memory each)";
  };
}

/// Device memory for what the programs of one launch say. Nothing is allocated for a kernel that does not speak.
class Reports {
public:
  Reports(const Context& context, Pool& pool, const Launch& launch)
      : context_(context), launch_(launch), code_(launch.code.code()), messages_(launch.kernel.c_str(), code_.sites) {
    if (!code_.sites.empty())
      prepare_records(pool);
    for (std::size_t i = 0; i < code_.claimed.size(); ++i)
      prepare_owners(pool, i);
  }
  std::int64_t records() const { return static_cast<std::int64_t>(records_.empty() ? context_.silence() : records_[0].address()); }
  std::vector<std::int64_t> owners() const {
    std::vector<std::int64_t> addresses;
    for (const Block& block : owners_)
      addresses.push_back(static_cast<std::int64_t>(block.address()));
    return addresses;
  }

  /// After the launch.
  void read() {
    if (!records_.empty())
      read_records();
    for (std::size_t i = 0; i < code_.claimed.size(); ++i)
      if (std::ranges::find(code_.covered_checked, code_.claimed[i]) != code_.covered_checked.end())
        check_covered(i);
    messages_.throw_if_failed();
  }

private:
  void zero(cuda::Address address, std::size_t bytes) {
    context_.call(context_.driver().cuMemsetD8Async, purpose_of(launch_), address, static_cast<unsigned char>(0), bytes,
                  context_.stream());
  }
  void download(void* to, cuda::Address from, std::size_t bytes) {
    context_.call(context_.driver().cuMemcpyDtoHAsync_v2, purpose_of(launch_), to, from, bytes, context_.stream());
    context_.wait(purpose_of(launch_));
  }

  void prepare_records(Pool& pool) {
    if (launch_.programs > runtime::Claims::most_programs)
      if (const auto site = std::ranges::find(code_.sites, Site::Kind::claim, &Site::kind); site != code_.sites.end()) {
        messages_.refuse_claims(site - code_.sites.begin(), 0);
        messages_.throw_if_failed();
      }
    capacity_ = message_capacity(code_, launch_.programs);
    const std::size_t bytes = sizeof(GpuMessagesHeader) + capacity_;
    const cuda::Address address = records_.emplace_back(pool, bytes).address();
    if (address == 0)
      throw Error("tegula: device '" + context_.name() + "' has no memory for " + std::to_string(bytes) +
                  " bytes of messages from kernel '" + launch_.kernel + "'; free tensors, or set TEGULA_MESSAGE_BYTES to less");
    zero(address, bytes);
    context_.call(context_.driver().cuMemsetD32Async, purpose_of(launch_), address + offsetof(GpuMessagesHeader, capacity),
                  static_cast<unsigned>(capacity_), std::size_t{1}, context_.stream()); // it fits 32 bits
  }

  void prepare_owners(Pool& pool, std::size_t number) {
    const std::size_t elements = runtime::element_count(launch_.claimed[number]);
    const cuda::Address address = owners_.emplace_back(pool, elements * sizeof(std::uint32_t)).address();
    if (address == 0 && elements != 0)
      throw Error("tegula: kernel '" + launch_.kernel + "': device '" + context_.name() + "' has no memory to check who writes " +
                  "parameter " + std::to_string(code_.claimed[number] + 1) + ", which takes 4 bytes for each of its " +
                  std::to_string(elements) + " elements");
    if (elements != 0)
      zero(address, elements * sizeof(std::uint32_t));
  }

  void read_records() {
    GpuMessagesHeader header;
    download(&header, records_[0].address(), sizeof header);
    std::vector<std::byte> records(std::min<std::size_t>(header.used, capacity_));
    if (!records.empty())
      download(records.data(), records_[0].address() + sizeof header, records.size());
    read_messages(launch_.kernel, code_, records, messages_);
    const bool lost = header.used > capacity_;
    if (header.failed && !messages_.failed())
      throw LaunchError(lost ? lost_messages_text(launch_.kernel, capacity_) + ": a program failed"
                             : "kernel '" + launch_.kernel + "' failed and did not say why");
    if (lost && !messages_.failed())
      std::fprintf(stderr, "tegula: %s\n", lost_messages_text(launch_.kernel, capacity_).c_str());
  }

  void check_covered(std::size_t number) {
    if (messages_.failed() || owners_[number].address() == 0)
      return;
    const std::vector<std::int64_t>& extents = launch_.claimed[number];
    std::vector<std::uint32_t> owners(runtime::element_count(extents));
    download(owners.data(), owners_[number].address(), owners.size() * sizeof(std::uint32_t));
    if (const auto nobody = std::ranges::find(owners, 0u); nobody != owners.end())
      messages_.uncovered(code_.claimed[number], runtime::element_at(extents, static_cast<std::size_t>(nobody - owners.begin())));
  }

  const Context& context_;
  const Launch& launch_;
  const GpuKernel& code_;
  runtime::LaunchMessages messages_;
  std::size_t capacity_ = 0;
  std::vector<Block> records_; // one or none
  std::vector<Block> owners_;
};

void start(const Context& context, const Launch& launch, std::int64_t records, const std::vector<std::int64_t>& owners) {
  std::vector<std::int64_t> words = launch.words;
  const std::size_t first = words.size();
  words.insert(words.end(), {0, launch.programs, records});
  words.insert(words.end(), owners.begin(), owners.end());
  std::vector<void*> parameters;
  parameters.reserve(words.size());
  for (std::int64_t& word : words)
    parameters.push_back(&word);
  const GpuKernel& code = launch.code.code();
  std::vector<EncodedMap> maps = encode_maps(context, code, words, purpose_of(launch));
  for (EncodedMap& map : maps)
    parameters.push_back(&map);
  for (; words[first] < launch.programs; words[first] += launch.grid) {
    const auto blocks = static_cast<unsigned>(std::min(launch.grid, launch.programs - words[first]));
    context.call(context.driver().cuLaunchKernel, purpose_of(launch), launch.code.entry(), blocks, 1u, 1u,
                 static_cast<unsigned>(code.threads), 1u, 1u, static_cast<unsigned>(code.shared_bytes), context.stream(),
                 parameters.data(), nullptr);
  }
}

} // namespace

void enqueue(const Context& context, const Launch& launch) {
  if (launch.code.speaks())
    throw LaunchError("kernel '" + launch.kernel +
                      "' may print or fail, so it must be waited for: launch it with sync(), and not in a graph");
  Context::Use use(context);
  start(context, launch, static_cast<std::int64_t>(context.silence()), {});
}

void run(const Context& context, Pool& pool, const Launch& launch) {
  Context::Use use(context);
  Reports reports(context, pool, launch);
  start(context, launch, reports.records(), reports.owners());
  context.wait(purpose_of(launch));
  reports.read();
}

} // namespace tegula::gpu
