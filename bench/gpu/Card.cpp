#include "bench/gpu/Card.h"
#include "bench/gpu/Process.h"

#include <sstream>

namespace tegula::bench {

Card card_of(const Device& device) {
  Card card{.name = device.name(), .driver = "unknown", .clocks = "unknown"};
  std::istringstream fields(run_program("nvidia-smi", {"nvidia-smi", "--id=0", "--query-gpu=driver_version,clocks.sm,clocks.mem",
                                                       "--format=csv,noheader,nounits"})
                                .output);
  std::string driver, sm, memory;
  if (std::getline(fields, driver, ',') && std::getline(fields >> std::ws, sm, ',') && std::getline(fields >> std::ws, memory)) {
    card.driver = driver;
    card.clocks = "SM " + sm + " MHz, memory " + memory + " MHz";
  }
  return card;
}

} // namespace tegula::bench
