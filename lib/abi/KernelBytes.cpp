#include "lib/abi/KernelBytes.h"

#include "lib/trace/Bytes.h"

namespace tegula {
namespace {

void write_site(ByteWriter& writer, const Site& site) {
  writer.number(static_cast<std::int64_t>(site.kind));
  writer.location(site.location);
  writer.text(site.text);
  writer.list(site.values, [&](const trace::Type& type) {
    writer.number(static_cast<std::int64_t>(type.dtype));
    writer.list(type.shape, [&](std::int64_t extent) { writer.number(extent); });
  });
  writer.number(site.parameter);
}

Site read_site(ByteReader& reader) {
  Site site;
  site.kind = reader.number_as<Site::Kind>();
  site.location = reader.location();
  site.text = reader.text();
  reader.list(site.values, [&] {
    trace::Type type;
    type.dtype = reader.number_as<DType>();
    reader.list(type.shape, [&] { return reader.number(); });
    return type;
  });
  site.parameter = reader.number_as<int>();
  return site;
}

} // namespace

std::string pack_kernel(const GpuKernel& kernel) {
  ByteWriter writer;
  writer.text(kernel.entry);
  writer.text(kernel.ptx);
  writer.text(kernel.target);
  writer.number(kernel.threads);
  writer.number(kernel.shared_bytes);
  writer.list(kernel.sites, [&](const Site& site) { write_site(writer, site); });
  for (const std::vector<int>* parameters : {&kernel.claimed, &kernel.covered_checked})
    writer.list(*parameters, [&](int parameter) { writer.number(parameter); });
  writer.list(kernel.maps, [&](const TensorMap& map) {
    writer.number(map.word);
    writer.number(map.element_bytes);
    for (const std::vector<std::int64_t>* numbers : {&map.box, &map.order})
      writer.list(*numbers, [&](std::int64_t number) { writer.number(number); });
    writer.number(map.swizzle_bytes);
  });
  writer.text(kernel.image);
  return writer.take();
}

std::optional<GpuKernel> unpack_kernel(std::string_view bytes) {
  ByteReader reader(bytes);
  GpuKernel kernel;
  kernel.entry = reader.text();
  kernel.ptx = reader.text();
  kernel.target = reader.text();
  kernel.threads = reader.number_as<int>();
  kernel.shared_bytes = reader.number();
  reader.list(kernel.sites, [&] { return read_site(reader); });
  for (std::vector<int>* parameters : {&kernel.claimed, &kernel.covered_checked})
    reader.list(*parameters, [&] { return reader.number_as<int>(); });
  reader.list(kernel.maps, [&] {
    TensorMap map{};
    map.word = reader.number_as<int>();
    map.element_bytes = reader.number_as<int>();
    for (std::vector<std::int64_t>* numbers : {&map.box, &map.order})
      reader.list(*numbers, [&] { return reader.number(); });
    map.swizzle_bytes = reader.number_as<int>();
    return map;
  });
  kernel.image = reader.text();
  if (!reader.at_end())
    return std::nullopt;
  return kernel;
}

} // namespace tegula
