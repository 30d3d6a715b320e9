// Those that are compiled ahead of time.
#include "kernels.hpp"
