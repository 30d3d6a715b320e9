// The kernels of the examples, as objects to look into.
#pragma once
#include "kernels/registry.hpp"

#include <span>

namespace tegula::test {

std::span<const kernels::Entry> example_kernels();

} // namespace tegula::test
