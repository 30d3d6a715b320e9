#include "lib/aot/Embedded.h"
#include "tegula/error.hpp"

#include <algorithm>
#include <iterator>
#include <mutex>

namespace tegula::aot {
namespace {

/// Never destroyed: kernels may be launched while static objects are.
struct Embedded {
  std::mutex mutex;
  std::vector<std::string_view> packed; // not yet in the library
  std::shared_ptr<const Library> library = std::make_shared<Library>();
  static Embedded& instance() {
    static Embedded& embedded = *new Embedded;
    return embedded;
  }
};

void append(Library& to, Library&& from) {
  std::ranges::move(from.proofs, std::back_inserter(to.proofs));
  std::ranges::move(from.variants, std::back_inserter(to.variants));
}

} // namespace

bool embed(const void* bytes, std::size_t size) noexcept {
  Embedded& embedded = Embedded::instance();
  std::lock_guard lock(embedded.mutex);
  embedded.packed.emplace_back(static_cast<const char*>(bytes), size);
  return true;
}

std::shared_ptr<const Library> embedded() {
  Embedded& embedded = Embedded::instance();
  std::lock_guard lock(embedded.mutex);
  if (embedded.packed.empty())
    return embedded.library;
  auto all = std::make_shared<Library>(*embedded.library);
  for (const std::string_view packed : embedded.packed) {
    std::optional<Library> library = unpack(packed);
    if (!library)
      throw Error("tegula: kernels that are embedded in this program were compiled by another version of Tegula than it is linked "
                  "with; build it again");
    append(*all, std::move(*library));
  }
  embedded.packed.clear();
  return embedded.library = std::move(all);
}

} // namespace tegula::aot
