// Everything: the kernel language, and the host side that launches kernels.
#pragma once
#include "tegula/error.hpp"
#include "tegula/host/any_op.hpp"
#include "tegula/host/await.hpp"
#include "tegula/host/graph.hpp"
#include "tegula/host/launch.hpp"
#include "tegula/host/print.hpp"
#include "tegula/host/proof.hpp"
#include "tegula/host/queue.hpp"
#include "tegula/host/task.hpp"
#include "tegula/kernel.hpp"
