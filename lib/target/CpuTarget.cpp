#include "lib/target/CpuTarget.h"

#include "tegula/error.hpp"

#include "llvm/ADT/StringMap.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/SubtargetFeature.h"
#include "llvm/TargetParser/Triple.h"

#include <memory>
#include <sys/syscall.h>
#include <unistd.h>

namespace tegula {

static void derive(CpuTarget& target, auto&& has) {
  bool avx512 = has("avx512f") && has("avx512bw") && has("avx512dq") && has("avx512vl");
  target.vectorBytes = avx512 ? 64 : has("avx2") && has("fma") ? 32 : 16;
  target.registers = avx512 ? 32 : 16;
  target.f16Convert = has("f16c");
  target.bf16Dot = avx512 && has("avx512bf16");
  target.vnni = avx512 && has("avx512vnni");
  target.amxBf16 = avx512 && has("amx-bf16");
  target.amxInt8 = avx512 && has("amx-int8");
}

/// Linux hands out the AMX state only on request.
static bool requestAmx() {
  constexpr long requestPermission = 0x1023, tileData = 18;
  return syscall(SYS_arch_prctl, requestPermission, tileData) == 0;
}

const CpuTarget& CpuTarget::host() {
  static const CpuTarget target = [] {
    CpuTarget result;
    result.cpu = llvm::sys::getHostCPUName().str();
    llvm::StringMap<bool> features = llvm::sys::getHostCPUFeatures();
    bool amx = features.lookup("amx-tile") && requestAmx();
    llvm::SubtargetFeatures list;
    for (const auto& feature : features)
      list.AddFeature(feature.first(), feature.second && (amx || !feature.first().starts_with("amx")));
    list.AddFeature("prefer-256-bit", false);
    result.features = list.getString();
    derive(result, [&](const char* name) { return features.lookup(name) && (amx || !llvm::StringRef(name).starts_with("amx")); });
    return result;
  }();
  return target;
}

CpuTarget CpuTarget::named(const std::string& cpu) {
  llvm::InitializeNativeTarget();
  std::string error;
  llvm::Triple triple("x86_64-unknown-linux-gnu");
  const llvm::Target* machine = llvm::TargetRegistry::lookupTarget(triple, error);
  std::unique_ptr<llvm::MCSubtargetInfo> info(machine ? machine->createMCSubtargetInfo(triple, cpu, "") : nullptr);
  if (!info || !info->isCPUStringValid(cpu))
    throw InternalError("no such CPU: '" + cpu + "'");
  CpuTarget result;
  result.cpu = cpu;
  result.features = "-prefer-256-bit";
  derive(result, [&](const char* name) { return info->checkFeatures(std::string("+") + name); });
  return result;
}

} // namespace tegula
