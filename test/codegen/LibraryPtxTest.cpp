// The PTX of the library's kernels: it assembles for every target, needs no local memory, and has the instructions that matter.
// Registers and memory of each are written to ptx-resources.txt.
#include "kernels/registry.hpp"
#include "lib/compile/Compile.h"
#include "lib/runtime/Inspect.h"
#include "tegula/tegula.hpp"
#include "test/support/Ptxas.h"

#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <mutex>

namespace tegula::test {
namespace {

/// As most tensors are: row-major, aligned, of whole tiles or not.
std::shared_ptr<const GpuKernel> compile(const AnyKernel& kernel, const std::string& target, bool whole = true) {
  Specialisation facts = row_major(trace_of(kernel));
  for (ViewFacts& view : facts)
    view.aligned = true, view.whole = whole;
  GpuOptions options;
  options.target = target;
  options.warps = kernel.hints().warps;
  options.stages = kernel.hints().stages;
  return compile_for_gpu(trace_of(kernel), facts, options);
}

AnyKernel library(const std::string& name) {
  for (const kernels::Entry& entry : kernels::registry())
    if (name == entry.name)
      return entry.make();
  throw std::runtime_error("the library has no kernel " + name);
}

int count(const std::string& text, const std::string& what) {
  int found = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1))
    ++found;
  return found;
}

class LibraryPtx : public testing::TestWithParam<std::tuple<kernels::Entry, const char*>> {};

TEST_P(LibraryPtx, AssemblesWithoutSpills) {
  const auto [entry, target] = GetParam();
  static std::ofstream report("ptx-resources.txt");
  for (bool whole : {true, false}) {
    const auto code = compile(entry.make(), target, whole);
    EXPECT_EQ(count(code->ptx, ".entry"), 1);
    EXPECT_EQ(count(code->ptx, "__local_depot"), 0) << "the kernel uses local memory";
    const std::optional<Assembled> assembled = assemble(code->ptx, target);
    if (!assembled)
      GTEST_SKIP() << "there is no ptxas on this machine";
    ASSERT_EQ(assembled->error, "");
    EXPECT_EQ(assembled->spilled_bytes, 0);
    report << entry.name << (whole ? "" : " (ragged)") << " " << target << ": " << code->threads << " threads, "
           << assembled->registers << " registers, " << assembled->spilled_bytes << " bytes spilled, " << code->shared_bytes
           << " bytes of shared memory\n"
           << std::flush;
  }
}

std::string name_of(const testing::TestParamInfo<LibraryPtx::ParamType>& info) {
  return std::string(std::get<0>(info.param).name) + "_" + std::get<1>(info.param);
}

INSTANTIATE_TEST_SUITE_P(all, LibraryPtx,
                         testing::Combine(testing::ValuesIn(kernels::registry().begin(), kernels::registry().end()),
                                          testing::Values("sm_80", "sm_90a", "sm_100a", "sm_120a")),
                         name_of);

TEST(KeyKernels, AddLoadsAndStoresVectorsWithoutBranches) {
  const std::string ptx = compile(library("add"), "sm_90a")->ptx;
  EXPECT_EQ(count(ptx, "ld.global.nc.v4.b32"), 4);
  EXPECT_EQ(count(ptx, "st.global.v4.b32"), 2);
  EXPECT_EQ(count(ptx, "setp"), 0) << "of a tensor of whole tiles nothing needs a mask";
  EXPECT_EQ(count(ptx, "bra"), 0);
}

TEST(KeyKernels, MasksAppearWhereATileMayEndOutside) { EXPECT_GT(count(compile(library("add"), "sm_90a", false)->ptx, "setp"), 0); }

TEST(KeyKernels, ProductsUseTheTensorCores) {
  auto product = kernel("product", [](Out<f32, 64, 64> c, In<bf16, 64, 32> a, In<bf16, 32, 64> b) {
    expects(a.dim(0) == c.dim(0) && b.dim(1) == c.dim(1) && a.dim(1) == b.dim(0), "shapes agree");
    auto sum = zeros<f32, 64, 64>();
    for (auto k : a.tiles(1))
      sum = mma(a(c.at(0), k), b(k, c.at(1)), sum);
    c.store(sum);
  });
  const std::string ptx = compile(product, "sm_80")->ptx, hopper = compile(product, "sm_90a")->ptx;
  EXPECT_GT(count(hopper, "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier"), 0) << "the copy engine brings operands";
  EXPECT_GT(count(hopper, "mbarrier.try_wait.parity"), 0);
  EXPECT_GT(count(ptx, "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32"), 0);
  EXPECT_GT(count(ptx, "cp.async.cg.shared.global"), 0) << "operands run ahead of the loop";
  EXPECT_GT(count(ptx, "ldmatrix.sync.aligned.m8n8.x4.shared.b16"), 0);
  EXPECT_GT(count(ptx, "ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16"), 0) << "B's rows are contiguous";
}

TEST(KeyKernels, ReductionsShuffle) {
  const std::string ptx = compile(library("softmax"), "sm_90a")->ptx;
  EXPECT_GT(count(ptx, "shfl.sync.bfly"), 0);
  EXPECT_GT(count(ptx, "ex2.approx"), 0);
}

TEST(KeyKernels, LinesOfTheSourceAreInThePtx) {
  const std::string ptx = compile(library("add"), "sm_90a")->ptx;
  EXPECT_GT(count(ptx, "\"kernels/add.hpp\""), 0);
  EXPECT_GT(count(ptx, ".loc"), 0);
}

} // namespace
} // namespace tegula::test
