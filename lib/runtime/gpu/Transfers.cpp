#include "lib/runtime/gpu/Transfers.h"

#include <algorithm>
#include <cstring>
#include <string>

namespace tegula::gpu {
namespace {

using Kind = host::Transfer::Kind;

cuda::Address address_of(const void* pointer) { return reinterpret_cast<std::uintptr_t>(pointer); }

std::string purpose_of(const host::Transfer& transfer) {
  const std::string bytes = std::to_string(transfer.bytes) + " bytes";
  switch (transfer.kind) {
  case Kind::fill:
    return "filling " + bytes;
  case Kind::to_host:
    return "copying " + bytes + " to the host";
  case Kind::from_host:
    return "copying " + bytes + " from the host";
  default:
    return "copying " + bytes;
  }
}

template <class T> T bits_of(const host::Transfer& fill, std::size_t from = 0) {
  T bits;
  std::memcpy(&bits, fill.element.data() + from, sizeof bits);
  return bits;
}

void enqueue_fill(const Context& context, cuda::Stream stream, const host::Transfer& fill) {
  const Driver& driver = context.driver();
  const cuda::Address to = address_of(fill.to);
  const auto purpose = [&] { return purpose_of(fill); };
  if (fill.element_bytes == 1) {
    context.call(driver.cuMemsetD8Async, purpose, to, bits_of<unsigned char>(fill), fill.bytes, stream);
  } else if (fill.element_bytes == 2) {
    context.call(driver.cuMemsetD16Async, purpose, to, bits_of<unsigned short>(fill), fill.bytes / 2, stream);
  } else if (fill.element_bytes == 4) {
    context.call(driver.cuMemsetD32Async, purpose, to, bits_of<unsigned>(fill), fill.bytes / 4, stream);
  } else {
    context.call(driver.cuMemsetD32Async, purpose, to, bits_of<unsigned>(fill), std::size_t{1}, stream);
    context.call(driver.cuMemsetD32Async, purpose, to + 4, bits_of<unsigned>(fill, 4), std::size_t{1}, stream);
    for (std::size_t done = fill.element_bytes; done < fill.bytes; done *= 2)
      context.call(driver.cuMemcpyDtoDAsync_v2, purpose, to + done, to, std::min(done, fill.bytes - done), stream);
  }
}

cuda::GraphNode add_fill(const Context& context, cuda::Graph graph, const std::vector<cuda::GraphNode>& after,
                         const host::Transfer& fill) {
  const std::size_t size = std::min<std::size_t>(fill.element_bytes, 4);
  cuda::MemsetNodeParams memset{.to = address_of(fill.to), .element_bytes = static_cast<unsigned>(size)};
  memset.value = size == 1 ? bits_of<unsigned char>(fill) : size == 2 ? bits_of<unsigned short>(fill) : bits_of<unsigned>(fill);
  if (fill.element_bytes == 8) { // every other word, then the others
    memset.pitch = 8;
    memset.width = 1;
    memset.height = fill.bytes / 8;
  } else {
    memset.width = fill.bytes / size;
  }
  cuda::GraphNode node = nullptr;
  const auto add = [&](const std::vector<cuda::GraphNode>& before) {
    context.call(
        context.driver().cuGraphAddMemsetNode, [&] { return purpose_of(fill); }, &node, graph, before.data(), before.size(),
        static_cast<const cuda::MemsetNodeParams*>(&memset), context.handle());
  };
  add(after);
  if (fill.element_bytes == 8) {
    memset.to += 4;
    memset.value = bits_of<unsigned>(fill, 4);
    add({node});
  }
  return node;
}

} // namespace

void enqueue(const Context& context, cuda::Stream stream, const host::Transfer& transfer) {
  const Driver& driver = context.driver();
  const cuda::Address to = address_of(transfer.to), from = address_of(transfer.from);
  const auto purpose = [&] { return purpose_of(transfer); };
  switch (transfer.kind) {
  case Kind::fill:
    return enqueue_fill(context, stream, transfer);
  case Kind::copy:
    return context.call(driver.cuMemcpyDtoDAsync_v2, purpose, to, from, transfer.bytes, stream);
  case Kind::to_host:
    return context.call(driver.cuMemcpyDtoHAsync_v2, purpose, transfer.to, from, transfer.bytes, stream);
  case Kind::from_host:
    return context.call(driver.cuMemcpyHtoDAsync_v2, purpose, to, transfer.from, transfer.bytes, stream);
  }
}

cuda::GraphNode add_nodes(const Context& context, cuda::Graph graph, std::vector<cuda::GraphNode> after,
                          const host::Transfer& transfer) {
  if (transfer.kind == Kind::fill)
    return add_fill(context, graph, after, transfer);
  const auto place = [](const void* pointer, bool of_host) {
    cuda::CopyPlace place{.type = of_host ? cuda::host_memory : cuda::device_memory};
    if (of_host)
      place.host = const_cast<void*>(pointer);
    else
      place.device = address_of(pointer);
    return place;
  };
  const cuda::Memcpy3D copy{.from = place(transfer.from, transfer.kind == Kind::from_host),
                            .to = place(transfer.to, transfer.kind == Kind::to_host),
                            .width = transfer.bytes};
  cuda::GraphNode node = nullptr;
  context.call(
      context.driver().cuGraphAddMemcpyNode, [&] { return purpose_of(transfer); }, &node, graph, after.data(), after.size(), &copy,
      context.handle());
  return node;
}

} // namespace tegula::gpu
