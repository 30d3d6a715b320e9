#include "lib/runtime/KernelState.h"
#include "lib/prove/ProofLog.h"
#include "lib/runtime/Environment.h"
#include "lib/runtime/Fork.h"
#include "lib/runtime/Inspect.h"
#include "lib/runtime/Replay.h"
#include "lib/trace/Recorder.h"
#include "tegula/error.hpp"
#include "tegula/host/proof.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <set>

#include <pthread.h>

namespace tegula {
namespace host {
namespace {

std::string checked_name(const KernelSource& source) {
  if (source.name.empty())
    throw TraceError(std::string(source.location.file_name()) + ":" + std::to_string(source.location.line()) +
                     ": a kernel has no name; give it one: kernel<f>(\"name\")");
  return std::string(source.name);
}

/// What could not be proved is checked, and then says where it stands.
trace::Places reported_places(const Proof& proof) {
  const bool is_checked =
      std::ranges::any_of(proof.obligations, [](const Obligation& obligation) { return obligation.rung == Rung::checked; });
  return is_checked ? trace::Places::all : trace::Places::spoken;
}

std::vector<bool> decisive_scalars_of(const Proof& proof, std::size_t parameters) {
  std::vector<bool> decisive(parameters);
  for (const LaunchCondition& condition : proof.conditions)
    for (const Inequality& inequality : condition.any_of)
      for (const auto& [factor, number] : inequality.sum)
        for (const Uniform::Node& node : number.nodes)
          if (node.op == Uniform::Op::scalar)
            decisive[static_cast<std::size_t>(node.parameter)] = true;
  return decisive;
}

std::vector<ParameterFacts> parameter_facts_of(const trace::Record& record, const Proof& proof) {
  const std::vector<bool> decisive = decisive_scalars_of(proof, record.parameters.size());
  std::vector<ParameterFacts> facts;
  for (std::size_t i = 0; i < record.parameters.size(); ++i) {
    const trace::Parameter& parameter = record.parameters[i];
    const bool covered = std::ranges::find(proof.covered, static_cast<int>(i)) != proof.covered.end();
    facts.push_back({.rank = static_cast<u8>(parameter.is_view() ? parameter.type.shape.size() : 0),
                     .is_view = parameter.is_view(),
                     .is_output = parameter.is_output(),
                     .is_only_written = parameter.is_only_written(),
                     .is_covered = covered,
                     .keeps = !parameter.is_only_written() || !covered,
                     .is_index = parameter.kind == ParameterKind::out_index,
                     .has_bound = parameter.has_bound(),
                     .is_decisive = decisive[i]});
  }
  return facts;
}

Stride stride_of(const ViewData& view, std::size_t axis, std::size_t rank) {
  if (view.extents[axis] == 1) // never stepped along
    return axis + 1 == rank ? Stride::one : Stride::any;
  return view.strides[axis] == 1 ? Stride::one : view.strides[axis] == 0 ? Stride::zero : Stride::any;
}

/// As ViewFacts::aligned, whichever stride an axis of extent 1 is taken to have.
bool is_aligned(const ViewData& view, const trace::Type& tile) {
  constexpr i64 alignment = 16;
  const i64 size = size_of(tile.dtype);
  bool aligned = reinterpret_cast<std::uintptr_t>(view.data) % alignment == 0;
  for (std::size_t axis = 0; axis < tile.shape.size(); ++axis) {
    aligned &= view.extents[axis] > 0 && view.extents[axis] <= std::numeric_limits<i32>::max();
    if (view.strides[axis] != 0 && view.strides[axis] != 1)
      aligned &= view.strides[axis] * size % alignment == 0;
    if (stride_of(view, axis, tile.shape.size()) == Stride::one)
      aligned &= view.extents[axis] * size % alignment == 0;
  }
  return aligned;
}

bool is_whole(const ViewData& view, const trace::Type& tile) {
  for (std::size_t axis = 0; axis < tile.shape.size(); ++axis)
    if (view.extents[axis] % tile.shape[axis] != 0)
      return false;
  return true;
}

/// Whether this is said for the first time: a kernel object that is made again and again says the same each time.
bool is_new(const std::string& text) {
  static std::mutex mutex;
  static std::set<std::string>& told = *new std::set<std::string>; // kernels may be launched after main()
  const std::lock_guard lock(mutex);
  return told.insert(text).second;
}

/// Never destroyed: static kernels enter before main() and leave after it.
struct Living {
  std::mutex mutex;
  std::list<KernelState*> kernels;
  static Living& instance() {
    static Living& living = *new Living;
    return living;
  }
};
// Made before any thread is: a process that is forked finds the list whole and unlocked.
[[gnu::constructor]] void watch_forks() {
  pthread_atfork([] { Living::instance().mutex.lock(); }, [] { Living::instance().mutex.unlock(); },
                 [] { Living::instance().mutex.unlock(); });
}

} // namespace

KernelState::KernelState(const KernelSource& source)
    : name(checked_name(source)), location(source.location), declarations(source.declarations), parameters(source.parameters),
      body(source.body), callable(source.callable), hints(source.hints) {
  Living& living = Living::instance();
  std::lock_guard lock(living.mutex);
  place_ = living.kernels.insert(living.kernels.end(), this);
}

KernelState::~KernelState() {
  Living& living = Living::instance();
  std::lock_guard lock(living.mutex);
  living.kernels.erase(place_);
}

std::vector<KernelState*> living_kernels() {
  Living& living = Living::instance();
  std::lock_guard lock(living.mutex);
  return {living.kernels.begin(), living.kernels.end()};
}

void forget_code_of(const DeviceState& device) noexcept {
  if (runtime::is_forked()) // a thread of the parent's may have been looking at a kernel
    return;
  Living& living = Living::instance();
  std::lock_guard lock(living.mutex);
  for (KernelState* kernel : living.kernels)
    kernel->forget(device);
}

const trace::Record& KernelState::trace() {
  std::lock_guard lock(tracing_);
  if (!traced_.load(std::memory_order_relaxed)) {
    const auto start = std::chrono::steady_clock::now();
    trace::Record record = trace::record(name.c_str(), location, declarations, parameters, body, callable);
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
    record_ = std::move(record);
    {
      std::lock_guard timing(mutex_);
      timings_.trace_ms = took.count();
    }
    traced_.store(true, std::memory_order_release);
  }
  return *record_;
}

const Proof& KernelState::prove() {
  std::lock_guard lock(tracing_);
  if (!proved_.load(std::memory_order_relaxed)) {
    const bool everything = runtime::choice("TEGULA_CHECKS", {"everything"}).has_value();
    runtime::Dump dump(record(), everything);
    auto [proof, ir] = dump.proving([&](const Observer& observer) {
      return prove_kernel(record(), {.strict = hints.strict && !everything, .suppress = everything, .observer = observer});
    });
    identity_ = record().key(reported_places(proof));
    if (everything) {
      identity_ += "|checks everything";
      checks_everything_ = true;
    }
    if (dump) // kernels of other names do not share its code, and each is shown
      identity_ += "|dump " + dump.stem();
    dump_ = std::move(dump);
    log_proof(proof);
    if (proof.witness && names_a_file("TEGULA_REPLAY"))
      append_to_named_file("TEGULA_REPLAY", proof.refutation + "\n" + replay(record(), *proof.witness).text);
    parameter_facts_ = parameter_facts_of(record(), proof);
    plan_masks_ = masks_of(parameter_facts_);
    proof_ = std::move(proof);
    ir_ = std::move(ir);
    proved_.store(true, std::memory_order_release);
  }
  return *proof_;
}

void KernelState::warn_of_checks() {
  if (warned_.load(std::memory_order_relaxed) || checks_everything_)
    return;
  const bool is_silent = runtime::choice("TEGULA_WARN", {"on", "off"}) == "off";
  const std::string text = warned_.exchange(true) ? "" : proof().warning();
  if (!text.empty() && !is_silent && is_new(text))
    std::fprintf(stderr, "tegula: %s\n  this is said once; TEGULA_WARN=off leaves it out\n", text.c_str());
}

void KernelState::collect(Facts kind, const Argument* arguments, int n, FactsList& to) {
  const std::span<const trace::Parameter> traced = record().parameters;
  for (int i = 0; i < n; ++i) {
    const trace::Parameter& parameter = traced[static_cast<std::size_t>(i)];
    to.push_back({});
    if (!parameter.is_view())
      continue;
    ViewFacts& facts = to[static_cast<std::size_t>(i)];
    const ViewData& view = arguments[i].view;
    const std::size_t rank = parameter.type.shape.size();
    for (std::size_t axis = 0; axis < rank; ++axis)
      facts.strides.push_back(stride_of(view, axis, rank));
    if (kind == Facts::all) {
      facts.aligned = is_aligned(view, parameter.type);
      facts.whole = is_whole(view, parameter.type);
      facts.settled = !parameter.is_output() && !arguments[i].unsettled;
    }
  }
}

runtime::CodeKey KernelState::key_of(Facts kind, Specialisation specialisation) {
  proof(); // makes the identity
  runtime::CodeKey key{.kernel = identity_, .specialisation = std::move(specialisation)};
  if (kind == Facts::all) {
    key.warps = hints.warps;
    key.stages = hints.stages;
    key.max_regs = hints.max_regs;
  }
  return key;
}

void KernelState::forget(const DeviceState& device) noexcept {
  plans.forget(device);
  std::lock_guard lock(mutex_);
  std::erase_if(variants_, [&](const Variant& variant) { return variant.device == device.id; });
}

std::shared_ptr<const void> KernelState::find(const DeviceState& device, std::span<const ViewFacts> facts) {
  std::lock_guard lock(mutex_);
  for (const Variant& variant : variants_)
    if (variant.device == device.id && std::ranges::equal(variant.specialisation, facts))
      return variant.code;
  return nullptr;
}

void KernelState::remember(Variant variant, double compile_ms) {
  std::lock_guard lock(mutex_);
  for (const Variant& known : variants_)
    if (known.device == variant.device && known.specialisation == variant.specialisation)
      return;
  variants_.push_back(std::move(variant));
  timings_.compile_ms += compile_ms;
  ++timings_.specialisations;
}

Timings KernelState::timings() {
  std::lock_guard lock(mutex_);
  return timings_;
}

std::string name_of(const std::source_location& location) {
  const std::string_view path = location.file_name();
  return "lambda_at_" + std::string(path.substr(path.rfind('/') + 1)) + "_" + std::to_string(location.line());
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
    Strides& strides = specialisation.emplace_back().strides;
    for (std::size_t axis = 0, rank = parameter.is_view() ? parameter.type.shape.size() : 0; axis < rank; ++axis)
      strides.push_back(axis + 1 == rank ? Stride::one : Stride::any);
  }
  return specialisation;
}

} // namespace tegula
