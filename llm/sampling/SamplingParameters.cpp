#include "llm/sampling/SamplingParameters.h"

#include "tegula/error.hpp"

#include <sstream>

namespace tegula::llm {
namespace {

template <class T> void require_in(Range<T> range, const char* name, T value, const char* instead) {
  if (value >= range.least && value <= range.most) // which NaN is not
    return;
  std::ostringstream message;
  message << "sampling: " << name << " is " << value << "; it is from " << range.least << " to " << range.most << instead;
  throw Error(message.str());
}

} // namespace

void check(const SamplingParameters& parameters) {
  if (parameters.temperature != 0)
    require_in(ranges::temperature, "temperature", parameters.temperature, ", or 0 for the most likely token");
  require_in(ranges::top_k, "top_k", parameters.top_k, ", 0 being off");
  require_in(ranges::top_p, "top_p", parameters.top_p, ", 1 being off");
  require_in(ranges::min_p, "min_p", parameters.min_p, ", 0 being off");
  require_in(ranges::repetition_penalty, "repetition_penalty", parameters.repetition_penalty, ", 1 being off");
  require_in(ranges::presence_penalty, "presence_penalty", parameters.presence_penalty, ", 0 being off");
  require_in(ranges::frequency_penalty, "frequency_penalty", parameters.frequency_penalty, ", 0 being off");
}

} // namespace tegula::llm
