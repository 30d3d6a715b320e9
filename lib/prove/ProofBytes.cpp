#include "lib/prove/ProofBytes.h"
#include "lib/trace/Bytes.h"

#include <bit>

namespace tegula {
namespace {

template <class E> void write_enum(ByteWriter& writer, E value) { writer.number(static_cast<std::int64_t>(value)); }
void write_real(ByteWriter& writer, double value) { writer.number(std::bit_cast<std::int64_t>(value)); }
double read_real(ByteReader& reader) { return std::bit_cast<double>(reader.number()); }

void write(ByteWriter& writer, const Obligation& obligation) {
  write_enum(writer, obligation.kind);
  write_enum(writer, obligation.rung);
  writer.number(obligation.parameter);
  writer.number(obligation.axis);
  writer.text(obligation.what);
  writer.text(obligation.how);
  writer.location(obligation.location);
  writer.location(obligation.other);
  write_real(writer, obligation.ms);
  write_enum(writer, obligation.cost);
  writer.text(obligation.instead);
}

Obligation read_obligation(ByteReader& reader) {
  Obligation obligation;
  obligation.kind = reader.number_as<ObligationKind>();
  obligation.rung = reader.number_as<Rung>();
  obligation.parameter = reader.number_as<int>();
  obligation.axis = reader.number_as<int>();
  obligation.what = reader.text();
  obligation.how = reader.text();
  obligation.location = reader.location();
  obligation.other = reader.location();
  obligation.ms = read_real(reader);
  obligation.cost = reader.number_as<Cost>();
  obligation.instead = reader.text();
  return obligation;
}

void write(ByteWriter& writer, const Uniform& uniform) {
  writer.list(uniform.nodes, [&](const Uniform::Node& node) {
    write_enum(writer, node.op);
    write_enum(writer, node.dtype);
    writer.number(node.parameter);
    writer.number(node.axis);
    writer.number(node.value);
  });
}

Uniform read_uniform(ByteReader& reader) {
  Uniform uniform;
  reader.list(uniform.nodes, [&] {
    Uniform::Node node;
    node.op = reader.number_as<Uniform::Op>();
    node.dtype = reader.number_as<DType>();
    node.parameter = reader.number_as<std::int16_t>();
    node.axis = reader.number_as<std::int16_t>();
    node.value = reader.number();
    return node;
  });
  return uniform;
}

void write(ByteWriter& writer, const LaunchCondition& condition) {
  writer.list(condition.any_of, [&](const Inequality& inequality) {
    writer.list(inequality.sum, [&](const std::pair<std::int64_t, Uniform>& term) {
      writer.number(term.first);
      write(writer, term.second);
    });
    writer.number(inequality.constant);
  });
  writer.text(condition.text);
  writer.text(condition.purpose);
  writer.location(condition.location);
}

LaunchCondition read_condition(ByteReader& reader) {
  LaunchCondition condition;
  reader.list(condition.any_of, [&] {
    Inequality inequality;
    reader.list(inequality.sum, [&] {
      const std::int64_t factor = reader.number();
      return std::pair(factor, read_uniform(reader));
    });
    inequality.constant = reader.number();
    return inequality;
  });
  condition.text = reader.text();
  condition.purpose = reader.text();
  condition.location = reader.location();
  return condition;
}

} // namespace

std::string pack_proof(const Proof& proof) {
  ByteWriter writer;
  writer.text(proof.kernel);
  writer.location(proof.location);
  writer.list(proof.obligations, [&](const Obligation& obligation) { write(writer, obligation); });
  writer.list(proof.conditions, [&](const LaunchCondition& condition) { write(writer, condition); });
  write_real(writer, proof.ms);
  writer.list(proof.covered, [&](int parameter) { writer.number(parameter); });
  return writer.take();
}

std::optional<Proof> unpack_proof(std::string_view bytes) {
  ByteReader reader(bytes);
  Proof proof;
  proof.kernel = reader.text();
  proof.location = reader.location();
  reader.list(proof.obligations, [&] { return read_obligation(reader); });
  reader.list(proof.conditions, [&] { return read_condition(reader); });
  proof.ms = read_real(reader);
  reader.list(proof.covered, [&] { return reader.number_as<int>(); });
  if (!reader.at_end())
    return std::nullopt;
  return proof;
}

} // namespace tegula
