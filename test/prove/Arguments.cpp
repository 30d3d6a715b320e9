#include "test/prove/Arguments.h"

#include "test/support/Inputs.h"
#include "test/support/KernelText.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <stdexcept>

namespace tegula::test {
namespace {

DType dtype_of(const std::string& element) {
  for (const DType dtype : all_dtypes)
    if (spell(dtype) == element)
      return dtype;
  throw std::runtime_error("no element type: " + element);
}

std::uint64_t encode(const ParameterInfo& info, std::int64_t number) {
  const DType dtype = dtype_of(info.element);
  if (info.bits > 0)
    return encode_integer(dtype, number);
  return encode_number(dtype, number == not_a_number ? std::numeric_limits<Real>::quiet_NaN() : static_cast<Real>(number));
}

Tensor tensor_of(const ParameterInfo& info, int parameter, const LaunchShape::Parameter& shape, const Contents& contents) {
  std::vector<std::uint64_t> bits;
  for (std::int64_t position = 0; position < size_of(shape.extents); ++position)
    bits.push_back(encode(info, content(contents, info, parameter, shape, position)));
  Tensor tensor(dtype_of(info.element), shape.extents, bits);
  if (info.is_certified())
    tensor.bound = shape.value;
  return tensor;
}

} // namespace

Arguments::Arguments(const Footprint& footprint, const LaunchShape& launch, const Contents& contents) {
  tensors_.reserve(launch.parameters.size()); // the list points to them
  for (std::size_t i = 0; i < launch.parameters.size(); ++i) {
    const ParameterInfo& info = footprint.parameters()[i];
    if (info.is_view())
      list_.emplace_back(&tensors_.emplace_back(tensor_of(info, static_cast<int>(i), launch.parameters[i], contents)));
    else
      list_.emplace_back(Scalar{info.bits > 0 ? static_cast<std::uint64_t>(launch.parameters[i].value)
                                              : encode(info, launch.parameters[i].value)});
  }
}

bool Arguments::operator==(const Arguments& other) const {
  return std::equal(tensors_.begin(), tensors_.end(), other.tensors_.begin(), [](const Tensor& a, const Tensor& b) {
    const std::size_t size = a.bytes.size();
    return a.bytes.is_intact() && b.bytes.is_intact() && (size == 0 || std::memcmp(a.bytes.data(), b.bytes.data(), size) == 0);
  });
}

} // namespace tegula::test
