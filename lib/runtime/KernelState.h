// A kernel object: traced and proved once, specialised for what its arguments have in common with others.
#pragma once
#include "lib/compile/Compile.h"
#include "lib/runtime/Dump.h"
#include "lib/runtime/KernelCache.h"
#include "lib/runtime/Plan.h"
#include "lib/runtime/Small.h"
#include "tegula/host/launch.hpp"

#include <atomic>
#include <list>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace tegula::host {

/// What of its arguments a device's code is specialised to.
enum class Facts : std::uint8_t { strides, all };

struct KernelState {
  explicit KernelState(const KernelSource&);
  KernelState(const KernelState&) = delete;
  KernelState& operator=(const KernelState&) = delete;
  ~KernelState();

  /// Traces at the first call.
  const trace::Record& record() { return traced_.load(std::memory_order_acquire) ? *record_ : trace(); }
  /// Proves at the first call.
  const Proof& proof() { return proved_.load(std::memory_order_acquire) ? *proof_ : prove(); }
  // Known when the kernel is proved.
  std::span<const ParameterFacts> parameter_facts() const noexcept { return parameter_facts_; }
  std::span<const i64> plan_masks() const noexcept { return plan_masks_; } // as many as there are words
  /// The code for these arguments: `compile` makes a `shared_ptr<const Code>` of the key and the IR, where the cache has none.
  template <class Code, class Compile> std::shared_ptr<const Code>
  specialised(const DeviceState&, runtime::KernelCache<Code>& cache, Facts, const Argument*, int n, const Compile& compile);
  /// Of a device that ends: its plans and its code.
  void forget(const DeviceState&) noexcept;
  Timings timings();
  /// Known when the kernel is proved.
  const runtime::Dump& dump() const noexcept { return dump_; }
  /// On the standard error, once: what is checked while the kernel runs, as it could not be proved.
  void warn_of_checks();
  /// Starts the message of a launch that did not happen.
  std::string refusal() const { return "kernel '" + name + "' was not launched: "; }

  Plans plans;
  const std::string name;
  const std::source_location location;
  const detail::ParameterDecl* const declarations;
  const std::size_t parameters;
  const detail::Body body;
  const void* const callable;
  const Hints hints;
  std::atomic<std::int64_t> owners{1};

private:
  struct Variant {
    i64 device; // its id
    Specialisation specialisation;
    std::shared_ptr<const void> code; // of the device's kind
  };
  using FactsList = runtime::Small<ViewFacts, 16>;
  /// What the arguments allow a compiler to assume.
  void collect(Facts, const Argument*, int n, FactsList& to);
  runtime::CodeKey key_of(Facts, Specialisation);
  std::shared_ptr<const void> find(const DeviceState&, std::span<const ViewFacts>);
  void remember(Variant, double compile_ms);

  const trace::Record& trace();
  const Proof& prove();

  std::list<KernelState*>::iterator place_; // among the living

  std::recursive_mutex tracing_; // recursive: a kernel that launches itself must reach the recorder, which refuses it
  std::atomic<bool> traced_{false};
  std::atomic<bool> proved_{false};
  std::atomic<bool> warned_{false};
  std::optional<trace::Record> record_;
  std::optional<Proof> proof_;
  std::shared_ptr<const KernelIr> ir_; // as proved
  std::vector<ParameterFacts> parameter_facts_;
  std::vector<i64> plan_masks_;
  std::string identity_; // what tells its code from all other; known when the kernel is proved
  bool checks_everything_ = false;
  runtime::Dump dump_;
  std::mutex mutex_; // of what follows
  std::vector<Variant> variants_;
  Timings timings_;
};

/// Those of all kernel objects, oldest first. For a program that does nothing else: kernels of other threads may go at any time.
std::vector<KernelState*> living_kernels();
/// All that kernel objects keep for a device that ends.
void forget_code_of(const DeviceState&) noexcept;

/// Of an argument: its tensor is another one, or gone.
[[noreturn]] void throw_outdated(const KernelState*, int parameter);

/// "parameter 2", where `i` counts from 0.
std::string parameter_name(int i);

template <class Code, class Compile>
std::shared_ptr<const Code> KernelState::specialised(const DeviceState& device, runtime::KernelCache<Code>& cache, Facts kind,
                                                     const Argument* arguments, int n, const Compile& compile) {
  FactsList facts(static_cast<std::size_t>(n));
  collect(kind, arguments, n, facts);
  if (std::shared_ptr<const void> found = find(device, facts.span()))
    return std::static_pointer_cast<const Code>(found);
  const runtime::CodeKey key = key_of(kind, {facts.begin(), facts.end()});
  std::shared_ptr<const Code> code = cache.get(key, [&] { return compile(key, *ir_); });
  remember({device.id, key.specialisation, code}, code->compile_ms);
  return code;
}

} // namespace tegula::host
