#include "llm/models/qwen3/Rope.h"

namespace tegula::llm::qwen3 {
namespace {

void check_kind(const JsonValue& rope) {
  if (!rope.given())
    return;
  for (const JsonValue& kind : {rope["rope_type"], rope["type"]}) // the second is the older name
    if (kind.given())
      kind.one_of({"default"}, "positions that are scaled, as by \"yarn\", are not supported. Without scaling the model takes "
                               "max_position_embeddings tokens: set rope_scaling to null if they are enough");
  if (!rope["rope_type"].given() && !rope["type"].given() && !rope["rope_theta"].given())
    rope.refuse("null, or an object with a rope_type");
}

void check_whole_head(const JsonValue& factor) {
  if (factor.given() && factor.number(0, 1) != 1)
    factor.refuse("1: heads of which a part is turned are not supported");
}

} // namespace

double read_rope_theta(const JsonValue& root) {
  constexpr double low = 1, high = 1e12;
  const JsonValue outside = root["rope_theta"], parameters = root["rope_parameters"];
  check_kind(root["rope_scaling"]);
  check_kind(parameters);
  check_whole_head(root["partial_rotary_factor"]);
  if (!parameters.given())
    return outside.number(low, high);
  check_whole_head(parameters["partial_rotary_factor"]);
  const JsonValue inside = parameters["rope_theta"];
  if (!inside.given())
    return outside.number(low, high);
  if (outside.given() && outside.number(low, high) != inside.number(low, high))
    outside.refuse("the same as in rope_parameters, or left out");
  return inside.number(low, high);
}

} // namespace tegula::llm::qwen3
