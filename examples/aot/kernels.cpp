// The file that is given to tegula_add_kernels(): what it makes before main() is proved and compiled.
#include "kernels.hpp"
