// Code: assembled, loaded and launched.
#include "FakeDriverState.h"

#include <cstring>
#include <memory>

namespace fake {
namespace {

struct Loaded {
  std::string text;
  FakeEntry entry;
};
std::map<cuda::Module, std::unique_ptr<Loaded>> modules; // those of a lost device are never unloaded

} // namespace

std::function<void()> programs_of(cuda::Entry entry, unsigned blocks, void** parameters) {
  const auto [program, said] = reinterpret_cast<Loaded*>(entry)->entry;
  const int count = said ? said : state.delayed ? 10 : 6;
  std::vector<std::int64_t> words;
  for (int i = 0; i < count; ++i)
    words.push_back(word(parameters, i));
  return [=]() mutable {
    std::vector<void*> pointers;
    for (std::int64_t& word : words)
      pointers.push_back(&word);
    for (unsigned block = 0; block < blocks; ++block)
      program(pointers.data(), block);
  };
}

void describe_modules(Driver& d) {
  d.cuLinkCreate_v2.pointer = [](unsigned, int* options, void** values, cuda::Link* link) -> Result {
    CALLED(cuLinkCreate_v2)
    if (options[0] == 5 && options[1] == 6)
      std::strncpy(static_cast<char*>(values[0]), "kernel.ptx, line 1; error: as told\n", reinterpret_cast<std::size_t>(values[1]));
    *link = reinterpret_cast<cuda::Link>(std::uintptr_t{1});
    return 0;
  };
  d.cuLinkAddData_v2.pointer = [](cuda::Link, int kind, void* text, std::size_t, const char*, unsigned, int*, void**) -> Result {
    CALLED(cuLinkAddData_v2)
    state.linked = "cubin:" + std::string(static_cast<const char*>(text));
    return kind == 1 ? 0 : cuda::invalid_value;
  };
  d.cuLinkComplete.pointer = [](cuda::Link, void** image, std::size_t* bytes) -> Result {
    CALLED(cuLinkComplete)
    *image = state.linked.data();
    *bytes = state.linked.size();
    return 0;
  };
  d.cuLinkDestroy.pointer = [](cuda::Link) -> Result {
    CALLED(cuLinkDestroy)
    state.linked.clear();
    return 0;
  };
  d.cuModuleLoadDataEx.pointer = [](cuda::Module* module, const void* image, unsigned, int*, void**) -> Result {
    CALLED(cuModuleLoadDataEx)
    const std::string text(static_cast<const char*>(image));
    if (!text.starts_with("cubin:"))
      return invalid_image;
    auto loaded = std::make_unique<Loaded>(text);
    *module = reinterpret_cast<cuda::Module>(loaded.get());
    modules[*module] = std::move(loaded);
    return 0;
  };
  d.cuModuleUnload.pointer = [](cuda::Module module) -> Result {
    CALLED(cuModuleUnload)
    return modules.erase(module) == 1 ? 0 : cuda::invalid_value;
  };
  d.cuModuleGetFunction.pointer = [](cuda::Entry* entry, cuda::Module module, const char* name) -> Result {
    CALLED(cuModuleGetFunction)
    auto* loaded = reinterpret_cast<Loaded*>(module);
    if (loaded->text.find(name) == std::string::npos || !entries.contains(name))
      return not_found;
    loaded->entry = entries[name];
    *entry = reinterpret_cast<cuda::Entry>(loaded);
    return 0;
  };
  d.cuFuncSetAttribute.pointer = [](cuda::Entry, int, int value) -> Result {
    CALLED(cuFuncSetAttribute)
    return value <= 227 * 1024 ? 0 : cuda::invalid_value;
  };
  d.cuLaunchKernel.pointer = [](cuda::Entry entry, unsigned blocks, unsigned y, unsigned z, unsigned threads, unsigned, unsigned,
                                unsigned, Stream stream, void** parameters, void** extra) -> Result {
    CALLED(cuLaunchKernel)
    if (blocks == 0 || blocks > 2147483647u || y != 1 || z != 1 || threads == 0 || threads > 1024 || extra)
      return cuda::invalid_value;
    if (!state.delayed) {
      const GpuProgram program = reinterpret_cast<Loaded*>(entry)->entry.program;
      const unsigned step = blocks > 1000000 ? blocks - 1 : 1;
      for (std::int64_t block = 0; block < blocks; block += step)
        program(parameters, block);
      return 0;
    }
    return submit(stream, programs_of(entry, blocks, parameters));
  };
}

} // namespace fake
