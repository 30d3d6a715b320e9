// What kernels are compiled for ahead of time.
#pragma once
#include "lib/compile/Compile.h"

#include <vector>

namespace tegula::aot {

/// Whole row-major tensors with tiles that divide them, with tiles that do not, with addresses of any alignment; and last all that
/// there is. So every launch finds code.
std::vector<Specialisation> usual_specialisations(const trace::Record&);

} // namespace tegula::aot
