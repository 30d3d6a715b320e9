#pragma once

namespace ptxemu::driver {

// Results of the driver's functions: the numbers of the CUDA driver's interface.
enum Result : int {
  success = 0,
  invalid_value = 1,
  out_of_memory = 2,
  not_initialised = 3,
  invalid_device = 101,
  invalid_image = 200,
  invalid_context = 201,
  no_binary = 209,
  invalid_ptx = 218,
  invalid_handle = 400,
  not_found = 500,
  not_ready = 600,
  illegal_address = 700,
  out_of_resources = 701,
  timeout = 702,
  misaligned_address = 716,
  launch_failed = 719,
  not_supported = 801
};

} // namespace ptxemu::driver
