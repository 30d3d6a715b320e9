#include "lib/aot/Library.h"
#include "lib/compile/FactsBytes.h"
#include "lib/prove/ProofBytes.h"
#include "lib/trace/Bytes.h"

namespace tegula::aot {
namespace {

/// Changes whenever the bytes mean something else.
constexpr std::string_view format = "tegula kernels 5";

void write(ByteWriter& writer, const Identity& kernel) {
  writer.text(kernel.name);
  writer.text(kernel.key);
}

Identity read_identity(ByteReader& reader) {
  Identity kernel;
  kernel.name = reader.text();
  kernel.key = reader.text();
  return kernel;
}

void write(ByteWriter& writer, const Variant& variant) {
  write(writer, variant.kernel);
  writer.text(variant.target);
  for (const int hint : {variant.warps, variant.stages, variant.max_regs})
    writer.number(hint);
  writer.list(variant.specialisation, [&](const ViewFacts& facts) { tegula::write(writer, facts); });
  writer.text(variant.code);
}

Variant read_variant(ByteReader& reader) {
  Variant variant;
  variant.kernel = read_identity(reader);
  variant.target = reader.text();
  for (int* hint : {&variant.warps, &variant.stages, &variant.max_regs})
    *hint = reader.number_as<int>();
  reader.list(variant.specialisation, [&] { return read_facts(reader); });
  variant.code = reader.text();
  return variant;
}

} // namespace

Identity identity_of(const trace::Record& record) { return {record.name, record.key(trace::Places::lines)}; }

std::string pack(const Library& library) {
  ByteWriter writer;
  writer.text(format);
  writer.list(library.proofs, [&](const ProvedKernel& proved) {
    write(writer, proved.kernel);
    writer.number(proved.strict);
    writer.text(pack_proof(proved.proof));
  });
  writer.list(library.variants, [&](const Variant& variant) { write(writer, variant); });
  return writer.take();
}

std::optional<Library> unpack(std::string_view bytes) {
  ByteReader reader(bytes);
  if (reader.text() != format)
    return std::nullopt;
  Library library;
  bool whole = true;
  reader.list(library.proofs, [&] {
    ProvedKernel proved;
    proved.kernel = read_identity(reader);
    proved.strict = reader.number() != 0;
    std::optional<Proof> proof = unpack_proof(reader.text());
    whole &= proof.has_value();
    proved.proof = std::move(proof).value_or(Proof{});
    return proved;
  });
  reader.list(library.variants, [&] { return read_variant(reader); });
  if (!whole || !reader.at_end())
    return std::nullopt;
  return library;
}

} // namespace tegula::aot
