// The kernel language: everything that is seen inside a kernel.
#pragma once
#include "tegula/kernel/cast.hpp"
#include "tegula/kernel/control.hpp"
#include "tegula/kernel/create.hpp"
#include "tegula/kernel/math.hpp"
#include "tegula/kernel/messages.hpp"
#include "tegula/kernel/mma.hpp"
#include "tegula/kernel/params.hpp"
#include "tegula/kernel/random.hpp"
#include "tegula/kernel/reduce.hpp"
#include "tegula/kernel/scan.hpp"
#include "tegula/kernel/shape.hpp"
#include "tegula/kernel/signature.hpp"
