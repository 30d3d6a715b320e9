// What is proved about a kernel decides whether it is launched.
#include "Expect.h"
#include "FakeCompiler.h"
#include "lib/runtime/Inspect.h"
#include "tegula/tegula.hpp"

#include <cstdlib>
#include <fstream>
#include <gtest/gtest.h>

namespace {

using namespace tegula;
using Op = Uniform::Op;

Uniform leaf(Op op, int parameter, int axis = 0) {
  return {{{.op = op, .parameter = static_cast<i16>(parameter), .axis = static_cast<i16>(axis)}}};
}

LaunchCondition condition(Inequality inequality, std::string purpose, std::string text = "") {
  LaunchCondition condition;
  condition.any_of = {std::move(inequality)};
  condition.purpose = std::move(purpose);
  condition.text = std::move(text);
  condition.location = {"k.cpp", 12, 5};
  return condition;
}

Proof with(LaunchCondition condition) {
  Proof proof;
  proof.conditions = {std::move(condition)};
  return proof;
}

void twice(Out<i32, 4> y, In<i32, 4> x, Scalar<i32> n) { y.store(x[y] * 2 + n); }

/// Writes 1 everywhere. Words: y, extent, stride; ...
void write_ones(const std::int64_t* words, std::int64_t program, std::int64_t, void*, void*) {
  for (std::int64_t i = program * 4; i < program * 4 + 4 && i < words[1]; ++i)
    reinterpret_cast<i32*>(words[0])[i] = 1;
}

auto proved_kernel(const char* name, Proof proof = {}) {
  fake::define(name, write_ones);
  fake::prove(name, std::move(proof));
  return kernel<twice>(name);
}

TEST(Proof, ARefutedKernelIsNotLaunched) {
  const Device d = Device::cpu(2);
  Proof refuted;
  refuted.refutation = "k.cpp:12:5: programs 0 and 1 both write element (0)";
  const auto k = proved_kernel("refuted", refuted);
  const auto x = Tensor<i32, 1>::zeros(d, {4});
  auto op = k(Tensor<i32, 1>::full(d, {4}, 7), x, 0);
  EXPECT_ERROR(ProofError, std::move(op).sync(), "k.cpp:12:5: programs 0 and 1 both write element (0)");
  EXPECT_EQ(std::move(op).cancel().to_host(), std::vector<i32>(4, 7));
  EXPECT_EQ(d.statistics().launches, 0);
  EXPECT_ERROR(ProofError, prove(k), "both write element (0)");
  EXPECT_NE(proof_text(k).find("'refuted'"), std::string::npos) << proof_text(k);
}

TEST(Proof, ConditionsAreCheckedBeforeAnyWork) {
  const Device d = Device::cpu(2);
  const Inequality enough{{{1, leaf(Op::tiles, 1)}, {-1, leaf(Op::tiles, 0)}}, 0};
  const auto k = proved_kernel("conditions", with(condition(enough, "the load reads inside parameter 2 along axis 0")));
  auto x = Tensor<i32, 1>::zeros(d, {12});
  auto op = k(Tensor<i32, 1>::full(d, {13}, 7), x, 0);
  EXPECT_ERROR(LaunchError, std::move(op).sync(),
               "kernel 'conditions' was not launched: k.cpp:12: that the load reads inside parameter 2 along axis 0 is proved only "
               "when #2.count(0) >= "
               "#1.count(0), but here #1.count(0) = 4, #2.count(0) = 3");
  auto y = std::move(op).cancel();
  EXPECT_EQ(y.to_host(), std::vector<i32>(13, 7));
  EXPECT_EQ(d.statistics().launches, 0);
  x = Tensor<i32, 1>::zeros(d, {13}); // nobody reads the old one any more
  EXPECT_EQ(k(std::move(y), x, 0).sync().to_host(), std::vector<i32>(13, 1));
}

TEST(Proof, WhereNoProgramRunsOnlyTheAuthorsConditionsCount) {
  const Device d = Device::cpu(2);
  const Inequality many{{{1, leaf(Op::dim, 1)}}, -8};
  const auto x = Tensor<i32, 1>::zeros(d, {4});
  const auto load = proved_kernel("no-program", with(condition(many, "the load reads inside")));
  EXPECT_EQ(load(Tensor<i32, 1>::zeros(d, {0}), x, 0).sync().size(), 0);
  const auto expects = proved_kernel("no-program-expects", with(condition(many, "", "x has 8 elements or more")));
  EXPECT_ERROR(LaunchError, expects(Tensor<i32, 1>::zeros(d, {0}), x, 0).sync(), "expects: x has 8 elements or more");
}

TEST(Proof, AnAuthorsWordsAreShown) {
  const Device d = Device::cpu(2);
  const Inequality negative{{{-1, leaf(Op::scalar, 2)}}, -1};
  const auto k = proved_kernel("words", with(condition(negative, "", "n is below 0")));
  const auto x = Tensor<i32, 1>::zeros(d, {4});
  auto op = k(Tensor<i32, 1>::zeros(d, {4}), x, 3);
  EXPECT_ERROR(LaunchError, std::move(op).sync(),
               "kernel 'words' was not launched: k.cpp:12: expects: n is below 0, but here #3 = 3");
  auto y = std::move(op).cancel();
  EXPECT_EQ(k(std::move(y), x, -3).sync().to_host(), std::vector<i32>(4, 1)) << "an i32 keeps its sign";
}

TEST(Proof, ConditionsSeeProgramsAndBounds) {
  const Device d = Device::cpu(2);
  fake::define("bounds", [](auto...) {});
  const Inequality few{{{-1, leaf(Op::programs, 0)}}, 3}, fits{{{1, leaf(Op::dim, 0)}, {-1, leaf(Op::bound, 1)}}, 0};
  Proof proof = with(condition(few, "the programs fit"));
  proof.conditions.push_back(condition(fits, "the positions lie inside parameter 1"));
  fake::prove("bounds", proof);
  const auto k = kernel("bounds", [](AddInto<i32, 4> y, Index<i32, 4> x) { accumulate_at<0>(y, x(0), ones<i32, 4>()); });
  const auto x = Certified<i32, 1>::from_host(d, {2}, {0, 4}, 6);
  EXPECT_ERROR(LaunchError, k(Tensor<i32, 1>::zeros(d, {6}), x).programs(4).sync(),
               "that the programs fit is proved only when programs <= 3, but here programs = 4");
  EXPECT_ERROR(
      LaunchError, k(Tensor<i32, 1>::zeros(d, {5}), x).programs(3).sync(),
      "that the positions lie inside parameter 1 is proved only when #1.extent(0) >= #2.bound(), but here #1.extent(0) = 5, "
      "#2.bound() = 6");
  EXPECT_EQ(k(Tensor<i32, 1>::zeros(d, {6}), x).programs(3).sync().size(), 6);
}

Proof with_checks(const char* kernel) {
  Proof proof;
  proof.kernel = kernel;
  Obligation proved, bounds, writes;
  proved.what = "load of parameter 3";
  bounds.what = "load of parameter 2 along axis 0";
  bounds.rung = writes.rung = Rung::checked;
  bounds.how = writes.how = "no proof was found";
  bounds.location = writes.location = {"k.cpp", 12, 5};
  bounds.cost = Cost::access;
  bounds.instead = "guard it";
  writes.kind = ObligationKind::disjoint;
  writes.what = "writes of parameter 1";
  writes.cost = Cost::writes;
  writes.instead = "write expects(#2.extent(0) == #1.extent(0))";
  proof.obligations = {proved, bounds, writes, writes};
  return proof;
}

template <class F> std::string said_by(const F& f) {
  testing::internal::CaptureStderr();
  f();
  return testing::internal::GetCapturedStderr();
}

TEST(Proof, TheFirstLaunchOfAKernelWithChecksSaysSoOnce) {
  const Device d = Device::cpu(2);
  const auto x = Tensor<i32, 1>::zeros(d, {4});
  const auto launch = [&](const auto& k) { (void)k(Tensor<i32, 1>::zeros(d, {4}), x, 0).sync(); };
  const auto k = proved_kernel("checks", with_checks("checks"));
  EXPECT_EQ(said_by([&] { prove(k); }), "");
  EXPECT_EQ(said_by([&] { (void)k(Tensor<i32, 1>::zeros(d, {0}), x, 0).sync(); }), "") << "nothing runs";
  const std::string said = said_by([&] { launch(k); });
  EXPECT_TRUE(said.starts_with("tegula: kernel 'checks' (")) << said;
  EXPECT_EQ(
      said.substr(said.find(") runs with")),
      ") runs with checks, as not everything about it could be proved\n"
      "  k.cpp:12: load of parameter 2 along axis 0 (bounds): no proof was found; the check costs a comparison for each access\n"
      "    instead: guard it\n"
      "  k.cpp:12: writes of parameter 1 (disjoint): no proof was found; the check costs a record of every write to the tensor: "
      "several times slower\n"
      "    instead: write expects(#2.extent(0) == #1.extent(0))\n"
      "  this is said once; TEGULA_WARN=off leaves it out\n");
  const auto copy = k;
  const auto again = proved_kernel("checks", with_checks("checks"));
  EXPECT_EQ(said_by([&] { launch(k), launch(copy), launch(again); }), "");
  EXPECT_EQ(said_by([&] { launch(proved_kernel("no-checks")); }), "");
}

TEST(Proof, TheWarningCanBeTurnedOff) {
  const Device d = Device::cpu(2);
  const auto x = Tensor<i32, 1>::zeros(d, {4});
  const auto launch = [&](const char* name) {
    (void)proved_kernel(name, with_checks(name))(Tensor<i32, 1>::zeros(d, {4}), x, 0).sync();
  };
  setenv("TEGULA_WARN", "off", 1);
  EXPECT_EQ(said_by([&] { launch("quiet"); }), "");
  setenv("TEGULA_WARN", "never", 1);
  const auto again = proved_kernel("again", with_checks("again"));
  for (int i = 0; i < 2; ++i)
    EXPECT_ERROR(Error, (void)again(Tensor<i32, 1>::zeros(d, {4}), x, 0).sync(),
                 "TEGULA_WARN is 'never'; set it to on or off, or unset it");
  unsetenv("TEGULA_WARN");
  setenv("TEGULA_CHECKS", "everything", 1);
  EXPECT_EQ(said_by([&] { launch("everything"); }), "");
  unsetenv("TEGULA_CHECKS");
  EXPECT_NE(said_by([&] { launch("quiet"); }), "") << "it has not been said yet";
}

TEST(Proof, ExtentsAndProgramsAreLimited) {
  const Device d = Device::cpu(2);
  const auto k = proved_kernel("limits");
  const auto one = Tensor<i32, 1>::zeros(d, {1});
  const auto wide = one.view().broadcast<1>({(i64{1} << 48) + 1});
  auto op = k(Tensor<i32, 1>::zeros(d, {4}), wide, 0);
  EXPECT_ERROR(LaunchError, std::move(op).sync(),
               "kernel 'limits' was not launched: parameter 2 has extent 281474976710657 along axis 0; a launch takes at most "
               "281474976710656 (2^48)");
  EXPECT_EQ(std::move(op).cancel().size(), 4);
  const auto largest = one.view().broadcast<1>({i64{1} << 48});
  EXPECT_EQ(k(Tensor<i32, 1>::zeros(d, {4}), largest, 0).sync().size(), 4);

  fake::define("many", [](auto...) {});
  const auto many = kernel("many", [](OutTiles<i32, 1> y) {
    for (auto t : y.my_tiles())
      t.store(zeros<i32, 1>());
  });
  EXPECT_ERROR(LaunchError, many(Tensor<i32, 1>::zeros(d, {4})).programs((i64{1} << 48) + 1).sync(),
               "it would have 281474976710657 programs; a launch has at most 281474976710656 (2^48)");
}

TEST(Proof, IsMadeOnceAndShown) {
  Proof proof;
  proof.covered = {0};
  const auto k = proved_kernel("shown", proof);
  const auto copy = k;
  EXPECT_EQ(&proof_of(k), &proof_of(copy));
  EXPECT_EQ(proof_of(k).covered, std::vector<int>{0});
  EXPECT_EQ(proof_of(k).kernel, "shown");
}

TEST(Proof, StrictReachesTheProver) {
  fake::define("strict", write_ones);
  prove(kernel<twice>("strict", {.strict = true}));
  EXPECT_TRUE(fake::prove_options().strict);
  prove(kernel<twice>("strict"));
  EXPECT_FALSE(fake::prove_options().strict);
}

void twice_elsewhere(Out<i32, 4> y, In<i32, 4> x, Scalar<i32> n) { y.store(x[y] * 2 + n); }

TEST(Proof, KernelsThatReportOtherLinesShareNoCode) {
  const Device d = Device::cpu(2);
  const auto x = Tensor<i32, 1>::zeros(d, {4});
  const auto launch = [&](bool elsewhere, Rung rung) {
    Obligation obligation;
    obligation.rung = rung;
    Proof proof;
    proof.obligations = {obligation};
    fake::prove("lines", proof);
    const auto k = elsewhere ? kernel<twice_elsewhere>("lines") : kernel<twice>("lines");
    k(Tensor<i32, 1>::zeros(d, {4}), x, 0).sync();
    return fake::compiled("lines").size();
  };
  fake::define("lines", write_ones);
  EXPECT_EQ(launch(false, Rung::proved), 1u);
  EXPECT_EQ(launch(true, Rung::proved), 1u);
  EXPECT_EQ(launch(false, Rung::checked), 2u);
  EXPECT_EQ(launch(true, Rung::checked), 3u);
  EXPECT_EQ(launch(false, Rung::checked), 3u);
}

TEST(Proof, IsLoggedOnce) {
  const std::string path = testing::TempDir() + "tegula-proofs.json";
  std::remove(path.c_str());
  setenv("TEGULA_PROOFS", path.c_str(), 1);
  const auto k = proved_kernel("logged");
  prove(k);
  prove(k);
  const std::string expected = proof_json(k);
  prove(proved_kernel("logged-too"));
  unsetenv("TEGULA_PROOFS");
  std::ifstream file(path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);)
    lines.push_back(line);
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[0], expected);
  EXPECT_NE(lines[1].find("logged-too"), std::string::npos);
}

