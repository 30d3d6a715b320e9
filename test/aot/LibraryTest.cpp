// What is embedded comes back as it was.
#include "lib/aot/Library.h"
#include "lib/abi/KernelBytes.h"
#include "lib/aot/Embedded.h"
#include "lib/runtime/Inspect.h"
#include "tegula/tegula.hpp"
#include "test/runtime/Expect.h"

#include <gtest/gtest.h>

namespace {

using namespace tegula;

aot::Library library() {
  Proof proof;
  proof.kernel = "k";
  proof.covered = {0};
  aot::Library library;
  library.proofs = {{{"k", "f0"}, true, proof}, {{"l", "2"}, false, proof}};
  GpuKernel code;
  code.entry = "entry";
  code.ptx = ".version 8.0";
  code.image = std::string("c\0de", 4);
  code.target = "sm_80";
  library.variants = {{{"k", "1"}, "sm_80", 4, 3, 128, {{{Stride::any, Stride::one}, true, false}, {}}, pack_kernel(code)}};
  return library;
}

TEST(Library, ComesBackAsItWas) {
  const std::string bytes = aot::pack(library());
  const std::optional<aot::Library> back = aot::unpack(bytes);
  ASSERT_TRUE(back);
  ASSERT_EQ(back->proofs.size(), 2u);
  EXPECT_EQ(back->proofs[0].kernel, library().proofs[0].kernel);
  EXPECT_TRUE(back->proofs[0].strict);
  EXPECT_FALSE(back->proofs[1].strict);
  EXPECT_EQ(back->proofs[0].proof.covered, std::vector<int>{0});
  ASSERT_EQ(back->variants.size(), 1u);
  const aot::Variant &variant = back->variants[0], expected = library().variants[0];
  EXPECT_EQ(variant.kernel, expected.kernel);
  EXPECT_EQ(variant.target, "sm_80");
  EXPECT_EQ(variant.warps, 4);
  EXPECT_EQ(variant.stages, 3);
  EXPECT_EQ(variant.max_regs, 128);
  EXPECT_EQ(variant.specialisation, expected.specialisation);
  const std::optional<GpuKernel> code = unpack_kernel(variant.code);
  ASSERT_TRUE(code);
  EXPECT_EQ(code->ptx, ".version 8.0");
  EXPECT_EQ(code->image, std::string("c\0de", 4));
  for (std::size_t size = 0; size < bytes.size(); ++size)
    EXPECT_FALSE(aot::unpack(bytes.substr(0, size))) << size;
  EXPECT_FALSE(aot::unpack(bytes + "x"));
}

aot::Identity identity(const AnyKernel& kernel) { return aot::identity_of(trace_of(kernel)); }

void twice(Out<f32, 4> y, In<f32, 4> x) { y.store(x[y] * 2); }
void twice_elsewhere(Out<f32, 4> y, In<f32, 4> x) { y.store(x[y] * 2); }
template <int N> void times(Out<f32, 4> y, In<f32, 4> x) { y.store(x[y] * N); }

/// What is looked up and not found is told what differs.
TEST(Library, SaysWhatDiffers) {
  const auto known = kernel<twice>("twice");
  const trace::Record& record = trace_of(known);
  Proof proof;
  proof.location = {"k.cpp", 12, 5};
  aot::Library library;
  library.proofs = {{identity(known), true, proof}};
  const ViewFacts rows{{Stride::one}, false, false, true};
  library.variants = {{identity(known), "sm_90a", 0, 0, 0, {rows, rows}, pack_kernel({})}};
  static const std::string bytes = aot::pack(library);
  ASSERT_TRUE(aot::embed(bytes.data(), bytes.size()));

  const std::shared_ptr<const KernelIr> ir = import_kernel(record);
  EXPECT_TRUE(compile_for_gpu(*ir, {rows, rows}, {.target = "sm_90a", .warps = 4}));
  const ViewFacts any{{Stride::any}, false, false};
  EXPECT_ERROR(LaunchError, compile_for_gpu(*ir, {rows, any}, {.target = "sm_90a"}),
               "was compiled ahead of time, but for no tensors with the strides of these; copy them to tensors of their own");
  EXPECT_ERROR(LaunchError, compile_for_gpu(*ir, {rows, rows}, {.target = "sm_80"}),
               "was compiled ahead of time for sm_90a, none of which runs on this device, sm_80; add its target");
  EXPECT_FALSE(prove_kernel(record, {.strict = true}).proof.refuted());
  EXPECT_ERROR(LaunchError, prove_kernel(record, {.strict = false}),
               "was compiled ahead of time with other hints: strict, and here it is not; make it with the same hints");
  const auto elsewhere = kernel<twice_elsewhere>("twice"), other = kernel<twice>("other");
  EXPECT_ERROR(LaunchError, prove_kernel(trace_of(elsewhere), {.strict = true}),
               "is not the one of that name that was compiled ahead of time (k.cpp:12): it records something else, or has other "
               "source lines");
  EXPECT_ERROR(LaunchError, compile_for_gpu(*import_kernel(trace_of(elsewhere)), {rows, rows}, {}),
               "is not the one of that name that was compiled ahead of time (k.cpp:12)");
  EXPECT_ERROR(LaunchError, prove_kernel(trace_of(other), {.strict = true}),
               "was not compiled ahead of time; make it at namespace scope");
}

TEST(Library, OfAnotherVersionIsRefused) {
  const std::string bytes = aot::pack(library());
  const std::size_t proofs = aot::embedded()->proofs.size(), variants = aot::embedded()->variants.size();
  ASSERT_TRUE(aot::embed(bytes.data(), bytes.size()));
  const auto first = aot::embedded();
  EXPECT_EQ(first->proofs.size(), proofs + 2);
  EXPECT_EQ(aot::embedded(), first);
  aot::embed(bytes.data(), bytes.size()); // another part of the program
  EXPECT_EQ(aot::embedded()->variants.size(), variants + 2);
  EXPECT_EQ(first->variants.size(), variants + 1);
  aot::embed("nonsense", 8);
  EXPECT_MESSAGE(aot::embedded(),
                 "tegula: kernels that are embedded in this program were compiled by another version of Tegula than "
                 "it is linked with; build it again");
}

template <bool Always> void read_sometimes(Out<f32, 4> y, In<f32, 4> x, Scalar<i64> mode, Scalar<i64> at) {
  auto tile = zeros<f32, 4>(), other = zeros<f32, 4>();
  const auto read = [&] { other = x(at); };
  if constexpr (Always)
    read();
  if_(mode == 2, [&] { Always ? void() : read(), tile = other; });
  y.store(tile);
}

TEST(Identity, IsOfWhereALoadStands) {
  EXPECT_NE(identity(kernel<read_sometimes<true>>("read")), identity(kernel<read_sometimes<false>>("read")));
}

TEST(Identity, IsOfTheNameTheRecordAndItsLines) {
  EXPECT_EQ(identity(kernel<twice>("twice")), identity(kernel<twice>("twice", {.warps = 2})));
  EXPECT_NE(identity(kernel<twice>("twice")), identity(kernel<twice>("double")));
  EXPECT_NE(identity(kernel<twice>("twice")), identity(kernel<twice_elsewhere>("twice")));
  EXPECT_NE(identity(kernel<times<2>>("times")), identity(kernel<times<3>>("times")));
}

} // namespace
