// Tiles as text.
#include "lib/runtime/Buffer.h"
#include "lib/runtime/Messages.h"

#include <charconv>
#include <cmath>
#include <cstring>

namespace tegula::runtime {
namespace {

constexpr std::int64_t shown_whole = 64; // elements; of larger tiles, `edge` at each end of an axis
constexpr std::int64_t edge = 3;

template <class T> T at(const void* elements, std::int64_t i) {
  T value;
  std::memcpy(&value, static_cast<const char*>(elements) + i * static_cast<std::int64_t>(sizeof(T)), sizeof(T));
  return value;
}

template <class T> std::string integer(T value) { return std::to_string(value); }

/// Without `digits`, as many as tell the value from its neighbours.
template <class T> std::string floating(T value, int digits = 0) {
  if (std::isnan(value))
    return "nan";
  char buffer[64];
  const auto end = digits ? std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::general, digits).ptr
                          : std::to_chars(buffer, buffer + sizeof buffer, value).ptr;
  return {buffer, end};
}

std::string element_text(DType dtype, const void* elements, std::int64_t i) {
  switch (dtype) {
  case DType::f64:
    return floating(at<double>(elements, i));
  case DType::f32:
    return floating(at<float>(elements, i));
  case DType::f16:
    return floating(static_cast<float>(at<f16>(elements, i)), 5);
  case DType::bf16:
    return floating(static_cast<float>(at<bf16>(elements, i)), 4);
  case DType::f8e4m3:
    return floating(static_cast<float>(at<f8e4m3>(elements, i)), 3);
  case DType::f8e5m2:
    return floating(static_cast<float>(at<f8e5m2>(elements, i)), 3);
  case DType::f8e8m0:
    return floating(static_cast<float>(at<f8e8m0>(elements, i)), 3);
  case DType::i64:
    return integer(at<i64>(elements, i));
  case DType::i32:
    return integer(at<i32>(elements, i));
  case DType::i16:
    return integer(at<i16>(elements, i));
  case DType::i8:
    return integer(at<i8>(elements, i));
  case DType::u64:
    return integer(at<u64>(elements, i));
  case DType::u32:
    return integer(at<u32>(elements, i));
  case DType::u16:
    return integer(at<u16>(elements, i));
  case DType::u8:
    return integer(at<u8>(elements, i));
  case DType::boolean:
    return at<u8>(elements, i) ? "true" : "false";
  }
  return "?";
}

struct Printer {
  const trace::Type& type;
  const void* elements;
  bool whole;
  std::string text;

  void axis(std::size_t axis_number, std::int64_t first, std::int64_t block) {
    if (axis_number == type.shape.size()) {
      text += element_text(type.dtype, elements, first);
      return;
    }
    const std::int64_t extent = type.shape[axis_number], inner = block / extent;
    text += '[';
    for (std::int64_t i = 0; i < extent; ++i) {
      if (i)
        text += ", ";
      if (!whole && extent > 2 * edge && i == edge) {
        text += "..., ";
        i = extent - edge;
      }
      axis(axis_number + 1, first + i * inner, inner);
    }
    text += ']';
  }
};

} // namespace

std::string value_text(const trace::Type& type, const void* elements) {
  if (type.shape.empty())
    return element_text(type.dtype, elements, 0);
  std::int64_t count = 1;
  for (std::int64_t extent : type.shape)
    count *= extent;
  Printer printer{type, elements, count <= shown_whole, {}};
  printer.axis(0, 0, count);
  return std::string(name(type.dtype)) + " " + host::shape_text(static_cast<int>(type.shape.size()), type.shape.data()) + " " +
         printer.text;
}

} // namespace tegula::runtime
