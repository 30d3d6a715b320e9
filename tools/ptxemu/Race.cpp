#include "tools/ptxemu/Race.h"

#include "tools/ptxemu/Report.h"

namespace ptxemu {

void report_race(const Program& program, const Order& order, const Access& access, const char* what, const Mark& other, int agent,
                 const char* did) {
  const Instruction& instruction = program.code[other.pc];
  std::string who = agent == order.copier()       ? "a copy in the background"
                    : other.lane == Mark::several ? "other threads of warp " + std::to_string(agent)
                                                  : "thread " + std::to_string(agent * lanes + static_cast<int>(other.lane));
  throw Fault(Problem::race, access.lane,
              std::string(what) + " " + who + " " + did + " in PTX line " + std::to_string(instruction.line) + " (" +
                  std::string(instruction.text) + "), with no barrier between them");
}

} // namespace ptxemu
