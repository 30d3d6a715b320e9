// A compiler for tests of the run time alone: "compiled" programs are C++ functions, found by the kernel's name. Kernels that
// record the same share their code on one device: tests that must not share it use a device of their own.
#pragma once
#include "lib/compile/Compile.h"

#include <string>
#include <vector>

namespace fake {

/// What compile_for_cpu returns for kernels of this name.
void define(const std::string& kernel, tegula::CpuKernel::Entry, std::vector<tegula::Site> = {}, std::size_t scratch_bytes = 0);

/// The specialisations that were compiled for kernels of this name, oldest first.
std::vector<tegula::Specialisation> compiled(const std::string& kernel);

/// The next compilations of this kernel throw, so many times.
void fail(const std::string& kernel, int times);

} // namespace fake
