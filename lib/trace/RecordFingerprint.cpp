// The fingerprint of a record.
//
// Compilers differ in the order in which they evaluate arguments, and with it the order of a record's operations and of a loop's
// carried values differs. So values are numbered by walking from the effects, which are statements and have one order, to what they
// use.
#include "lib/trace/Record.h"

#include <algorithm>
#include <bit>
#include <deque>
#include <string_view>
#include <unordered_map>

namespace tegula::trace {

namespace {

class Fingerprint {
public:
  explicit Fingerprint(const Record& record) : record_(record), definitions_(record.types.size()), numbers_(record.types.size()) {}

  std::uint64_t compute() {
    for (const Parameter& p : record_.parameters) {
      add(p.is_view);
      add(static_cast<std::uint64_t>(p.access));
      add(p.type);
      numbers_[p.id] = ++next_;
    }
    define(record_.body, nullptr);
    place_loads(record_.body, nullptr);
    effects(record_.body);
    drain();
    unused(record_.body);
    return hash_;
  }

private:
  struct Definition {
    const Operation* operation = nullptr;
    std::size_t position = 0; // among the results, or the carried values
    bool is_argument = false;
  };
  struct Carried {
    const Operation* operation;
    std::size_t position;
  };
  struct Place {
    const Operation* parent; // the loop or branch around it
    std::uint64_t writes;    // before it
  };

  static bool is_loop(const Operation& op) { return op.name == "scf.for" || op.name == "scf.while"; }
  static bool reports_its_line(const Operation& op) {
    return op.name == "tile.print" || op.name == "tile.assert" || op.name == "tile.extract" || op.name == "tile.insert";
  }
  /// Has a result, and may fail the launch or be refused even if nothing uses it.
  static bool may_fail(const Operation& op) {
    if (op.name == "tile.load" || op.name == "tile.gather")
      return std::none_of(op.attributes.begin(), op.attributes.end(), [](const Attribute& a) { return a.name == "or_padding"; });
    return op.name == "tile.extract" || op.name == "tile.insert";
  }
  static bool is_write(const Operation& op) { return op.name == "tile.store" || op.name == "tile.scatter"; }
  /// Has an effect itself or in a region. A while may also not end.
  static bool has_effect(const Operation& op) {
    if (is_write(op) || op.name == "tile.claim" || op.name == "tile.accumulate" || op.name == "tile.accumulate_at" ||
        op.name == "tile.expect" || op.name == "tile.print" || op.name == "tile.assert" || op.name == "scf.while")
      return true;
    for (const Region& r : op.regions)
      for (const Operation& inner : r.operations)
        if (has_effect(inner))
          return true;
    return false;
  }

  // Mixing.
  void add(std::uint64_t x) {
    hash_ = (hash_ ^ x) * 0x9fb21c651e98df25u;
    hash_ ^= hash_ >> 32;
  }
  void add(std::string_view s) {
    add(s.size());
    for (char c : s)
      add(static_cast<std::uint64_t>(static_cast<unsigned char>(c)));
  }
  void add(const Type& t) {
    add(static_cast<std::uint64_t>(t.dtype));
    add(t.shape.size());
    for (std::int64_t extent : t.shape)
      add(static_cast<std::uint64_t>(extent));
  }
  void add(const Attribute& a) {
    add(a.name);
    add(a.value.index());
    if (const auto* i = std::get_if<std::int64_t>(&a.value))
      add(static_cast<std::uint64_t>(*i));
    else if (const auto* d = std::get_if<double>(&a.value))
      add(std::bit_cast<std::uint64_t>(*d));
    else if (const auto* b = std::get_if<bool>(&a.value))
      add(std::uint64_t{*b});
    else if (const auto* s = std::get_if<std::string>(&a.value))
      add(*s);
    else
      for (std::int64_t x : std::get<std::vector<std::int64_t>>(a.value))
        add(static_cast<std::uint64_t>(x));
  }
  void head(const Operation& op) {
    add(op.name);
    for (const Attribute& a : op.attributes)
      add(a);
    if (reports_its_line(op)) {
      add(op.location.file);
      add(std::uint64_t{op.location.line}); // compilers differ in the column
    }
  }

  void define(const Region& region, const Operation* parent) {
    // A for's first argument is its variable; the others, like a while's, are carried values.
    const bool has_variable = parent && parent->name == "scf.for";
    for (std::size_t i = 0; i < region.arguments.size(); ++i)
      if (parent && is_loop(*parent) && !(has_variable && i == 0))
        definitions_[region.arguments[i]] = {parent, i - has_variable, true};
    for (const Operation& op : region.operations) {
      for (std::size_t i = 0; i < op.results.size(); ++i)
        definitions_[op.results[i]] = {&op, i, false};
      for (const Region& r : op.regions)
        define(r, &op);
    }
  }

