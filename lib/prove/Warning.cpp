// What is said about a kernel that runs with checks.
#include "lib/prove/Proof.h"

#include <set>

namespace tegula {

static const char* words(Cost cost) {
  switch (cost) {
  case Cost::nothing:
    return "nothing";
  case Cost::program:
    return "a comparison in each program";
  case Cost::access:
    return "a comparison for each access";
  case Cost::writes:
    return "a record of every write to the tensor: several times slower";
  }
  return "";
}

std::string Proof::warning() const {
  std::set<std::string> told;
  std::string text;
  for (const Obligation& o : obligations) {
    if (o.rung != Rung::checked)
      continue;
    std::string line = "\n  " + place(o.location) + ": " + o.what + " (" + name(o.kind) + "): " + o.how + "; the check costs " +
                       words(o.cost) + "\n    instead: " + o.instead;
    if (told.insert(line).second)
      text += line;
  }
  if (text.empty())
    return text;
  return "kernel '" + kernel + "' (" + place(location) + ") runs with checks, as not everything about it could be proved" + text;
}

} // namespace tegula
