#pragma once

// A kernel, decoded: its instructions and those of every function it calls, in one array.

#include <memory>
#include <string>
#include <vector>

#include "tools/ptxemu/Syntax.h"
#include "tools/ptxemu/Type.h"

namespace ptxemu {

using Mask = std::uint32_t; // one bit per lane
constexpr Mask all_lanes = ~Mask(0);
constexpr int lanes = 32;

struct Warp;
struct Instruction;
using Handler = void (*)(Warp&, const Instruction&, Mask);

// What an instruction does besides going on to the next.
enum class Flow : std::uint8_t {
  next,
  branch,   // to target
  indexed,  // to a target of a list, by the value of a
  call,     // to target, and back to the next
  leave,    // back; out of the entry: ends the thread
  exit,     // ends the thread
  converge, // waits until all lanes of its mask (slot f; no_mask: the whole warp) are here
  barrier,  // waits until the warp is here, and then for others of the block
  yield     // as next, and lets other warps run
};

constexpr std::uint32_t no_mask = ~std::uint32_t(0);

struct Instruction {
  Handler run = nullptr;
  Flow flow = Flow::next;
  Space space = Space::generic;
  std::uint8_t bytes = 0, count = 0; // of an element, of elements
  std::uint8_t kind = 0, flags = 0;  // each family's own
  std::uint32_t guard = 0;           // a predicate; the first is always true
  Mask guard_flip = 0;
  std::uint32_t d = 0, e = 0;               // results: registers or predicates
  std::uint32_t a = 0, b = 0, c = 0, f = 0; // operands
  std::uint32_t list = 0;                   // where its list starts in Program::lists
  std::uint32_t target = 0;
  std::int64_t offset = 0;
  std::uint32_t line = 0, location = 0;
  std::string_view text;
};

enum class Special : std::uint8_t {
  tid_x,
  tid_y,
  tid_z,
  ntid_x,
  ntid_y,
  ntid_z,
  ctaid_x,
  ctaid_y,
  ctaid_z,
  nctaid_x,
  nctaid_y,
  nctaid_z,
  laneid,
  warpid,
  nwarpid,
  lanemask_eq,
  lanemask_le,
  lanemask_lt,
  lanemask_ge,
  lanemask_gt,
  smid,
  nsmid,
  gridid,
  dynamic_smem_size,
  total_smem_size,
  cluster_ctarank,
  cluster_nctarank
};

struct Module;

struct Program {
  std::string name;
  const Module* module = nullptr;
  std::vector<Instruction> code;
  std::vector<std::uint32_t> lists;
  std::uint32_t start = 0;
  std::uint32_t registers = 0, predicates = 0; // registers: counted in lanes (32 for one)
  // Registers that never change: numbers, addresses of global variables (by their number), and what a thread is.
  std::vector<std::pair<std::uint32_t, std::uint64_t>> numbers;
  std::vector<std::pair<std::uint32_t, std::pair<std::uint32_t, std::uint64_t>>> globals;
  std::vector<std::pair<std::uint32_t, Special>> specials;
  std::vector<std::pair<std::uint32_t, bool>> truths;
  struct Parameter {
    std::uint64_t offset, bytes, alignment;
  };
  std::vector<Parameter> parameters;
  std::int64_t local_bytes = 0, static_shared = 0, dynamic_alignment = 16, parameter_bytes = 0;
  std::uint32_t shared_granule = 16; // no access to shared memory is smaller, or crosses a multiple of it
  std::uint32_t global_granule = 16; // the same for global memory, but for the edges of tensors that are copied in boxes
  std::int64_t max_threads = 0;
};

// Text and everything decoded from it.
struct Module {
  std::string text;
  Unit unit;
  std::vector<const Variable*> globals; // .global and .const, to be placed in device memory
  std::vector<std::unique_ptr<Program>> programs;

  const Program* find(std::string_view name) const;
  std::string source_of(std::uint32_t location) const; // "file.cpp:3:7, inlined at …"; empty if it is not known
};

// Throws SyntaxError; an instruction that is not known is an error here, not when it runs.
std::unique_ptr<Module> load_module(std::string_view text);

} // namespace ptxemu
