// What this CPU is called and what it can do, for people.
#pragma once
#include <string>

namespace tegula::bench {

/// For example "Intel(R) Xeon(R) Platinum 8488C, AVX-512, AMX".
std::string machine();

} // namespace tegula::bench
