// What the programs of one launch say, and what becomes of it.
#pragma once
#include "lib/runtime/Fault.h"
#include "lib/runtime/Messages.h"
#include "lib/runtime/gpu/Launch.h"
#include "lib/runtime/gpu/Pool.h"

namespace tegula::gpu {

/// Holds the device memory in which programs leave records, and who writes which element, until somebody listens.
class Report {
public:
  /// In the order of the stream. Throws an Error if there is no memory, and a LaunchError if there are too many programs to listen
  /// to.
  /// `claimed` are the extents of the views of GpuKernel::claimed.
  Report(const Context&, Pool&, cuda::Stream, const Launch&, std::shared_ptr<const LoadedKernel>,
         std::vector<std::vector<std::int64_t>> claimed, std::shared_ptr<host::Fault>);

  std::int64_t records() const;
  std::vector<std::int64_t> owners() const;

  u64 number() const noexcept { return fault_->ticket.number; }
  /// When the launch is done: prints what programs print, and closes the fault.
  void listen() noexcept;

  /// Launches, waits and listens in one; for tests of code alone.
  static void run(const Context&, Pool&, const Launch&, std::shared_ptr<const LoadedKernel>,
                  std::vector<std::vector<std::int64_t>> claimed);

private:
  void zero(cuda::Address, std::size_t bytes);
  void download(void* to, cuda::Address from, std::size_t bytes);
  void prepare_records(Pool&);
  void prepare_owners(Pool&, std::size_t number);
  void read();
  void read_records();
  void check_covered(std::size_t number);

  const Context& context_;
  cuda::Stream stream_;
  std::string kernel_;
  std::string purpose_;
  std::shared_ptr<const LoadedKernel> loaded_; // stays on the device
  const GpuKernel& code_;
  std::int64_t programs_;
  std::vector<std::vector<std::int64_t>> claimed_;
  runtime::LaunchMessages messages_;
  std::shared_ptr<host::Fault> fault_;
  std::size_t capacity_ = 0;
  std::vector<Block> records_; // one or none
  std::vector<Block> owners_;
};

} // namespace tegula::gpu
