// Runs the programs of a launch, one after the other.
#include "test/prove/FootprintNode.h"

#include <algorithm>

namespace tegula::test {

namespace {

using Wide = __int128;
using Numbers = std::vector<std::int64_t>;
using Node = Footprint::Node;

std::uint64_t mix(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

/// What a register of the type holds after it was given a number.
std::int64_t wrapped(Wide x, NumberKind kind) {
  std::uint64_t bits = static_cast<std::uint64_t>(x);
  if (kind.bits == 64)
    return static_cast<std::int64_t>(bits);
  bits &= (std::uint64_t{1} << kind.bits) - 1;
  const bool is_negative = !kind.is_unsigned && (bits >> (kind.bits - 1)) != 0;
  return static_cast<std::int64_t>(bits) - (is_negative ? std::int64_t{1} << kind.bits : 0);
}

Wide number(std::int64_t x, NumberKind kind) {
  return kind.is_unsigned ? static_cast<Wide>(static_cast<std::uint64_t>(x)) : static_cast<Wide>(x);
}

bool compare(std::int64_t predicate, Wide a, Wide b, bool are_floats) {
  if (are_floats && (a == not_a_number || b == not_a_number))
    return predicate == 1; // not equal
  const bool results[] = {a == b, a != b, a<b, a <= b, a> b, a >= b};
  return results[predicate];
}

Wide combine(Op op, Wide a, Wide b, NumberKind kind) {
  const auto bits = static_cast<std::uint64_t>(wrapped(b, {kind.bits, true})); // a shift counts as unsigned
  switch (op) {
  case Op::add:
    return a + b;
  case Op::sub:
    return a - b;
  case Op::mul:
    return static_cast<Wide>(static_cast<unsigned __int128>(a) * static_cast<unsigned __int128>(b));
  case Op::div:
    return b == 0 ? 0 : a / b;
  case Op::rem:
    return b == 0 ? a : a % b;
  case Op::min:
    return std::min(a, b);
  case Op::max:
    return std::max(a, b);
  case Op::bit_and:
    return a & b;
  case Op::bit_or:
    return a | b;
  case Op::bit_xor:
    return a ^ b;
  case Op::shl:
    return bits >= static_cast<std::uint64_t>(kind.bits) ? 0 : static_cast<Wide>(static_cast<unsigned __int128>(a) << bits);
  default: // shr
    return a >> std::min<std::uint64_t>(bits, 64);
  }
}

std::int64_t tiles_of(const LaunchShape::Parameter& tensor, std::size_t axis) {
  return tensor.extents[axis] / tensor.tile[axis] + (tensor.extents[axis] % tensor.tile[axis] != 0);
}

struct Stop {};      // of one program
struct Exhausted {}; // of the launch

class Run {
public:
  Run(const LaunchShape& launch, const Contents& contents, const std::vector<ParameterInfo>& parameters,
      const std::vector<Access>& accesses, const std::function<bool(const Touch&)>& visit, std::vector<Numbers> slots)
      : launch_(launch), contents_(contents), parameters_(parameters), accesses_(accesses), visit_(visit),
        slots_(std::move(slots)) {}

  void start(std::int64_t program) { touch_.program = program; }
  bool wraps() const { return wraps_; }
  std::vector<Beyond> take_beyond() { return std::move(beyond_); }
  void set(int slot, std::int64_t value) { slots_[static_cast<std::size_t>(slot)][0] = value; }
  void run(const std::vector<Node>& nodes) {
    for (const Node& node : nodes)
      run(node);
  }

private:
  Numbers& at(int slot) { return slots_[static_cast<std::size_t>(slot)]; }
  std::int64_t scalar(int slot) { return at(slot)[0]; }
  const LaunchShape::Parameter& tensor(int parameter) const { return launch_.parameters[static_cast<std::size_t>(parameter)]; }

  void copy(const std::vector<int>& from, const std::vector<int>& to) {
    std::vector<Numbers> values;
    for (int slot : from)
      values.push_back(at(slot));
    for (std::size_t i = 0; i < to.size(); ++i)
      at(to[i]) = std::move(values[i]);
  }

  void run(const Node& node) {
    if (--fuel_ < 0)
      throw Exhausted{};
    switch (node.op) {
    case Op::access:
    case Op::load:
      return access(node);
    case Op::piece:
      for (std::size_t axis = 0; axis < node.indices.size(); ++axis)
        if (const std::int64_t index = scalar(node.indices[axis]); index < 0 || index >= node.counts[axis])
          note(node, static_cast<int>(axis), index);
      return;
    case Op::loop_for:
      return loop_for(node);
    case Op::loop_while:
      copy(node.in, node.arguments[0]);
      while (true) {
        run(node.bodies[0]);
        const bool goes_on = scalar(node.condition) != 0;
        copy(node.yields[0], goes_on ? node.arguments[1] : node.out);
        if (!goes_on)
          return;
        run(node.bodies[1]);
        copy(node.yields[1], node.arguments[0]);
        if (--fuel_ < 0)
          throw Exhausted{};
      }
    case Op::branch: {
      const int taken = scalar(node.condition) != 0 ? 0 : 1;
      run(node.bodies[taken]);
      return copy(node.yields[taken], node.out);
    }
    case Op::unflatten:
      return unflatten(scalar(node.in[0]), node, -1);
    case Op::program_index:
      return unflatten(touch_.program, node, node.axis);
    default:
      for (std::int64_t element = 0; element < node.size; ++element)
        at(node.out[0])[static_cast<std::size_t>(element)] = evaluate(node, element);
    }
  }

  void note(const Node& node, int axis, std::int64_t number) {
    if (beyond_.size() < 2000)
      beyond_.push_back({node.line, axis, touch_.program, number});
  }

  void loop_for(const Node& node) {
    const std::int64_t high = scalar(node.high), step = scalar(node.step);
    if (step <= 0)
      note(node, -1, step);
    copy(node.in, node.arguments[0]);
    for (Wide i = scalar(node.low); i < high && step > 0; i += step) {
      if (--fuel_ < 0)
        throw Exhausted{};
      at(node.condition)[0] = static_cast<std::int64_t>(i);
      run(node.bodies[0]);
      copy(node.yields[0], node.arguments[0]);
    }
    copy(node.arguments[0], node.out);
  }

  /// All axes, or the one asked for.
  void unflatten(std::int64_t linear, const Node& node, int only) {
    const LaunchShape::Parameter& view = tensor(node.parameter);
    for (std::size_t axis = view.tile.size(); axis-- > 0;) {
      const std::int64_t count = std::max<std::int64_t>(1, tiles_of(view, axis));
      const std::int64_t index = axis > 0 ? linear % count : linear;
      linear /= count;
      if (only < 0)
        at(node.out[axis])[0] = index;
      else if (axis == static_cast<std::size_t>(only))
        at(node.out[0])[0] = index;
    }
  }

  /// What a register holds; whether that is another number is kept.
  std::int64_t noted(Wide x, NumberKind kind) {
    const std::int64_t result = wrapped(x, kind);
    wraps_ |= number(result, kind) != x;
    return result;
  }

  std::int64_t evaluate(const Node& node, std::int64_t element) {
    const auto operand = [&](std::size_t which) {
      return number(at(node.in[which])[static_cast<std::size_t>(element)], node.from);
    };
    switch (node.op) {
    case Op::constant:
      return node.value;
    case Op::program_id:
      return touch_.program;
    case Op::num_programs:
      return launch_.programs;
    case Op::dim:
      return tensor(node.parameter).extents[static_cast<std::size_t>(node.axis)];
    case Op::num_tiles:
      return tiles_of(tensor(node.parameter), static_cast<std::size_t>(node.axis));
    case Op::bound:
      return tensor(node.parameter).value;
    case Op::segment: { // the last one that begins at or before the position
      const LaunchShape::Parameter& offsets = tensor(node.parameter);
      std::int64_t found = 0;
      for (std::int64_t s = 1; s + 1 < offsets.extents[0]; ++s)
        if (content(contents_, parameters_[static_cast<std::size_t>(node.parameter)], node.parameter, offsets, s) <= operand(0))
          found = s;
      return found;
    }
    case Op::iota: {
      for (std::size_t axis = node.shape.size(); axis-- > static_cast<std::size_t>(node.axis) + 1;)
        element /= node.shape[axis];
      return noted(element % node.shape[static_cast<std::size_t>(node.axis)], node.to);
    }
    case Op::broadcast: {
      std::int64_t from = 0, stride = 1, rest = element;
      for (std::size_t back = 1; back <= node.from_shape.size(); ++back) {
        const std::int64_t extent = node.from_shape[node.from_shape.size() - back], to = node.shape[node.shape.size() - back];
        from += (extent == 1 ? 0 : rest % to) * stride;
        stride *= extent;
        rest /= to;
      }
      return at(node.in[0])[static_cast<std::size_t>(from)];
    }
    case Op::reshape:
      return at(node.in[0])[static_cast<std::size_t>(element)];
    case Op::select:
      return at(node.in[operand(0) != 0 ? 1 : 2])[static_cast<std::size_t>(element)];
    case Op::cast: {
      Wide x = operand(0);
      if (node.to.bits == 1)
        return x != 0;
      if (node.saturate) {
        const Wide high = node.to.is_unsigned ? (Wide(1) << node.to.bits) - 1 : (Wide(1) << (node.to.bits - 1)) - 1;
        x = std::clamp(x, node.to.is_unsigned ? Wide(0) : -high - 1, high);
      }
      return noted(x, node.to);
    }
    case Op::neg:
      return noted(-operand(0), node.to);
    case Op::abs:
      return noted(std::max(operand(0), -operand(0)), node.to);
    case Op::bit_not:
      return wrapped(~operand(0), node.to);
    case Op::cmp:
      return compare(node.value, operand(0), operand(1), node.from.is_float);
    default:
      return noted(combine(node.op, operand(0), operand(1), node.from), node.to);
    }
  }

  void access(const Node& node) {
    const Access& access = accesses_[static_cast<std::size_t>(node.access)];
    touch_.access = &access;
    touch_.at.resize(node.indices.size());
    for (std::size_t axis = 0; axis < node.indices.size(); ++axis)
      touch_.at[axis] = at(node.indices[axis]);
    if (!visit_(touch_))
      throw Stop{};
    if (node.op != Op::load)
      return;
    for (std::int64_t element = 0; element < node.size; ++element)
      at(node.out[0])[static_cast<std::size_t>(element)] = read(node, access, element);
  }

  std::int64_t read(const Node& node, const Access& access, std::int64_t element) {
    const LaunchShape::Parameter& from = tensor(access.parameter);
    Numbers inner(access.sizes.size());
    for (std::size_t axis = inner.size(); axis-- > 0;) {
      inner[axis] = element % access.sizes[axis];
      element /= access.sizes[axis];
    }
    std::int64_t slice = 0; // which of the positions it has
    for (int axis : access.positions)
      slice = slice * access.sizes[static_cast<std::size_t>(axis)] + inner[static_cast<std::size_t>(axis)];
    std::int64_t position = 0, stride = 1;
    for (std::size_t axis = inner.size(); axis-- > 0;) {
      const Numbers& index = at(node.indices[axis]);
      const Wide place =
          access.has_positions(axis) ? Wide(index[static_cast<std::size_t>(slice)]) : access.start(index[0], axis) + inner[axis];
      if (place < 0 || place >= from.extents[axis])
        return node.pad < 0 ? 0 : scalar(node.pad);
      position += static_cast<std::int64_t>(place) * stride;
      stride *= from.extents[axis];
    }
    return content(contents_, parameters_[static_cast<std::size_t>(access.parameter)], access.parameter, from, position);
  }

  const LaunchShape& launch_;
  const Contents& contents_;
  const std::vector<ParameterInfo>& parameters_;
  const std::vector<Access>& accesses_;
  const std::function<bool(const Touch&)>& visit_;
  std::vector<Numbers> slots_;
  Touch touch_;
  std::int64_t fuel_ = 20'000;
  bool wraps_ = false;
  std::vector<Beyond> beyond_;
};

} // namespace

/// One in each segment and the rest in the last, all in the first, or each with a share of its own, which may be nothing.
static std::int64_t offset(const Contents& contents, int parameter, const LaunchShape::Parameter& offsets, std::int64_t position) {
  const std::int64_t last = offsets.extents[0] - 1;
  if (position == 0 || position == last)
    return position == 0 ? 0 : offsets.value;
  if (contents.order != Contents::Order::mixed)
    return contents.order == Contents::Order::ascending ? std::min(position, offsets.value) : offsets.value;
  std::int64_t before = 0, all = 0;
  for (std::int64_t s = 0; s < last; ++s) {
    const auto share =
        static_cast<std::int64_t>(mix(contents.seed * 64 + mix(static_cast<std::uint64_t>(parameter * 512 + s))) % 4);
    before += s < position ? share : 0;
    all += share;
  }
  return all == 0 ? 0 : offsets.value * before / all;
}

std::int64_t content(const Contents& contents, const ParameterInfo& info, int parameter, const LaunchShape::Parameter& tensor,
                     std::int64_t position) {
  if (info.kind == "offsets")
    return offset(contents, parameter, tensor, position);
  const std::int64_t bound = tensor.value;
  const NumberKind kind{info.bits == 0 ? 64 : info.bits, info.is_unsigned};
  const std::uint64_t random =
      mix(contents.seed + mix(static_cast<std::uint64_t>(position) * 64 + static_cast<std::uint64_t>(parameter)));
  if (info.bits == 0 && !contents.data && random % 14 == 13)
    return not_a_number;
  if (!info.is_certified())
    return wrapped(contents.data ? *contents.data : static_cast<std::int64_t>(random % 14) - 3, kind);
  const bool is_distinct = info.is_distinct();
  if (info.may_be_none()) { // at every other position counting up, here and there if mixed, and where values that differ run out
    const bool is_ascending = contents.order == Contents::Order::ascending, is_mixed = contents.order == Contents::Order::mixed;
    if (bound == 0 || (is_ascending && position % 2 == 0) || (is_mixed && random % 3 == 0))
      return -1;
    position = is_ascending ? position / 2 : position;
    if (is_distinct && position >= bound)
      return -1;
  }
  switch (contents.order) {
  case Contents::Order::ascending:
    return position % bound;
  case Contents::Order::descending:
    return is_distinct ? bound - 1 - position : bound - 1;
  default:
    if (is_distinct) { // turned, perhaps the other way round
      const std::int64_t turned = (position + static_cast<std::int64_t>(contents.seed % 7)) % bound;
      return contents.seed & 8 ? bound - 1 - turned : turned;
    }
    return static_cast<std::int64_t>(random % static_cast<std::uint64_t>(bound));
  }
}

Footprint::Ran Footprint::run(const LaunchShape& launch, const Contents& contents,
                              const std::function<bool(const Touch&)>& visit) const {
  std::vector<Numbers> slots;
  for (std::int64_t size : slot_sizes_)
    slots.emplace_back(static_cast<std::size_t>(size));
  Run run(launch, contents, parameters_, accesses_, visit, std::move(slots));
  for (std::size_t i = 0; i < parameters_.size(); ++i)
    if (parameter_slots_[i] >= 0)
      run.set(parameter_slots_[i], launch.parameters[i].value);
  try {
    for (std::int64_t program = 0; program < launch.programs; ++program) {
      run.start(program);
      try {
        run.run(body_);
      } catch (const Stop&) {
      }
    }
  } catch (const Exhausted&) {
    return {.is_complete = false, .wraps = run.wraps(), .beyond = run.take_beyond()};
  }
  return {.is_complete = true, .wraps = run.wraps(), .beyond = run.take_beyond()};
}

} // namespace tegula::test
