// `tegula audit`: every place where an author waives a proof.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace tegula {

struct UnsafeUse {
  std::string file;
  unsigned line = 0;
  std::string reason;   // empty if it is not a string literal
  bool literal = false; // whether it is one
};

/// The uses in one source, by its tokens alone. `declares`: this is a file of the language itself, in which only an `unsafe` with a
/// string literal is a use. Elsewhere so is every one that names the type, as an alias or a macro would hide what follows.
std::vector<UnsafeUse> unsafe_uses(std::string_view source, bool declares = false);

struct Audit {
  std::vector<UnsafeUse> uses; // by file and line
  std::vector<std::string> unreadable;
  int files = 0;
  bool in_kernels = false; // one of them is under a folder named kernels
};

/// Of files, and of the C++ sources below folders; build folders and hidden ones are left out.
Audit audit(const std::vector<std::string>& paths);

/// Prints an audit. Returns the exit status: 2 if something was unreadable, 1 if a use is in kernels/.
int report(const Audit&);

} // namespace tegula
