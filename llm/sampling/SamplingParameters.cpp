#include "llm/sampling/SamplingParameters.h"

#include "tegula/error.hpp"

#include <limits>
#include <sstream>

namespace tegula::llm {
namespace {

template <class T> void require_between(const char* name, T value, T low, T high, const char* instead = "") {
  if (value >= low && value <= high) // which NaN is not
    return;
  std::ostringstream message;
  message << "sampling: " << name << " is " << value << "; it is from " << low << " to " << high << instead;
  throw Error(message.str());
}

} // namespace

void check(const SamplingParameters& parameters) {
  if (parameters.temperature != 0)
    require_between("temperature", parameters.temperature, 0.001, 100.0, ", or 0 for the most likely token");
  require_between<std::int64_t>("top_k", parameters.top_k, 0, std::numeric_limits<std::int32_t>::max(), ", 0 being off");
  require_between("top_p", parameters.top_p, 0.0, 1.0, ", 1 being off");
  require_between("min_p", parameters.min_p, 0.0, 1.0, ", 0 being off");
  require_between("repetition_penalty", parameters.repetition_penalty, 0.01, 100.0, ", 1 being off");
  require_between("presence_penalty", parameters.presence_penalty, -2.0, 2.0, ", 0 being off");
  require_between("frequency_penalty", parameters.frequency_penalty, -2.0, 2.0, ", 0 being off");
}

} // namespace tegula::llm
