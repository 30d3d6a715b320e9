// Code: assembled, loaded and launched.
#include "FakeDriverState.h"

#include <cstring>
#include <memory>

namespace fake {
namespace {

struct Loaded {
  std::string text;
  GpuProgram entry;
};
std::map<cuda::Module, std::unique_ptr<Loaded>> modules; // those of a lost device are never unloaded

} // namespace

std::function<void()> programs_of(cuda::Entry entry, unsigned blocks, void** packed) {
  const auto is = [&](int place, std::uintptr_t option) { return packed[place] == reinterpret_cast<void*>(option); };
  if (!packed || !is(0, 1) || !is(2, 2) || !is(4, 0))
    return {};
  const auto* first = static_cast<const std::int64_t*>(packed[1]);
  std::vector<std::int64_t> words(first, first + *static_cast<std::size_t*>(packed[3]) / sizeof *first);
  return [entry, program = reinterpret_cast<Loaded*>(entry)->entry, words = std::move(words), blocks]() mutable {
    state.strays += !modules.contains(reinterpret_cast<cuda::Module>(entry));
    std::vector<void*> pointers;
    for (std::int64_t& word : words)
      pointers.push_back(&word);
    const unsigned step = blocks > 1000000 ? blocks - 1 : 1; // of very many, the first and the last
    for (std::int64_t block = 0; block < blocks; block += step)
      program(pointers.data(), block);
  };
}

void describe_modules(Driver& d) {
  d.cuLinkCreate_v2.pointer = [](unsigned, int* options, void** values, cuda::Link* link) -> Result {
    CALLED(cuLinkCreate_v2)
    if (options[0] == 5 && options[1] == 6)
      std::strncpy(static_cast<char*>(values[0]), "kernel.ptx, line 1; error: as told\n", reinterpret_cast<std::size_t>(values[1]));
    *link = reinterpret_cast<cuda::Link>(new std::string);
    return 0;
  };
  d.cuLinkAddData_v2.pointer = [](cuda::Link link, int kind, void* text, std::size_t, const char*, unsigned, int*,
                                  void**) -> Result {
    CALLED(cuLinkAddData_v2)
    *reinterpret_cast<std::string*>(link) = "cubin:" + std::string(static_cast<const char*>(text));
    return kind == 1 ? 0 : cuda::invalid_value;
  };
  d.cuLinkComplete.pointer = [](cuda::Link link, void** image, std::size_t* bytes) -> Result {
    CALLED(cuLinkComplete)
    auto& linked = *reinterpret_cast<std::string*>(link);
    *image = linked.data();
    *bytes = linked.size();
    return 0;
  };
  d.cuLinkDestroy.pointer = [](cuda::Link link) -> Result {
    CALLED(cuLinkDestroy)
    delete reinterpret_cast<std::string*>(link);
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
                                unsigned, Stream stream, void** parameters, void** packed) -> Result {
    CALLED(cuLaunchKernel)
    if (blocks == 0 || blocks > 2147483647u || y != 1 || z != 1 || threads == 0 || threads > 1024)
      return cuda::invalid_value;
    std::function<void()> work = parameters ? std::function<void()>() : programs_of(entry, blocks, packed);
    if (!work)
      return cuda::invalid_value;
    if (state.delayed)
      return submit(stream, std::move(work));
    work();
    return 0;
  };
}

} // namespace fake
