// What the programs of one launch say.
#pragma once
#include "lib/runtime/KernelState.h"
#include "lib/runtime/Messages.h"
#include "lib/runtime/Transfer.h"
#include "lib/runtime/gpu/Launch.h"
#include "lib/runtime/gpu/Pool.h"
#include "lib/runtime/gpu/Ring.h"

#include <memory>

namespace tegula::gpu {

/// The extents of the views that a launch claims elements of.
std::vector<std::vector<std::int64_t>> claimed_extents(const GpuKernel&, const trace::Record&, const host::Argument*);

/// Holds the memory in which programs leave records, and who writes which element, until it is read.
class Speech {
public:
  /// In the order of the stream. Throws an Error if there is no memory, and a LaunchError if there are too many programs to listen
  /// to. `claimed`: see claimed_extents(). Without a ring, of a launch in a graph: each replay then has another().
  Speech(const Context&, Pool&, cuda::Stream, Ring*, const Launch&, std::shared_ptr<const LoadedKernel>,
         std::vector<std::vector<std::int64_t>> claimed);

  std::size_t bytes() const noexcept; // that it keeps, of the host's memory and of the device's
  std::int64_t records() const;
  std::vector<std::int64_t> owners() const;
  /// How the memory is prepared for a launch.
  std::vector<host::Transfer> preparations() const;
  /// For a replay.
  std::unique_ptr<Speech> another(cuda::Stream, Ring&) const;
  /// The launch in the graph speaks to this one from now on. In the order of the stream.
  void listen_to(const Speech& launch, cuda::Stream);
  /// Takes over what was said. In the order of the stream.
  void copy_from(const Speech& launch, cuda::Stream) const;

  /// When the launch is done: prints what programs print, and throws a LaunchError if one failed.
  void read();

private:
  Speech(const Speech& other, cuda::Stream, Ring&);
  void make_memory(cuda::Stream, Ring*);
  void make_records(cuda::Stream, Ring*);
  void refuse_too_many_programs();
  void make_owners(cuda::Stream, std::size_t number);
  void read_records();
  void read_failure(const GpuFailure&);
  void check_covered(std::size_t number);
  std::size_t owners_bytes(std::size_t number) const;

  const Context& context_;
  Pool& pool_;
  std::string kernel_;
  std::string purpose_;
  std::shared_ptr<const LoadedKernel> loaded_; // stays on the device
  const GpuKernel& code_;
  std::int64_t programs_;
  std::vector<std::vector<std::int64_t>> claimed_; // extents
  runtime::LaunchMessages messages_;
  Ring::Piece records_;
  std::vector<Block> header_; // one or none: of a launch in a graph
  std::vector<Block> owners_;
};

} // namespace tegula::gpu
