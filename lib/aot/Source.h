// Bytes as a C++ source.
#pragma once
#include <string>
#include <string_view>

namespace tegula::aot {

/// A source that embeds the bytes in the program that it is compiled into. `symbol` is a name in C that it defines, by which a
/// linker can be asked for it.
std::string embedding_source(std::string_view packed, const std::string& symbol);

} // namespace tegula::aot
