// What a safetensors file says of itself, checked against its size.
#pragma once
#include "llm/checkpoint/ElementType.h"
#include "llm/checkpoint/Shape.h"

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace tegula::llm {

/// One tensor: bytes [begin, end) of the file, as many as its shape and type need. They need not be aligned to its elements.
struct StoredTensor {
  std::string name;
  ElementType type;
  Shape shape;
  std::uint64_t begin = 0, end = 0;
};

/// The tensors, in the order of their bytes, have each byte behind the header once: there are no gaps and no overlaps.
struct SafeTensorsHeader {
  std::vector<StoredTensor> tensors;
  std::map<std::string, std::string> metadata;
};

/// Bytes of a file up to the end of its header, which are all in the file. Looks at the first 8 alone. Throws an Error that names
/// the file.
std::uint64_t header_end(const std::string& file, std::span<const std::byte> bytes);
/// Of a whole file, of which it looks at the header alone. Throws an Error that names the file, the tensor, what was found and what
/// was expected.
SafeTensorsHeader read_header(const std::string& file, std::span<const std::byte> bytes);

} // namespace tegula::llm
