// The functions of NVIDIA's driver that we call, with our own declarations of what they take: building needs no CUDA toolkit.
#pragma once
#include <cstddef>
#include <cstdint>

namespace tegula::gpu::cuda {

using Result = int; // 0: success
using Ordinal = int;
using Address = std::uint64_t; // in device memory
using Context = struct ContextHandle*;
using Stream = struct StreamHandle*;
using Event = struct EventHandle*;
using Module = struct ModuleHandle*;
using Entry = struct EntryHandle*;
using Link = struct LinkHandle*;
using Pool = struct PoolHandle*;
using Graph = struct GraphHandle*;
using GraphExec = struct GraphExecHandle*;
using GraphNode = struct GraphNodeHandle*;

// What nodes of a graph are made from. The layouts are the driver's.

struct KernelNodeParams {
  Entry entry = nullptr;
  unsigned grid_x = 1, grid_y = 1, grid_z = 1, block_x = 1, block_y = 1, block_z = 1;
  unsigned shared_bytes = 0; // dynamic
  void** parameters = nullptr;
  void** extra = nullptr;
  void* kernel = nullptr; // instead of an entry
  Context context = nullptr;
};

struct MemsetNodeParams {
  Address to = 0;
  std::size_t pitch = 0; // bytes from row to row, if there are several
  unsigned value = 0, element_bytes = 1;
  std::size_t width = 0, height = 1; // elements of a row, rows
};

/// One side of a copy.
struct CopyPlace {
  std::size_t x = 0, y = 0, z = 0; // where it begins: bytes, rows, slices
  std::size_t level = 0;
  unsigned type = 0; // host_memory or device_memory
  void* host = nullptr;
  Address device = 0;
  void* array = nullptr;
  void* reserved = nullptr;
  std::size_t pitch = 0, height = 0; // bytes from row to row, rows from slice to slice
};
inline constexpr unsigned host_memory = 1, device_memory = 2;
struct Memcpy3D {
  CopyPlace from, to;
  std::size_t width = 0, height = 1, depth = 1; // bytes of a row, rows, slices
};

/// How one node comes after another. Zeros: when it has ended.
struct GraphEdgeData {
  unsigned char from_port = 0, to_port = 0, type = 0, reserved[5] = {};
};
/// The later kernel may start when the earlier one lets it, and waits for its end by itself.
inline constexpr GraphEdgeData programmatic{.from_port = 1, .type = 1};

static_assert(sizeof(KernelNodeParams) == 72 && sizeof(MemsetNodeParams) == 40 && sizeof(CopyPlace) == 88 &&
              sizeof(Memcpy3D) == 200 && sizeof(GraphEdgeData) == 8);

/// Results that we tell apart.
inline constexpr Result success = 0, invalid_value = 1, out_of_memory = 2, no_device = 100, not_ready = 600;

} // namespace tegula::gpu::cuda

