#include "tools/tegula/Stages.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace tegula {

namespace {

constexpr std::size_t width = 118;       // of a line that is shown
constexpr std::size_t short_enough = 24; // lines of the first stage that are shown whole
constexpr std::size_t around = 4;        // lines shown before and after

std::string_view explanation(std::string_view stage) {
  constexpr std::pair<std::string_view, std::string_view> known[] = {
      {"tile", "as recorded: whole tiles, no target chosen yet"},
      {"proved", "accesses that are proved are marked, the others checked"},
      {"canonical", "simplified, and specialised to the strides of the launch"},
      {"placed", "which tiles are computed where they are used, and which are kept in memory"},
      {"loops", "loops over vectors of this CPU's width"},
      {"llvm-dialect", "plain control flow and addresses"},
      {"llvm", "LLVM IR, optimised"},
      {"asm", "the machine code"},
      {"plan", "what a launch takes"},
  };
  for (const auto& [name, text] : known)
    if (name == stage)
      return text;
  return "";
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    if (const std::string_view line = text.substr(0, end);
        line.find_first_not_of(' ') != std::string_view::npos && !line.starts_with('#'))
      lines.push_back(line);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

/// The first line that multiplies and adds, by the most telling name that occurs.
std::size_t where_the_work_is(const std::vector<std::string_view>& lines) {
  for (std::string_view work : {"tile.mma", "amx.tile_mul", "vector.contract", "vector.outerproduct", "vector.fma", "math.fma",
                                "intr.fma", "llvm.fma", "fmuladd", "vfmadd", "tdpbf16ps"})
    for (std::size_t i = 0; i < lines.size(); ++i)
      if (lines[i].find(work) != std::string_view::npos)
        return i;
  return lines.size() / 2;
}

std::string shortened(std::string_view line) {
  if (line.size() <= width)
    return std::string(line);
  return std::string(line.substr(0, width - 4)) + " ...";
}

} // namespace

std::string describe(const Stage& stage, Detail detail) {
  const std::vector<std::string_view> lines = lines_of(stage.ir);
  std::size_t first = 0, last = lines.size();
  if (detail == Detail::work || (detail == Detail::start && lines.size() > short_enough)) {
    const std::size_t at = where_the_work_is(lines);
    first = at - std::min(at, around);
    last = std::min(at + around + 1, lines.size());
  }
  std::string text = "  " + stage.name + ", " + std::to_string(lines.size()) + " lines";
  if (const std::string_view what = explanation(stage.name); !what.empty())
    text += ": " + std::string(what);
  text += "\n";
  if (first > 0)
    text += "      ...\n";
  for (std::size_t i = first; i < last; ++i)
    text += "    " + shortened(lines[i]) + "\n";
  if (last < lines.size())
    text += "      ...\n";
  return text;
}

} // namespace tegula
