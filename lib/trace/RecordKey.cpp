// The key of a record: a digest of all of it. Every operation counts where it stands, also one that nothing uses: where a load
// stands decides whether it is reached, and what a proof says of it.
#include "lib/trace/Bytes.h"
#include "lib/trace/Record.h"
#include "lib/trace/Sha256.h"

#include <bit>

namespace tegula::trace {
namespace {

/// Values are numbered in the order in which they are defined, so that a key does not depend on ids that name nothing.
class KeyWriter {
public:
  KeyWriter(const Record& record, Places places) : record_(record), places_(places), numbers_(record.types.size()) {}

  std::string write() {
    writer_.number(static_cast<std::int64_t>(places_));
    writer_.text(record_.name);
    writer_.list(record_.parameters, [&](const Parameter& p) {
      writer_.number(static_cast<std::int64_t>(p.kind));
      define(p.id, p.type);
    });
    region(record_.body);
    return writer_.take();
  }

private:
  void define(Id id, const Type& type) {
    numbers_[id] = ++defined_;
    writer_.number(static_cast<std::int64_t>(type.dtype));
    writer_.list(type.shape, [&](std::int64_t extent) { writer_.number(extent); });
  }
  void define(const std::vector<Id>& ids) {
    writer_.list(ids, [&](Id id) { define(id, record_.types[id]); });
  }

  void attribute(const Attribute& a) {
    writer_.text(a.name);
    writer_.number(static_cast<std::int64_t>(a.value.index()));
    if (const auto* i = std::get_if<std::int64_t>(&a.value))
      writer_.number(*i);
    else if (const auto* d = std::get_if<double>(&a.value))
      writer_.number(std::bit_cast<std::int64_t>(*d));
    else if (const auto* b = std::get_if<bool>(&a.value))
      writer_.number(*b);
    else if (const auto* s = std::get_if<std::string>(&a.value))
      writer_.text(*s);
    else
      writer_.list(std::get<std::vector<std::int64_t>>(a.value), [&](std::int64_t n) { writer_.number(n); });
  }

  /// Whether its code may say where it stands, although everything about it is proved.
  static bool speaks(const Operation& op) { return op.name == "tile.print" || op.name == "tile.assert"; }
  void place(const Operation& op) {
    if (places_ == Places::all || (places_ == Places::spoken && speaks(op)))
      return writer_.location(op.location);
    if (places_ == Places::lines) {
      writer_.text(speaks(op) ? op.location.file : "");
      writer_.number(op.location.line);
    }
  }

  void operation(const Operation& op) {
    writer_.text(op.name);
    writer_.list(op.operands, [&](Id id) { writer_.number(numbers_[id]); });
    writer_.list(op.attributes, [&](const Attribute& a) { attribute(a); });
    place(op);
    writer_.list(op.regions, [&](const Region& r) { region(r); });
    define(op.results);
  }
  void region(const Region& r) {
    define(r.arguments);
    writer_.list(r.operations, [&](const Operation& op) { operation(op); });
  }

  const Record& record_;
  const Places places_;
  std::vector<std::int64_t> numbers_;
  std::int64_t defined_ = 0;
  ByteWriter writer_;
};

} // namespace

std::string Record::key(Places places) const { return hex(sha256(KeyWriter(*this, places).write())); }

} // namespace tegula::trace