  /// Where each load of a view that is also written stands among the writes: what it reads depends on it.
  void place_loads(const Region& region, const Operation* parent) {
    for (const Operation& op : region.operations) {
      if (is_write(op))
        ++writes_[op.operands[1]];
      else if (op.name == "tile.load" && is_inout(op.operands[0]))
        places_[&op] = {parent, writes_[op.operands[0]]};
      for (const Region& r : op.regions)
        place_loads(r, &op);
    }
  }
  bool is_inout(Id view) const {
    for (const Parameter& p : record_.parameters)
      if (p.id == view)
        return p.access == Access::inout;
    return false;
  }

  /// The number of a value, after those of everything that it is made from.
  std::uint64_t number(Id root) {
    std::vector<Id> stack{root};
    while (!stack.empty()) {
      const Id id = stack.back();
      if (numbers_[id]) {
        stack.pop_back();
        continue;
      }
      const auto [op, position, is_argument] = definitions_[id];
      if (is_loop(*op) || op->name == "scf.if") {
        open(*op);
        carry(*op, position);
        continue;
      }
      const std::size_t before = stack.size();
      for (std::size_t i = op->operands.size(); i-- > 0;)
        if (!numbers_[op->operands[i]])
          stack.push_back(op->operands[i]);
      if (stack.size() == before)
        finish(*op);
    }
    return numbers_[root];
  }

  /// An operation whose operands are all numbered.
  void finish(const Operation& op) {
    head(op);
    for (Id id : op.operands)
      add(numbers_[id]);
    if (const auto place = places_.find(&op); place != places_.end()) {
      add(place->second.writes);
      add(place->second.parent ? opened_[place->second.parent] : 0);
    }
    for (const Region& r : op.regions) {
      for (Id id : r.arguments)
        numbers_[id] = ++next_;
      for (Id id : r.operations.back().operands)
        add(number(id));
    }
    for (Id id : op.results) {
      add(record_.types[id]);
      numbers_[id] = ++next_;
    }
  }

  /// A loop or branch when it is first met: its bounds or condition, and its effects.
  void open(const Operation& op) {
    std::uint64_t& opened = opened_[&op];
    if (opened)
      return;
    opened = ++next_;
    add(op.name);
    const std::size_t fixed = op.name == "scf.for" ? 3 : op.name == "scf.if" ? 1 : 0;
    for (std::size_t i = 0; i < fixed; ++i)
      add(number(op.operands[i]));
    if (op.name == "scf.for")
      numbers_[op.regions[0].arguments[0]] = ++next_;
    for (const Region& r : op.regions) {
      add("region");
      effects(r);
      if (r.operations.back().name == "scf.condition")
        add(number(r.operations.back().operands[0]));
    }
    add("end");
  }

  /// Numbers one carried value of a loop, or one result of a branch, in all its roles. What it is made from follows later.
  void carry(const Operation& op, std::size_t position) {
    const bool is_for = op.name == "scf.for";
    add(opened_[&op]);
    add(record_.types[op.results[position]]);
    numbers_[op.results[position]] = ++next_;
    if (is_loop(op))
      for (const Region& r : op.regions)
        numbers_[r.arguments[position + is_for]] = ++next_;
    pending_.push_back({&op, position});
  }

  void drain() {
    while (!pending_.empty()) {
      const auto [op, position] = pending_.front();
      pending_.pop_front();
      add(numbers_[op->results[position]]);
      if (is_loop(*op))
        add(number(op->operands[position + (op->name == "scf.for" ? 3 : 0)]));
      for (const Region& r : op->regions)
        if (r.operations.back().name == "scf.yield")
          add(number(r.operations.back().operands[position]));
    }
  }

  void effects(const Region& region) {
    for (const Operation& op : region.operations) {
      if (!has_effect(op))
        continue;
      if (!op.regions.empty()) {
        open(op);
        continue;
      }
      head(op);
      for (Id id : op.operands)
        add(number(id));
    }
  }

  /// Operations that may fail count even if nothing uses their results; so do loops, whose step may be wrong.
  void unused(const Region& region) {
    for (const Operation& op : region.operations) {
      if (may_fail(op))
        number(op.results[0]);
      if (is_loop(op) || op.name == "scf.if")
        open(op);
      drain();
      for (const Region& r : op.regions)
        unused(r);
    }
  }

  const Record& record_;
  std::vector<Definition> definitions_;
  std::vector<std::uint64_t> numbers_; // 0: not met yet
  std::unordered_map<const Operation*, std::uint64_t> opened_;
  std::deque<Carried> pending_;
  std::unordered_map<const Operation*, Place> places_;
  std::unordered_map<Id, std::uint64_t> writes_;
  std::uint64_t next_ = 0;
  std::uint64_t hash_ = 0x6a09e667f3bcc908u;
};

} // namespace

std::uint64_t Record::fingerprint() const { return Fingerprint(*this).compute(); }

} // namespace tegula::trace