/// F(name in the library, parameter types...)
#define TEGULA_DRIVER_FUNCTIONS(F)                                                                                                 \
  F(cuInit, unsigned)                                                                                                              \
  F(cuDriverGetVersion, int*)                                                                                                      \
  F(cuGetErrorName, Result, const char**)                                                                                          \
  F(cuGetErrorString, Result, const char**)                                                                                        \
  F(cuDeviceGetCount, int*)                                                                                                        \
  F(cuDeviceGet, Ordinal*, int)                                                                                                    \
  F(cuDeviceGetName, char*, int, Ordinal)                                                                                          \
  F(cuDeviceGetAttribute, int*, int, Ordinal)                                                                                      \
  F(cuDeviceTotalMem_v2, std::size_t*, Ordinal)                                                                                    \
  F(cuDevicePrimaryCtxRetain, Context*, Ordinal)                                                                                   \
  F(cuDevicePrimaryCtxRelease_v2, Ordinal)                                                                                         \
  F(cuCtxGetCurrent, Context*)                                                                                                     \
  F(cuCtxSetCurrent, Context)                                                                                                      \
  F(cuCtxSynchronize)                                                                                                              \
  F(cuCtxGetStreamPriorityRange, int*, int*)                                                                                       \
  F(cuMemGetInfo_v2, std::size_t*, std::size_t*)                                                                                   \
  F(cuMemAlloc_v2, Address*, std::size_t)                                                                                          \
  F(cuMemFree_v2, Address)                                                                                                         \
  F(cuMemAllocAsync, Address*, std::size_t, Stream)                                                                                \
  F(cuMemFreeAsync, Address, Stream)                                                                                               \
  F(cuMemHostAlloc, void**, std::size_t, unsigned)                                                                                 \
  F(cuMemFreeHost, void*)                                                                                                          \
  F(cuDeviceGetDefaultMemPool, Pool*, Ordinal)                                                                                     \
  F(cuMemPoolSetAttribute, Pool, int, void*)                                                                                       \
  F(cuMemPoolGetAttribute, Pool, int, void*)                                                                                       \
  F(cuMemPoolTrimTo, Pool, std::size_t)                                                                                            \
  F(cuMemcpyHtoDAsync_v2, Address, const void*, std::size_t, Stream)                                                               \
  F(cuMemcpyDtoHAsync_v2, void*, Address, std::size_t, Stream)                                                                     \
  F(cuMemcpyDtoDAsync_v2, Address, Address, std::size_t, Stream)                                                                   \
  F(cuMemsetD8Async, Address, unsigned char, std::size_t, Stream)                                                                  \
  F(cuMemsetD16Async, Address, unsigned short, std::size_t, Stream)                                                                \
  F(cuMemsetD32Async, Address, unsigned, std::size_t, Stream)                                                                      \
  F(cuStreamCreate, Stream*, unsigned)                                                                                             \
  F(cuStreamCreateWithPriority, Stream*, unsigned, int)                                                                            \
  F(cuStreamDestroy_v2, Stream)                                                                                                    \
  F(cuStreamWaitEvent, Stream, Event, unsigned)                                                                                    \
  F(cuStreamSynchronize, Stream)                                                                                                   \
  F(cuEventCreate, Event*, unsigned)                                                                                               \
  F(cuEventDestroy_v2, Event)                                                                                                      \
  F(cuEventRecord, Event, Stream)                                                                                                  \
  F(cuEventQuery, Event)                                                                                                           \
  F(cuEventSynchronize, Event)                                                                                                     \
  F(cuEventElapsedTime_v2, float*, Event, Event)                                                                                   \
  F(cuEventElapsedTime, float*, Event, Event)                                                                                      \
  F(cuModuleLoadDataEx, Module*, const void*, unsigned, int*, void**)                                                              \
  F(cuModuleUnload, Module)                                                                                                        \
  F(cuModuleGetFunction, Entry*, Module, const char*)                                                                              \
  F(cuFuncSetAttribute, Entry, int, int)                                                                                           \
  F(cuFuncGetAttribute, int*, int, Entry)                                                                                          \
  F(cuLaunchKernel, Entry, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, Stream, void**, void**)           \
  F(cuLinkCreate_v2, unsigned, int*, void**, Link*)                                                                                \
  F(cuLinkAddData_v2, Link, int, void*, std::size_t, const char*, unsigned, int*, void**)                                          \
  F(cuLinkComplete, Link, void**, std::size_t*)                                                                                    \
  F(cuLinkDestroy, Link)                                                                                                           \
  F(cuTensorMapEncodeTiled, void*, int, unsigned, Address, const std::uint64_t*, const std::uint64_t*, const std::uint32_t*,       \
    const std::uint32_t*, int, int, int, int)                                                                                      \
  F(cuGraphCreate, Graph*, unsigned)                                                                                               \
  F(cuGraphAddKernelNode_v2, GraphNode*, Graph, const GraphNode*, std::size_t, const KernelNodeParams*)                            \
  F(cuGraphAddMemcpyNode, GraphNode*, Graph, const GraphNode*, std::size_t, const Memcpy3D*, Context)                              \
  F(cuGraphAddMemsetNode, GraphNode*, Graph, const GraphNode*, std::size_t, const MemsetNodeParams*, Context)                      \
  F(cuGraphAddDependencies_v2, Graph, const GraphNode*, const GraphNode*, const GraphEdgeData*, std::size_t)                       \
  F(cuGraphExecKernelNodeSetParams_v2, GraphExec, GraphNode, const KernelNodeParams*)                                              \
  F(cuGraphUpload, GraphExec, Stream)                                                                                              \
  F(cuGraphInstantiateWithFlags, GraphExec*, Graph, unsigned long long)                                                            \
  F(cuGraphLaunch, GraphExec, Stream)                                                                                              \
  F(cuGraphExecDestroy, GraphExec)                                                                                                 \
  F(cuGraphDestroy, Graph)