TEST(Proof, ClaimsAreChecked) {
  const Device d = Device::cpu(1);
  const auto k = kernel("claims", [](OutTiles<i32, 2, 2> y) {
    for (auto t : y.my_tiles())
      t.store(zeros<i32, 2, 2>());
  });
  static i64 boxes[2][4];
  fake::define("claims",
               [](const std::int64_t*, std::int64_t program, std::int64_t, void* context, void*) {
                 tegula_cpu_claim(context, 0, program, 0, boxes[program]);
               },
               {{Site::Kind::claim, {"a.cpp", 3, 5}, "", {}}});
  fake::check_claims("claims", {0}, {0});
  const auto run = [&](std::initializer_list<i64> first, std::initializer_list<i64> second) {
    std::copy(first.begin(), first.end(), boxes[0]);
    std::copy(second.begin(), second.end(), boxes[1]);
    auto op = k(Tensor<i32, 2>::zeros(d, {2, 3})).programs(2);
    try {
      EXPECT_EQ(std::move(op).sync().size(), 6);
    } catch (const LaunchError&) {
      EXPECT_EQ(std::move(op).cancel().size(), 6);
      throw;
    }
  };
  EXPECT_NO_THROW(run({0, 0, 2, 2}, {0, 2, 2, 2}));
  EXPECT_ERROR(LaunchError, run({0, 0, 2, 2}, {0, 1, 2, 2}),
               "a.cpp:3:5: kernel 'claims': programs 0 and 1 both write element (0, 1) of parameter 1");
  EXPECT_ERROR(LaunchError, run({0, 0, 2, 2}, {0, 4, 2, 2}), "kernel 'claims': no program writes element (0, 2) of parameter 1");
}

} // namespace
