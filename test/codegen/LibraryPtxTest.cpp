// The PTX of the library's kernels: it assembles for every target, needs no local memory, and has the instructions that matter.
// Registers and memory of each are written to ptx-resources.txt.
#include "kernels/registry.hpp"
#include "test/codegen/Generate.h"

#include <gtest/gtest.h>

namespace tegula::test {
namespace {

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
  for (bool whole : {true, false}) {
    const auto [code, assembled] = generate(entry.make(), target, whole);
    EXPECT_EQ(count(code->ptx, ".entry"), 1);
    EXPECT_EQ(count(code->ptx, "__local_depot"), 0) << "the kernel uses local memory";
    if (!assembled)
      GTEST_SKIP() << "there is no ptxas on this machine";
    EXPECT_EQ(assembled->spilled_bytes, 0);
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
  const std::string ptx = generate(library("add")).code->ptx;
  EXPECT_EQ(count(ptx, "ld.global.nc.v4.b32"), 4);
  EXPECT_EQ(count(ptx, "st.global.v4.b32"), 2);
  EXPECT_EQ(count(ptx, "setp"), 0) << "of a tensor of whole tiles nothing needs a mask";
  EXPECT_EQ(count(ptx, "bra"), 0);
}

TEST(KeyKernels, MasksAppearWhereATileMayEndOutside) {
  EXPECT_GT(count(generate(library("add"), "sm_90a", false).code->ptx, "setp"), 0);
}

TEST(KeyKernels, WritesThatDoNotOverlapWaitForNothing) {
  for (const char* name : {"add", "copy", "saxpy", "silu_product", "row_statistics"})
    for (const bool whole : {true, false})
      EXPECT_EQ(count(generate(library(name), "sm_90a", whole).code->ptx, "bar."), 0) << name;
}

TEST(KeyKernels, ProductsUseTheTensorCores) {
  auto product = kernel("product", [](Out<f32, 64, 64> c, In<bf16, 64, 32> a, In<bf16, 32, 64> b) {
    expects(a.extent(0) == c.extent(0) && b.extent(1) == c.extent(1) && a.extent(1) == b.extent(0), "shapes agree");
    auto sum = zeros<f32, 64, 64>();
    for (auto k : a.tiles(1))
      sum = mma(a(c.at(0), k), b(k, c.at(1)), sum);
    c.store(sum);
  });
  const std::string ptx = generate(product, "sm_80").code->ptx, hopper = generate(product).code->ptx;
  EXPECT_GT(count(hopper, "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier"), 0) << "TMA brings operands";
  EXPECT_GT(count(hopper, "mbarrier.try_wait.parity"), 0);
  EXPECT_GT(count(ptx, "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32"), 0);
  EXPECT_GT(count(ptx, "cp.async.cg.shared.global"), 0) << "operands run ahead of the loop";
  EXPECT_GT(count(ptx, "ldmatrix.sync.aligned.m8n8.x4.shared.b16"), 0);
  EXPECT_GT(count(ptx, "ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16"), 0) << "B's rows are contiguous";
}

TEST(KeyKernels, TheCopyEngineStoresTheResultsOfProducts) {
  const std::string by_engine = "cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group";
  for (const std::string name : {"matrix_product", "silu_gate"}) {
    for (const std::string target : {"sm_90a", "sm_100a", "sm_120a"})
      for (const bool whole : {true, false}) {
        const std::string ptx = generate(library(name), target, whole).code->ptx;
        EXPECT_GT(count(ptx, by_engine), 0) << name << " " << target;
        EXPECT_EQ(count(ptx, "st.global"), 0) << name << " " << target;
        EXPECT_EQ(count(ptx, "cp.async.bulk.wait_group.read 0"), 1) << name << " " << target << ": at the end";
      }
    const std::string older = generate(library(name), "sm_80").code->ptx;
    EXPECT_EQ(count(older, "cp.async.bulk"), 0);
    EXPECT_GT(count(older, "st.global"), 0);
  }
  EXPECT_EQ(count(generate(library("add")).code->ptx, by_engine), 0) << "rows are stored as well by threads";
  EXPECT_EQ(count(generate(library("transpose")).code->ptx, by_engine), 0);
}

TEST(KeyKernels, HopperWaitsBeforeTheFirstAccessToWhatIsNotSettled) {
  for (const std::string name : {"add", "softmax", "matrix_product", "matrix_vector", "embedding", "histogram"}) {
    const std::string ptx = generate(library(name), "sm_90a", true, /*settled=*/false).code->ptx;
    const std::size_t wait = ptx.find("griddepcontrol.wait;");
    EXPECT_EQ(count(ptx, "griddepcontrol.wait;"), 1) << name;
    EXPECT_LT(ptx.find("griddepcontrol.launch_dependents;"), wait) << name;
    for (const char* access : {"ld.global", "st.global", "atom.", "red.", "cp.async"})
      EXPECT_GT(ptx.find(access), wait) << name << ": " << access;
    EXPECT_EQ(count(ptx, "ld.global.nc"), 0) << name << ": what other kernels write is not invariant";
    EXPECT_EQ(count(generate(library(name), "sm_80").code->ptx, "griddepcontrol"), 0) << name;
  }
}

TEST(KeyKernels, HopperReadsWhatIsSettledBeforeItWaits) {
  for (const std::string name : {"add", "softmax", "matrix_vector"}) {
    const std::string ptx = generate(library(name)).code->ptx;
    const std::size_t wait = ptx.find("griddepcontrol.wait;");
    EXPECT_LT(ptx.rfind("ld.global"), wait) << name;
    EXPECT_GT(ptx.find("st.global"), wait) << name;
  }
}

TEST(KeyKernels, ReductionsShuffle) {
  const std::string ptx = generate(library("softmax")).code->ptx;
  EXPECT_GT(count(ptx, "shfl.sync.bfly"), 0);
  EXPECT_GT(count(ptx, "ex2.approx"), 0);
}

TEST(KeyKernels, LinesOfTheSourceAreInThePtx) {
  const std::string ptx = generate(library("add")).code->ptx;
  EXPECT_GT(count(ptx, "\"kernels/add.hpp\""), 0);
  EXPECT_GT(count(ptx, ".loc"), 0);
}

} // namespace
} // namespace tegula::test
