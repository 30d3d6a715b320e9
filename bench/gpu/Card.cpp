#include "bench/gpu/Card.h"

#include <cstdio>
#include <sstream>

namespace tegula::bench {

static std::string output_of(const char* command) {
  std::string text;
  if (FILE* pipe = popen(command, "r")) {
    char buffer[256];
    while (std::fgets(buffer, sizeof buffer, pipe))
      text += buffer;
    pclose(pipe);
  }
  return text;
}

Card card_of(const Device& device) {
  Card card{.name = device.name(), .driver = "unknown", .clocks = "unknown"};
  std::istringstream fields(
      output_of("nvidia-smi --id=0 --query-gpu=driver_version,clocks.sm,clocks.mem --format=csv,noheader,nounits 2>/dev/null"));
  std::string driver, sm, memory;
  if (std::getline(fields, driver, ',') && std::getline(fields >> std::ws, sm, ',') && std::getline(fields >> std::ws, memory)) {
    card.driver = driver;
    card.clocks = "SM " + sm + " MHz, memory " + memory + " MHz";
  }
  return card;
}

} // namespace tegula::bench
