#include "tools/tegula/Input.h"

#include "tegula/error.hpp"

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include <unistd.h>

namespace tegula {

std::string contents_of(const std::string& file, std::string_view what) {
  const bool is_standard = file == "-";
  const std::string name = is_standard ? "the standard input" : file;
  const auto close = [&](std::FILE* stream) { return is_standard ? 0 : std::fclose(stream); };
  const std::unique_ptr<std::FILE, decltype(close)> stream(is_standard ? stdin : std::fopen(file.c_str(), "rb"), close);
  if (!stream)
    throw Error(name + ": there is no such file, or it cannot be opened");
  if (is_standard && ::isatty(STDIN_FILENO) == 1)
    std::fprintf(stderr, "%.*s, then Ctrl-D on a line of its own:\n", static_cast<int>(what.size()), what.data());
  std::string text;
  std::array<char, 1 << 16> part{};
  std::size_t read = 0;
  do { // what is not full is the last: at a terminal, to read on would ask for another end
    read = std::fread(part.data(), 1, part.size(), stream.get());
    text.append(part.data(), read);
  } while (read == part.size());
  if (std::ferror(stream.get()) != 0)
    throw Error(name + ": cannot be read: " + std::strerror(errno));
  return text;
}

} // namespace tegula
