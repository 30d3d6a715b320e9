// A compiler for tests of the run time alone: "compiled" programs are C++ functions, found by the kernel's name. Kernels that
// record the same share their code on one device: tests that must not share it use a device of their own.
#pragma once
#include "lib/compile/Compile.h"

#include <string>
#include <vector>

namespace fake {

/// What compile_for_cpu returns for kernels of this name.
void define(const std::string& kernel, tegula::CpuKernel::Entry, std::vector<tegula::Site> = {}, std::size_t scratch_bytes = 0);

/// What compile_for_gpu returns for kernels of this name.
void define_gpu(const std::string& kernel, tegula::GpuKernel);

/// The options of the last compilation for a GPU.
tegula::GpuOptions gpu_options();

/// The programs of this kernel claim what they write to these parameters, and all of these must be claimed.
void check_claims(const std::string& kernel, std::vector<int> claimed, std::vector<int> covered);

/// What prove_kernel returns for kernels of this name. Without it, an empty proof.
void prove(const std::string& kernel, tegula::Proof);

/// The options of the last proof.
tegula::ProveOptions prove_options();

/// The specialisations that were compiled for kernels of this name, oldest first.
std::vector<tegula::Specialisation> compiled(const std::string& kernel);

/// How often kernels of this name were proved since they were defined.
int proved(const std::string& kernel);

/// The next compilations of this kernel throw, so many times.
void fail(const std::string& kernel, int times);

} // namespace fake
