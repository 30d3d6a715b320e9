#include "lib/runtime/KernelState.h"
#include "lib/prove/ProofLog.h"
#include "lib/runtime/Inspect.h"
#include "lib/runtime/Replay.h"
#include "lib/trace/Recorder.h"
#include "tegula/error.hpp"
#include "tegula/host/proof.hpp"

#include <chrono>
#include <cstdlib>

namespace tegula {
namespace host {
namespace {

void append_location(std::string& to, const trace::Location& location) {
  to += '@' + location.file + ':' + std::to_string(location.line) + ':' + std::to_string(location.column);
}

/// Equal kernels share their code, but not if they would report other source lines.
void append_message_locations(std::string& to, const trace::Region& region) {
  for (const trace::Operation& operation : region.operations) {
    if (operation.name == "tile.print" || operation.name == "tile.assert" || operation.name == "tile.extract" ||
        operation.name == "tile.insert")
      append_location(to, operation.location);
    for (const trace::Region& inner : operation.regions)
      append_message_locations(to, inner);
  }
}

/// What could not be proved is checked, and then says where it stands.
void append_checked_locations(std::string& to, const Proof& proof) {
  for (const Obligation& obligation : proof.obligations)
    if (obligation.rung == Rung::checked) {
      append_location(to, obligation.location);
      append_location(to, obligation.other);
    }
}

Stride stride_of(const ViewData& view, std::size_t axis, std::size_t rank) {
  if (view.extents[axis] == 1) // never stepped along
    return axis + 1 == rank ? Stride::one : Stride::any;
  return view.strides[axis] == 1 ? Stride::one : view.strides[axis] == 0 ? Stride::zero : Stride::any;
}

} // namespace

KernelState::KernelState(const KernelSource& source)
    : name(source.name), location(source.location), declarations(source.declarations), parameters(source.parameters),
      body(source.body), callable(source.callable), hints(source.hints) {}

const trace::Record& KernelState::record() {
  if (traced_.load(std::memory_order_acquire))
    return *record_;
  std::lock_guard lock(tracing_);
  if (!traced_.load(std::memory_order_relaxed)) {
    const auto start = std::chrono::steady_clock::now();
    trace::Record record = trace::record(name.c_str(), location, declarations, parameters, body, callable);
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
    identity_ = std::to_string(record.fingerprint());
    append_message_locations(identity_, record.body);
    record_ = std::move(record);
    {
      std::lock_guard timing(mutex_);
      timings_.trace_ms = took.count();
    }
    traced_.store(true, std::memory_order_release);
  }
  return *record_;
}

const Proof& KernelState::proof() {
  if (proved_.load(std::memory_order_acquire))
    return *proof_;
  std::lock_guard lock(tracing_);
  if (!proved_.load(std::memory_order_relaxed)) {
    const char* checks = std::getenv("TEGULA_CHECKS");
    const bool everything = checks && std::string_view(checks) == "everything";
    Proof proof = prove_kernel(record(), {.strict = hints.strict && !everything, .suppress = everything});
    append_checked_locations(identity_, proof);
    if (everything) {
      identity_ += "|checks everything";
      checks_ = Checks::everything;
    }
    log_proof(proof);
    if (proof.witness && names_a_file("TEGULA_REPLAY"))
      append_to_named_file("TEGULA_REPLAY", proof.refutation + "\n" + replay(record(), *proof.witness).text);
    proof_ = std::move(proof);
    proved_.store(true, std::memory_order_release);
  }
  return *proof_;
}

Specialisation specialisation_of(const trace::Record& record, const Argument* arguments, int n) {
  Specialisation specialisation(static_cast<std::size_t>(n));
  for (std::size_t i = 0; i < specialisation.size(); ++i) {
    const trace::Parameter& parameter = record.parameters[i];
    const std::size_t rank = parameter.is_view ? parameter.type.shape.size() : 0;
    for (std::size_t axis = 0; axis < rank; ++axis)
      specialisation[i].push_back(stride_of(arguments[i].view, axis, rank));
  }
  return specialisation;
}

std::shared_ptr<const CpuKernel> KernelState::specialised(runtime::KernelCache& cache, const Argument* arguments, int n) {
  proof(); // completes the identity
  const trace::Record& traced = record();
  std::string strides;
  for (int i = 0; i < n; ++i) {
    const trace::Parameter& parameter = traced.parameters[static_cast<std::size_t>(i)];
    const std::size_t rank = parameter.is_view ? parameter.type.shape.size() : 0;
    for (std::size_t axis = 0; axis < rank; ++axis)
      strides += static_cast<char>(stride_of(arguments[i].view, axis, rank));
  }
  {
    std::lock_guard lock(mutex_);
    for (const Variant& variant : variants_)
      if (variant.cache == cache.id() && variant.strides == strides)
        return variant.kernel;
  }
  std::shared_ptr<const CpuKernel> kernel = cache.get(identity_, traced, specialisation_of(traced, arguments, n), checks_);
  std::lock_guard lock(mutex_);
  for (const Variant& variant : variants_)
    if (variant.cache == cache.id() && variant.strides == strides)
      return kernel;
  variants_.push_back({cache.id(), strides, kernel});
  timings_.compile_ms += kernel->compile_ms;
  ++timings_.specialisations;
  return kernel;
}

Timings KernelState::timings() {
  std::lock_guard lock(mutex_);
  return timings_;
}

KernelState* make_kernel(const KernelSource& source) { return new KernelState(source); }
void retain(KernelState* kernel) noexcept { kernel->owners.fetch_add(1, std::memory_order_relaxed); }
void release(KernelState* kernel) noexcept {
  if (kernel->owners.fetch_sub(1, std::memory_order_acq_rel) == 1)
    delete kernel;
}

} // namespace host

void prove(const AnyKernel& kernel) {
  if (const Proof& proof = kernel.state()->proof(); proof.refuted())
    throw ProofError(proof.refutation);
}
std::string proof_text(const AnyKernel& kernel) { return kernel.state()->proof().text(); }
std::string proof_json(const AnyKernel& kernel) { return kernel.state()->proof().json(); }

const char* AnyKernel::name() const noexcept { return state_->name.c_str(); }
const Hints& AnyKernel::hints() const noexcept { return state_->hints; }
Timings AnyKernel::timings() const { return state_->timings(); }

const trace::Record& trace_of(const AnyKernel& kernel) { return kernel.state()->record(); }
const Proof& proof_of(const AnyKernel& kernel) { return kernel.state()->proof(); }

Specialisation row_major(const trace::Record& record) {
  Specialisation specialisation;
  for (const trace::Parameter& parameter : record.parameters) {
    std::vector<Stride> strides(parameter.is_view ? parameter.type.shape.size() : 0, Stride::any);
    if (!strides.empty())
      strides.back() = Stride::one;
    specialisation.push_back(std::move(strides));
  }
  return specialisation;
}

} // namespace tegula
