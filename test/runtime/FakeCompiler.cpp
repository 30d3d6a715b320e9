#include "FakeCompiler.h"
#include "tegula/error.hpp"

#include <chrono>
#include <map>
#include <mutex>
#include <thread>

namespace {

struct Definition {
  tegula::CpuKernel kernel;
  tegula::GpuKernel gpu_kernel;
  std::vector<tegula::Specialisation> compiled;
  int proved = 0;
  int failures = 0;
};

// Never destroyed: a kernel may be compiled while the program ends.
std::mutex& mutex = *new std::mutex;
std::map<std::string, Definition>& definitions = *new std::map<std::string, Definition>;
std::map<std::string, tegula::Proof>& proofs = *new std::map<std::string, tegula::Proof>;
tegula::ProveOptions& last_options = *new tegula::ProveOptions;
tegula::GpuOptions& last_gpu_options = *new tegula::GpuOptions;

/// Throws if the test asked for it.
Definition& start_compiling(const std::string& kernel, const tegula::Specialisation& specialisation) {
  Definition& definition = definitions.at(kernel);
  if (definition.failures > 0) {
    --definition.failures;
    throw tegula::InternalError("the compiler failed");
  }
  definition.compiled.push_back(specialisation);
  return definition;
}

} // namespace

namespace fake {

void define(const std::string& kernel, tegula::CpuKernel::Entry entry, std::vector<tegula::Site> sites, std::size_t scratch_bytes) {
  std::lock_guard lock(mutex);
  Definition& definition = definitions[kernel] = {};
  definition.kernel.entry = entry;
  definition.kernel.sites = std::move(sites);
  definition.kernel.scratch_bytes = scratch_bytes;
}

void define_gpu(const std::string& kernel, tegula::GpuKernel code) {
  std::lock_guard lock(mutex);
  definitions[kernel] = {};
  definitions[kernel].gpu_kernel = std::move(code);
}

tegula::GpuOptions gpu_options() {
  std::lock_guard lock(mutex);
  return last_gpu_options;
}

void check_claims(const std::string& kernel, std::vector<int> claimed, std::vector<int> covered) {
  std::lock_guard lock(mutex);
  definitions[kernel].kernel.claimed = std::move(claimed);
  definitions[kernel].kernel.covered_checked = std::move(covered);
}

void prove(const std::string& kernel, tegula::Proof proof) {
  std::lock_guard lock(mutex);
  proofs[kernel] = std::move(proof);
}

tegula::ProveOptions prove_options() {
  std::lock_guard lock(mutex);
  return last_options;
}

std::vector<tegula::Specialisation> compiled(const std::string& kernel) {
  std::lock_guard lock(mutex);
  return definitions[kernel].compiled;
}

int proved(const std::string& kernel) {
  std::lock_guard lock(mutex);
  return definitions[kernel].proved;
}

void fail(const std::string& kernel, int times) {
  std::lock_guard lock(mutex);
  definitions[kernel].failures = times;
}

} // namespace fake

namespace tegula {

class KernelIr {
public:
  const std::string name;
};

Proved prove_kernel(const trace::Record& record, const ProveOptions& options) {
  std::lock_guard lock(mutex);
  last_options = options;
  ++definitions[record.name].proved;
  if (options.observer)
    options.observer("tile", record.str());
  Proof proof = proofs[record.name];
  proof.kernel = record.name;
  proof.location = record.location;
  return {std::move(proof), import_kernel(record)};
}

std::shared_ptr<const KernelIr> import_kernel(const trace::Record& record) {
  return std::make_shared<const KernelIr>(KernelIr{record.name});
}

std::shared_ptr<const CpuKernel> compile_for_cpu(const KernelIr& ir, const Specialisation& specialisation,
                                                 const CompileOptions& options) {
  std::this_thread::sleep_for(std::chrono::milliseconds(2)); // long enough for two threads to meet
  std::lock_guard lock(mutex);
  auto kernel = std::make_shared<CpuKernel>(start_compiling(ir.name, specialisation).kernel);
  kernel->compile_ms = 2;
  if (options.observer) {
    options.observer("asm", "code of " + ir.name);
    options.observer("plan", "scratch: " + std::to_string(kernel->scratch_bytes) + "\n");
  }
  return kernel;
}

std::shared_ptr<const GpuKernel> compile_for_gpu(const KernelIr& ir, const Specialisation& specialisation,
                                                 const GpuOptions& options) {
  std::lock_guard lock(mutex);
  last_gpu_options = options;
  return std::make_shared<GpuKernel>(start_compiling(ir.name, specialisation).gpu_kernel);
}

} // namespace tegula
