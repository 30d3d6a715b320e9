#include "lib/prove/ProofLog.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>

namespace tegula {

void append_to_named_file(const char* variable, const std::string& text) {
  const char* path = std::getenv(variable);
  // One write to a file opened for appending: what several threads and processes write stays whole.
  std::FILE* file = std::fopen(path, "ae");
  bool written = file && std::setvbuf(file, nullptr, _IONBF, 0) == 0 && std::fwrite(text.data(), text.size(), 1, file) == 1;
  const int error = errno;
  if (file)
    written &= std::fclose(file) == 0;
  if (!written)
    std::fprintf(stderr, "tegula: %s: '%s' cannot be written: %s\n", variable, path, std::strerror(error));
}

bool names_a_file(const char* variable) {
  const char* path = std::getenv(variable);
  return path && *path;
}

void log_proof(const Proof& proof) {
  if (!names_a_file("TEGULA_PROOFS"))
    return;
  const bool json = std::string_view(std::getenv("TEGULA_PROOFS")).ends_with(".json");
  append_to_named_file("TEGULA_PROOFS", json ? proof.json() + "\n" : proof.text());
}

} // namespace tegula
