#include "kernels.hpp"

tegula::Device queues::open(std::size_t) { return tegula::Device::best(); }
