// What tracing a kernel records: tile IR in plain C++ structures, so that neither tracing nor launching needs LLVM.
// Operation names, operands and attributes are those of the tile and scf dialects (lib/dialect/TileOps.td).
#pragma once
#include "tegula/dtype.hpp"
#include "tegula/kinds.hpp"

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace tegula::trace {

struct Location {
  std::string file;
  std::uint32_t line = 0, column = 0;
};

/// A tile's type. Rank 0 is a scalar.
struct Type {
  DType dtype = DType::f32;
  std::vector<std::int64_t> shape;
  bool operator==(const Type&) const = default;
};

using Id = std::uint32_t; // names an SSA value; 0 names none

/// Integers become I64 attributes (enumerations too), `true` a unit attribute (`false` is left out), vectors i64 arrays. The
/// `value` of tile.constant is an int64_t for integers and bool, a double for floats; the operation's result type says the rest.
struct Attribute {
  std::string name;
  std::variant<std::int64_t, double, bool, std::string, std::vector<std::int64_t>> value;
  bool operator==(const Attribute&) const = default;
};

struct Operation;

/// One block. Its terminator (scf.yield, scf.condition, tile.yield) is its last operation.
struct Region {
  std::vector<Id> arguments;
  std::vector<Operation> operations;
};

struct Operation {
  std::string name;
  std::vector<Id> operands;
  std::vector<Id> results;
  std::vector<Attribute> attributes;
  std::vector<Region> regions;
  Location location;
};

struct Parameter {
  Id id = 0;
  ParameterKind kind = ParameterKind::in;
  Type type; // a view's tile, or the scalar

  bool is_view() const { return tegula::is_view(kind); }
  bool is_output() const { return tegula::is_output(kind); }
  bool is_certified() const { return tegula::is_certified(kind); }
  bool has_bound() const { return tegula::has_bound(kind); }
  bool is_only_written() const { return tegula::is_only_written(kind); }
};

/// Which source locations tell two records apart that do the same.
enum class Places : std::uint8_t {
  spoken, // of operations whose code says where they stand, though everything is proved: messages
  lines, // of every operation, but neither columns nor files, which may be named in several ways; and the files of those that speak
  all
};

struct Record {
  std::string name;
  Location location;
  std::vector<Parameter> parameters;
  Region body; // without a terminator
  /// Indexed by Id; for a view, its tile's type.
  std::vector<Type> types;

  /// 64 hexadecimal digits that another record has only if it is called the same and has the same parameters and operations, each
  /// in the same place.
  std::string key(Places) const;
  /// Readable text, for messages and tests.
  std::string str() const;
};

} // namespace tegula::trace
