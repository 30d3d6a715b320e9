// A program that ends while work is under way, or is being prepared.
#include "Adders.h"

#include <atomic>
#include <chrono>
#include <cstdio>
#include <thread>

namespace {

using namespace tegula;

void tell(std::int64_t program) {
  if (program == 0)
    std::fprintf(stderr, "ran\n");
}
void tell_cpu(const std::int64_t* w, std::int64_t program, std::int64_t programs, void* context, void* scratch) {
  adders::run_cpu<false>(w, program, programs, context, scratch);
  tell(program);
}
void tell_gpu(void** p, std::int64_t block) {
  adders::run_gpu<false>(p, block);
  tell(block);
}

struct Program {
  explicit Program(Kind kind)
      : plus(adders::defined<adders::plus>(kind, "exit_plus", tell_cpu, tell_gpu)),
        device(kind == Kind::cpu ? Device::cpu(2) : fake::gpu()) {
    if (kind == Kind::gpu)
      fake::delay(1);
  }
  const Adders::Plus plus;
  const Device device;
};

class Exit : public WithoutDiskCache, public testing::WithParamInterface<Kind> {
protected:
  Exit() { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
};

[[noreturn]] void exit_at_work(Kind kind) {
  const Program program(kind);
  const Queue one(program.device), two(program.device);
  const auto x = Tensor<i32, 1>::full(program.device, {8}, 1);
  const auto y = program.plus(fresh(8), x, 1).start(one);
  const auto z = program.plus(fresh(8), y, 1).start(two);
  std::exit(9); // destroys none of them
}
[[noreturn]] void exit_in_a_replay(Kind kind) {
  const Program program(kind);
  const Queue one(program.device);
  const auto x = Tensor<i32, 1>::full(program.device, {8}, 1);
  auto y = Tensor<i32, 1>::full(program.device, {8}, 0);
  Recorder recorder(program.device);
  program.plus(out(y), x, frozen(1)).start(recorder);
  const Graph graph = std::move(recorder).finish();
  graph.start(one, 3);
  std::exit(9);
}
[[noreturn]] void exit_while_compiling() {
  const Program program(Kind::cpu);
  std::atomic<bool> begins{false};
  std::thread([&] {
    const auto x = Tensor<i32, 1>::full(program.device, {8}, 1);
    begins = true;
    const auto y = program.plus(fresh(8), x, 1).start(); // the compiler takes its time
    std::this_thread::sleep_for(std::chrono::seconds(10));
  }).detach();
  while (!begins)
    std::this_thread::yield();
  std::exit(9);
}

TEST_P(Exit, WaitsForWork) { EXPECT_EXIT(exit_at_work(GetParam()), testing::ExitedWithCode(9), "ran\nran"); }
TEST_P(Exit, WaitsForReplays) { EXPECT_EXIT(exit_in_a_replay(GetParam()), testing::ExitedWithCode(9), "ran\nran\nran"); }
class ExitAlone : public Exit {};
TEST_P(ExitAlone, DoesNotMindTheCompiler) {
  for (int i = 0; i < 3; ++i)
    EXPECT_EXIT(exit_while_compiling(), testing::ExitedWithCode(9), "");
}

INSTANTIATE_TEST_SUITE_P(Devices, ExitAlone, testing::Values(Kind::cpu), name_of_kind);
INSTANTIATE_TEST_SUITE_P(Devices, Exit, testing::Values(Kind::cpu, Kind::gpu), name_of_kind);

} // namespace
