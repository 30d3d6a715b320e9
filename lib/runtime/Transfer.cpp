#include "lib/runtime/Transfer.h"

#include <algorithm>
#include <cstring>

namespace tegula::host {

Transfer fill_of(void* to, std::size_t bytes, const void* element, std::size_t element_bytes) noexcept {
  Transfer fill{.kind = Transfer::Kind::fill, .to = to, .bytes = bytes, .element_bytes = element_bytes};
  std::memcpy(fill.element.data(), element, element_bytes);
  return fill;
}

void do_on_host(const Transfer& transfer) noexcept {
  if (transfer.bytes == 0)
    return;
  if (transfer.kind != Transfer::Kind::fill) {
    std::memmove(transfer.to, transfer.from, transfer.bytes);
    return;
  }
  char* out = static_cast<char*>(transfer.to);
  std::memcpy(out, transfer.element.data(), transfer.element_bytes);
  for (std::size_t done = transfer.element_bytes; done < transfer.bytes; done *= 2)
    std::memcpy(out + done, out, std::min(done, transfer.bytes - done));
}

} // namespace tegula::host
