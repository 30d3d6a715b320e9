#include "FakeCompiler.h"
#include "tegula/error.hpp"

#include <chrono>
#include <map>
#include <mutex>
#include <thread>

namespace {

struct Definition {
  tegula::CpuKernel kernel;
  std::vector<tegula::Specialisation> compiled;
  int failures = 0;
};

std::mutex mutex;
std::map<std::string, Definition> definitions;

} // namespace

namespace fake {

void define(const std::string& kernel, tegula::CpuKernel::Entry entry, std::vector<tegula::Site> sites, std::size_t scratch_bytes) {
  std::lock_guard lock(mutex);
  Definition& definition = definitions[kernel] = {};
  definition.kernel.entry = entry;
  definition.kernel.sites = std::move(sites);
  definition.kernel.scratch_bytes = scratch_bytes;
}

std::vector<tegula::Specialisation> compiled(const std::string& kernel) {
  std::lock_guard lock(mutex);
  return definitions[kernel].compiled;
}

void fail(const std::string& kernel, int times) {
  std::lock_guard lock(mutex);
  definitions[kernel].failures = times;
}

} // namespace fake

namespace tegula {

std::shared_ptr<const CpuKernel> compile_for_cpu(const trace::Record& record, const Specialisation& specialisation,
                                                 const CompileOptions&) {
  std::this_thread::sleep_for(std::chrono::milliseconds(2)); // long enough for two threads to meet
  std::lock_guard lock(mutex);
  Definition& definition = definitions.at(record.name);
  if (definition.failures > 0) {
    --definition.failures;
    throw InternalError("the compiler failed");
  }
  definition.compiled.push_back(specialisation);
  auto kernel = std::make_shared<CpuKernel>(definition.kernel);
  kernel->compile_ms = 2;
  return kernel;
}

} // namespace tegula
