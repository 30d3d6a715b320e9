// What special registers hold.
#include "tools/ptxemu/Block.h"

namespace ptxemu {

std::uint64_t special_value(const Warp& warp, Special special, int lane) {
  const Launch& launch = warp.block.launch;
  auto thread = static_cast<std::uint32_t>(warp.thread(lane));
  std::uint64_t number = warp.block.number;
  std::uint32_t bit = 1U << lane;
  switch (special) {
  case Special::tid_x:
    return thread % launch.block[0];
  case Special::tid_y:
    return thread / launch.block[0] % launch.block[1];
  case Special::tid_z:
    return thread / launch.block[0] / launch.block[1];
  case Special::ntid_x:
  case Special::ntid_y:
  case Special::ntid_z:
    return launch.block[static_cast<int>(special) - static_cast<int>(Special::ntid_x)];
  case Special::ctaid_x:
    return number % launch.grid[0];
  case Special::ctaid_y:
    return number / launch.grid[0] % launch.grid[1];
  case Special::ctaid_z:
    return number / launch.grid[0] / launch.grid[1];
  case Special::nctaid_x:
  case Special::nctaid_y:
  case Special::nctaid_z:
    return launch.grid[static_cast<int>(special) - static_cast<int>(Special::nctaid_x)];
  case Special::laneid:
    return static_cast<std::uint64_t>(lane);
  case Special::warpid:
    return static_cast<std::uint64_t>(warp.index);
  case Special::nwarpid:
    return 64;
  case Special::lanemask_eq:
    return bit;
  case Special::lanemask_le:
    return bit | (bit - 1);
  case Special::lanemask_lt:
    return bit - 1;
  case Special::lanemask_ge:
    return ~(bit - 1);
  case Special::lanemask_gt:
    return ~(bit | (bit - 1));
  case Special::smid:
    return number % launch.options.resident_blocks;
  case Special::nsmid:
    return launch.options.resident_blocks;
  case Special::dynamic_smem_size:
    return launch.dynamic_shared;
  case Special::total_smem_size:
    return warp.block.shared.bytes();
  case Special::cluster_nctarank:
    return 1;
  case Special::gridid:
  case Special::cluster_ctarank:
    return 0;
  }
  return 0;
}

} // namespace ptxemu
