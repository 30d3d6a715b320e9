// Which family an opcode belongs to.
#include "tools/ptxemu/Copying.h"
#include "tools/ptxemu/Decoder.h"

namespace ptxemu {
namespace {

// add, mul, … exist for integers, f16 and bf16, and f32 and f64.
void decode_arithmetic(Decoder& decoder) {
  if (decoder.has("cc"))
    return decode_carry(decoder);
  for (const char* half : {"f16", "f16x2", "bf16", "bf16x2"})
    if (decoder.has(half))
      return decode_half(decoder);
  if (decoder.has("f32") || decoder.has("f64"))
    return decoder.root() == "ex2" || decoder.root() == "tanh" || decoder.root() == "div" ? decode_approximate(decoder)
                                                                                          : decode_float(decoder);
  decode_integer(decoder);
}

} // namespace

// cp.async, cp.async.bulk, cp.reduce.async.bulk
void decode_copy(Decoder& decoder) {
  bool reduce = decoder.take("reduce");
  if (!decoder.take("async"))
    decoder.unknown();
  if (decoder.take("bulk"))
    return decode_bulk_copy(decoder);
  if (reduce)
    decoder.unknown();
  decode_async_copy(decoder);
}

Family family_of(std::string_view root) {
  static const std::map<std::string_view, Family> families = {
      {"add", decode_arithmetic},
      {"sub", decode_arithmetic},
      {"mul", decode_arithmetic},
      {"mad", decode_arithmetic},
      {"fma", decode_arithmetic},
      {"div", decode_arithmetic},
      {"rem", decode_arithmetic},
      {"min", decode_arithmetic},
      {"max", decode_arithmetic},
      {"abs", decode_arithmetic},
      {"neg", decode_arithmetic},
      {"ex2", decode_arithmetic},
      {"tanh", decode_arithmetic},
      {"sad", decode_integer},
      {"mul24", decode_integer},
      {"addc", decode_carry},
      {"subc", decode_carry},
      {"madc", decode_carry},
      {"copysign", decode_float},
      {"rcp", decode_approximate},
      {"sqrt", decode_approximate},
      {"rsqrt", decode_approximate},
      {"lg2", decode_approximate},
      {"sin", decode_approximate},
      {"cos", decode_approximate},
      {"and", decode_bits},
      {"or", decode_bits},
      {"xor", decode_bits},
      {"not", decode_bits},
      {"cnot", decode_bits},
      {"shl", decode_bits},
      {"shr", decode_bits},
      {"shf", decode_bits},
      {"prmt", decode_fields},
      {"bfe", decode_fields},
      {"bfi", decode_fields},
      {"lop3", decode_bits},
      {"popc", decode_fields},
      {"clz", decode_fields},
      {"brev", decode_fields},
      {"bfind", decode_fields},
      {"bmsk", decode_fields},
      {"szext", decode_fields},
      {"dp4a", decode_fields},
      {"dp2a", decode_fields},
      {"setp", decode_compare},
      {"set", decode_compare},
      {"selp", decode_select},
      {"slct", decode_select},
      {"testp", decode_select},
      {"mov", decode_move},
      {"cvta", decode_move},
      {"isspacep", decode_move},
      {"cvt", decode_convert},
      {"ld", decode_load},
      {"ldu", decode_load},
      {"st", decode_store},
      {"atom", decode_atomic},
      {"red", decode_atomic},
      {"bra", decode_branch},
      {"brx", decode_branch},
      {"ret", decode_branch},
      {"exit", decode_branch},
      {"trap", decode_branch},
      {"call", decode_call},
      {"nanosleep", decode_nothing},
      {"prefetch", decode_nothing},
      {"prefetchu", decode_nothing},
      {"discard", decode_nothing},
      {"applypriority", decode_nothing},
      {"createpolicy", decode_nothing},
      {"griddepcontrol", decode_grid_dependency},
      {"setmaxnreg", decode_nothing},
      {"pmevent", decode_nothing},
      {"bar", decode_barrier},
      {"barrier", decode_barrier},
      {"membar", decode_fence},
      {"fence", decode_fence},
      {"shfl", decode_warp},
      {"vote", decode_warp},
      {"match", decode_warp},
      {"redux", decode_warp},
      {"elect", decode_warp},
      {"activemask", decode_warp},
      {"mbarrier", decode_mbarrier},
      {"cp", decode_copy},
      {"ldmatrix", decode_matrix},
      {"stmatrix", decode_matrix},
      {"movmatrix", decode_matrix},
      {"mma", decode_mma},
  };
  auto found = families.find(root);
  return found == families.end() ? nullptr : found->second;
}

} // namespace ptxemu
