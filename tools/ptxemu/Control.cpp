// Branches, calls, the end of threads, and instructions without an effect here.
#include "tools/ptxemu/Block.h"
#include "tools/ptxemu/Elementwise.h"
#include "tools/ptxemu/ProgramBuilder.h"

namespace ptxemu {
namespace {

void trap(Warp&, const Instruction&, Mask mask) { throw Fault(Problem::trap, std::countr_zero(mask), "the kernel stops itself"); }

void nothing(Warp&, const Instruction&, Mask) {}
void wait_for_grids(Warp& warp, const Instruction&, Mask) { warp.block.wait_for_grids(warp); }
void pause(Warp& warp, const Instruction&, Mask) { warp.yields = true; }

// Bytes of the thread's own memory: an argument to its parameter, or a result to the caller.
void copy_parameter(Warp& warp, const Instruction& in, Mask mask) {
  each(mask, [&](int l) {
    std::size_t from = static_cast<std::size_t>(l) * warp.program.local_bytes + in.a,
                to = static_cast<std::size_t>(l) * warp.program.local_bytes + in.d;
    std::memcpy(&warp.local[to], &warp.local[from], static_cast<std::size_t>(in.offset));
    std::memcpy(&warp.local_state[to], &warp.local_state[from], static_cast<std::size_t>(in.offset));
  });
}

void emit_copies(Decoder& decoder, const std::vector<Operand>& arguments, const std::vector<Symbol>& parameters, bool back) {
  if (arguments.size() != parameters.size())
    decoder.fail("the function has " + std::to_string(parameters.size()) + " parameters or results, not " +
                 std::to_string(arguments.size()));
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const Symbol* symbol = decoder.function().find_symbol(arguments[i].text);
    if (!symbol || symbol->space != Space::parameter)
      decoder.fail("'" + std::string(arguments[i].text) + "' is not a .param variable");
    auto outside = static_cast<std::uint32_t>(symbol->address), inside = static_cast<std::uint32_t>(parameters[i].address);
    decoder.out.a = back ? inside : outside;
    decoder.out.d = back ? outside : inside;
    decoder.out.offset = std::min(symbol->bytes, parameters[i].bytes);
    decoder.emit(copy_parameter);
  }
}

} // namespace

void decode_branch(Decoder& decoder) {
  decoder.take("uni");
  std::string_view root = decoder.root();
  if (root == "bra") {
    decoder.need(1);
    decoder.branch_to(decoder.operand(0).text);
    return decoder.emit(Flow::branch);
  }
  if (root == "brx") {
    decoder.take("idx");
    decoder.need(2);
    decoder.out.a = decoder.source(0);
    decoder.indexed_targets(decoder.operand(1).text);
    return decoder.emit(Flow::indexed);
  }
  decoder.need(0);
  if (root == "trap")
    return decoder.emit(trap);
  decoder.emit(root == "ret" ? Flow::leave : Flow::exit);
}

// Copies of the arguments, the call, copies of the results.
void decode_call(Decoder& decoder) {
  decoder.take("uni");
  std::vector<Operand> results, arguments;
  std::size_t i = 0;
  if (decoder.operand(i).kind == Operand::Kind::list)
    results = decoder.operand(i++).parts;
  std::string_view name = decoder.operand(i++).text;
  if (i < decoder.operands())
    arguments = decoder.operand(i++).parts;
  decoder.need(i);
  const CalledFunction* called = decoder.function().builder().called(name);
  if (!called)
    decoder.fail("no function '" + std::string(name) + "' in this module (calls through pointers are not supported)");
  emit_copies(decoder, arguments, called->parameters, false);
  decoder.out.target = called->start;
  decoder.emit(Flow::call);
  decoder.out.flow = Flow::next;
  emit_copies(decoder, results, called->results, true);
}

// Launches run one after the other: what matters is which accesses come after the wait.
void decode_grid_dependency(Decoder& decoder) {
  bool waits = decoder.take("wait");
  if (!waits && !decoder.take("launch_dependents"))
    decoder.unknown();
  decoder.need(0);
  decoder.emit(waits ? wait_for_grids : nothing);
}

void decode_nothing(Decoder& decoder) {
  bool pauses = decoder.root() == "nanosleep";
  while (!decoder.take_any().empty()) {
  }
  if (pauses)
    decoder.emit(Flow::yield, pause);
  else
    decoder.emit(nothing);
}

} // namespace ptxemu
