// What a kernel is given: tensors to read, to write and to accumulate into; scalars, which are plain Tile<T>; and lists of these.
#pragma once
#include "tegula/kernel/accumulate.hpp"
#include "tegula/kernel/group.hpp"
#include "tegula/kernel/inputs.hpp"
#include "tegula/kernel/outputs.hpp"
#include "tegula/kernel/positions.hpp"
