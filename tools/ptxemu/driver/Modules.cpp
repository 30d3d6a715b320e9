// Modules, functions, and the linker, which hands PTX through.
#include <algorithm>
#include <cstdio>
#include <cstring>

#include "tools/ptxemu/driver/State.h"

using namespace ptxemu;
using namespace ptxemu::driver;

namespace {

// Where the caller wants to read what is wrong with a text (JIT options 5 and 6), if anywhere.
void tell(const std::string& what, unsigned options, const int* names, void** values) {
  char* buffer = nullptr;
  std::size_t size = 0;
  for (unsigned i = 0; i < options; ++i) {
    if (names[i] == 5)
      buffer = static_cast<char*>(values[i]);
    if (names[i] == 6)
      size = reinterpret_cast<std::uintptr_t>(values[i]) & 0xffffffff;
  }
  if (buffer && size > 0)
    std::snprintf(buffer, size, "%s", what.c_str());
  else
    std::fprintf(stderr, "PTX emulator: %s\n", what.c_str());
}

// As for the hardware: code for a later architecture does not load.
bool too_new(std::string_view target, int architecture) {
  if (!target.starts_with("sm_"))
    return false;
  return std::atoi(std::string(target.substr(3)).c_str()) > architecture;
}

struct LinkState {
  std::string text;
  unsigned options = 0;
  std::vector<int> names;
  std::vector<void*> values;
};

} // namespace

PTXEMU_EXPORT int cuModuleLoadDataEx(LoadedModule** result, const void* image, unsigned options, int* names, void** values) {
  return guarded([&](State& s) {
    auto loaded = std::make_unique<LoadedModule>();
    try {
      loaded->module = load_module(static_cast<const char*>(image));
    } catch (const SyntaxError& error) {
      tell(error.what(), options, names, values);
      return invalid_ptx;
    }
    if (!record(*loaded, static_cast<const char*>(image))) {
      tell("the folder that TEGULA_PTXEMU_RECORD names cannot be written", options, names, values);
      return invalid_image;
    }
    std::string_view target = loaded->module->unit.target;
    if (too_new(target, s.architecture)) {
      tell("the module is for " + std::string(target) + "; this device is sm_" + std::to_string(s.architecture) +
               " (TEGULA_PTXEMU_ARCH sets it)",
           options, names, values);
      return no_binary;
    }
    loaded->globals = place_globals(*loaded->module, s.memory);
    *result = loaded.release();
    return success;
  });
}

PTXEMU_EXPORT int cuModuleUnload(LoadedModule* module) {
  return guarded([&](State& s) {
    s.work.finish(s, nullptr); // kernels of it may be waiting
    for (std::uint64_t address : module->globals)
      s.memory.free(address);
    delete module;
    return success;
  });
}

PTXEMU_EXPORT int cuModuleGetFunction(FunctionHandle** function, LoadedModule* module, const char* name) {
  return guarded([&](State&) {
    const Program* program = module->module->find(name);
    if (!program)
      return not_found;
    module->functions.push_back(std::make_unique<FunctionHandle>(FunctionHandle{module, program}));
    *function = module->functions.back().get();
    return success;
  });
}

PTXEMU_EXPORT int cuFuncGetAttribute(int* value, int which, FunctionHandle* function) {
  return guarded([&](State&) {
    const Program& program = *function->program;
    switch (which) {
    case 0: // threads of a block
      *value = program.max_threads ? static_cast<int>(program.max_threads) : 1024;
      return success;
    case 1: // static shared memory
      *value = static_cast<int>(program.static_shared);
      return success;
    case 3: // local memory
      *value = static_cast<int>(program.local_bytes);
      return success;
    case 4: // registers of a thread: some number that a block of any size can have
      *value = static_cast<int>(std::min<std::uint32_t>(64, program.registers / lanes));
      return success;
    case 8: // dynamic shared memory
      *value = static_cast<int>(function->max_dynamic_shared);
      return success;
    default:
      *value = 0;
      return success;
    }
  });
}

PTXEMU_EXPORT int cuFuncSetAttribute(FunctionHandle* function, int which, int value) {
  return guarded([&](State&) {
    if (which == 8) {
      if (value < 0 || value + function->program->static_shared > 232448)
        return invalid_value;
      function->max_dynamic_shared = static_cast<std::uint64_t>(value);
    }
    return success;
  });
}

PTXEMU_EXPORT int cuLinkCreate_v2(unsigned options, int* names, void** values, LinkState** link) {
  return guarded([&](State&) {
    *link = new LinkState;
    (*link)->options = options;
    if (options > 0) {
      (*link)->names.assign(names, names + options);
      (*link)->values.assign(values, values + options);
    }
    return success;
  });
}

PTXEMU_EXPORT int cuLinkAddData_v2(LinkState* link, int kind, void* data, std::size_t size, const char*, unsigned, int*, void**) {
  return guarded([&](State&) {
    if (kind != 1) // PTX
      return invalid_image;
    link->text.assign(static_cast<const char*>(data), strnlen(static_cast<const char*>(data), size));
    try {
      load_module(link->text);
    } catch (const SyntaxError& error) {
      tell(error.what(), link->options, link->names.data(), link->values.data());
      return invalid_ptx;
    }
    return success;
  });
}

PTXEMU_EXPORT int cuLinkComplete(LinkState* link, void** image, std::size_t* size) {
  return guarded([&](State&) {
    *image = link->text.data();
    *size = link->text.size() + 1; // with the zero at its end
    return success;
  });
}

PTXEMU_EXPORT int cuLinkDestroy(LinkState* link) {
  return guarded([&](State&) {
    delete link;
    return success;
  });
}
