#include "lib/runtime/gpu/BuildId.h"

#include <cstdint>
#include <cstring>
#include <link.h>

namespace tegula::gpu {
namespace {

struct Search {
  std::uintptr_t inside; // an address of ours
  std::string found;
};

std::size_t padded(std::size_t bytes) { return (bytes + 3) / 4 * 4; }

std::string hexadecimal(const unsigned char* bytes, std::size_t n) {
  std::string text;
  for (std::size_t i = 0; i < n; ++i) {
    text += "0123456789abcdef"[bytes[i] >> 4];
    text += "0123456789abcdef"[bytes[i] & 15];
  }
  return text;
}

std::string id_in_notes(const unsigned char* notes, std::size_t bytes) {
  std::size_t at = 0;
  while (at + sizeof(ElfW(Nhdr)) <= bytes) {
    ElfW(Nhdr) head;
    std::memcpy(&head, notes + at, sizeof head);
    const unsigned char* name = notes + at + sizeof head;
    const unsigned char* value = name + padded(head.n_namesz);
    if (head.n_type == NT_GNU_BUILD_ID && head.n_namesz == 4 && std::memcmp(name, "GNU", 4) == 0)
      return hexadecimal(value, head.n_descsz);
    at += sizeof head + padded(head.n_namesz) + padded(head.n_descsz);
  }
  return "";
}

int visit(dl_phdr_info* object, std::size_t, void* user) {
  Search& search = *static_cast<Search*>(user);
  bool ours = false;
  std::string id;
  for (int i = 0; i < object->dlpi_phnum; ++i) {
    const ElfW(Phdr) & segment = object->dlpi_phdr[i];
    const std::uintptr_t start = object->dlpi_addr + segment.p_vaddr;
    if (segment.p_type == PT_LOAD)
      ours |= search.inside >= start && search.inside < start + segment.p_memsz;
    else if (segment.p_type == PT_NOTE && id.empty())
      id = id_in_notes(reinterpret_cast<const unsigned char*>(start), segment.p_memsz);
  }
  if (ours)
    search.found = id;
  return ours; // ends the search
}

} // namespace

std::string build_id() {
  Search search{reinterpret_cast<std::uintptr_t>(&build_id), ""};
  ::dl_iterate_phdr(visit, &search);
  return search.found;
}

} // namespace tegula::gpu
