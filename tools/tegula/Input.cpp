#include "tools/tegula/Input.h"

#include "tegula/error.hpp"

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

namespace tegula {

std::string contents_of(const std::string& file) {
  const bool is_standard = file == "-";
  const std::string name = is_standard ? "the standard input" : file;
  const auto close = [&](std::FILE* stream) { return is_standard ? 0 : std::fclose(stream); };
  const std::unique_ptr<std::FILE, decltype(close)> stream(is_standard ? stdin : std::fopen(file.c_str(), "rb"), close);
  if (!stream)
    throw Error(name + ": there is no such file, or it cannot be opened");
  std::string text;
  std::array<char, 1 << 16> part{};
  while (const std::size_t read = std::fread(part.data(), 1, part.size(), stream.get()))
    text.append(part.data(), read);
  if (std::ferror(stream.get()) != 0)
    throw Error(name + ": cannot be read: " + std::strerror(errno));
  return text;
}

} // namespace tegula
