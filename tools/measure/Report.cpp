#include "tools/measure/Report.h"

#include <cstdio>
#include <ctime>
#include <fstream>

namespace tegula::bench {

static std::string now() {
  const std::time_t time = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&time, &utc);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
  return text;
}

std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (char c : text) {
    if (static_cast<unsigned char>(c) < ' ') {
      result += c == '\n' ? "\\n" : " ";
      continue;
    }
    if (c == '"' || c == '\\')
      result += '\\';
    result += c;
  }
  return result + '"';
}

static std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", value);
  return text;
}

bool Report::wants(const std::string& bench, const std::string& what) const {
  return (bench + " " + what).find(filter_) != std::string::npos;
}

void Report::add(const Result& result) {
  if (!has_header_)
    std::printf("%-20s %-22s %10s %10s  %-8s %7s  %s\n", "benchmark", "case", "Tegula", "peer", "unit", "ratio", "peer");
  has_header_ = true;
  if (result.peer.empty())
    std::printf("%-20s %-22s %10.4g %10s  %-8s\n", result.bench.c_str(), result.what.c_str(), result.value, "",
                result.unit.c_str());
  else
    std::printf("%-20s %-22s %10.4g %10.4g  %-8s %6.2f×  %s\n", result.bench.c_str(), result.what.c_str(), result.value,
                result.peer_value, result.unit.c_str(), result.ratio, result.peer.c_str());
  std::fflush(stdout);

  if (!file_.empty())
    (void)append(file_, origin_, result);
}

bool append(const std::string& file, const Origin& origin, const Result& result) {
  std::ofstream lines(file, std::ios::app);
  lines << "{\"bench\": " << quoted(result.bench) << ", \"case\": " << quoted(result.what)
        << ", \"value\": " << number(result.value) << ", \"unit\": " << quoted(result.unit);
  if (!result.peer.empty())
    lines << ", \"peer\": " << quoted(result.peer) << ", \"peer_value\": " << number(result.peer_value)
          << ", \"ratio\": " << number(result.ratio);
  lines << ", \"device\": " << quoted(origin.device);
  if (!origin.driver.empty())
    lines << ", \"driver\": " << quoted(origin.driver);
  if (!origin.clocks.empty())
    lines << ", \"clocks\": " << quoted(origin.clocks);
  lines << ", \"date\": " << quoted(now()) << ", \"command\": " << quoted(origin.command) << "}\n";
  if (lines.flush())
    return true;
  std::fprintf(stderr, "bench: could not write to %s\n", file.c_str());
  return false;
}

} // namespace tegula::bench
