// What a kernel is given: tensors to read, to write and to accumulate into; and scalars, which are plain Tile<T>.
#pragma once
#include "tegula/kernel/accumulate.hpp"
#include "tegula/kernel/inputs.hpp"
#include "tegula/kernel/outputs.hpp"
