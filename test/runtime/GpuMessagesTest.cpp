// What programs on a GPU print, how they fail, and what they claim.
#include "lib/abi/GpuMessages.h"
#include "Expect.h"
#include "GpuKernels.h"
#include "lib/runtime/gpu/MessageReader.h"
#include "lib/runtime/gpu/Report.h"

#include <algorithm>
#include <deque>
#include <gtest/gtest.h>
#include <set>

namespace {

using namespace tegula;
using fake::word;

/// Appends a record as a program on the GPU does. `values` are pairs of bytes and how many.
void say(std::int64_t messages, std::uint32_t site, std::int64_t program, std::vector<std::pair<const void*, std::size_t>> values) {
  auto* header = reinterpret_cast<GpuMessagesHeader*>(messages);
  std::uint32_t bytes = sizeof(GpuMessage);
  for (const auto& value : values)
    bytes += static_cast<std::uint32_t>((value.second + 15) / 16 * 16);
  const std::uint64_t at = header->used;
  header->used += bytes;
  if (at + bytes > header->capacity)
    return;
  char* record = reinterpret_cast<char*>(header->records) + at;
  const GpuMessage head{bytes, site, program};
  std::memcpy(record, &head, sizeof head);
  record += sizeof head;
  for (const auto& [value, size] : values) {
    std::memcpy(record, value, size);
    record += (size + 15) / 16 * 16;
  }
}
void fail(std::int64_t messages, std::uint32_t site, std::int64_t program,
          std::vector<std::pair<const void*, std::size_t>> values = {}) {
  std::uint64_t& failure = reinterpret_cast<GpuMessagesHeader*>(messages)->failure;
  failure = std::max(failure, GpuFailure{static_cast<std::uint64_t>(program), site}.word());
  say(messages, site, program, std::move(values));
}

const std::vector<Site> sites{{Site::Kind::print, {"a.cpp", 3, 5}, "x =", {{DType::f32, {}}, {DType::i32, {2, 3}}}},
                              {Site::Kind::assertion, {"a.cpp", 7, 9}, "n > 0", {{DType::i64, {}}}},
                              {Site::Kind::check, {"a.cpp", 8, 1}, "tile lies outside", {}}};

auto speaker(const char* name, fake::GpuProgram program) {
  fake::define_entry(name, program);
  GpuKernel kernel = code(name);
  kernel.sites = sites;
  fake::define_gpu(name, kernel);
  return tegula::kernel(name, [](Out<i32, 1> y) { y.store(zeros<i32, 1>()); });
}

class Lines {
public:
  Lines() {
    set_print_sink(
        [](void* user, const char* line, std::size_t n) { static_cast<std::vector<std::string>*>(user)->emplace_back(line, n); },
        &lines);
  }
  ~Lines() { set_print_sink(nullptr); }
  std::vector<std::string> lines;
};

class GpuMessages : public WithoutDiskCache {};

TEST_F(GpuMessages, PrintsComeInTheOrderOfTheRecords) {
  const Device d = fake::gpu();
  const auto k = speaker("gpu_prints", [](void** p, std::int64_t block) {
    const float x = 1.5f + static_cast<float>(block);
    const i32 tile[] = {1, 2, 3, 4, 5, 6};
    say(word(p, 5), 0, block, {{&x, sizeof x}, {tile, sizeof tile}});
  });
  Lines seen;
  k(Tensor<i32, 1>::zeros(d, {2})).sync();
  EXPECT_EQ(seen.lines,
            (std::vector<std::string>{"a.cpp:3:5: kernel 'gpu_prints', program 0: x = 1.5, i32 2×3 [[1, 2, 3], [4, 5, 6]]",
                                      "a.cpp:3:5: kernel 'gpu_prints', program 1: x = 2.5, i32 2×3 [[1, 2, 3], [4, 5, 6]]"}));
  EXPECT_EQ(fake::allocated(), 0u);
}

TEST_F(GpuMessages, TheLowestProgramThatFailedIsTold) {
  const Device d = fake::gpu();
  const auto k = speaker("gpu_fails", [](void** p, std::int64_t block) {
    const i64 program = 9 - block, n = -program;
    if (program == 7 || program == 3)
      fail(word(p, 5), 1, program, {{&n, sizeof n}});
    if (program == 4)
      fail(word(p, 5), 2, program);
  });
  auto op = k(Tensor<i32, 1>::zeros(d, {10}));
  EXPECT_ERROR(LaunchError, std::move(op).sync(), "a.cpp:7:9: kernel 'gpu_fails', program 3: require failed: n > 0; values: -3");
  EXPECT_EQ(std::move(op).cancel().size(), 10) << "the device is not lost";
}

TEST_F(GpuMessages, WhatDoesNotFitIsSaidToBeLost) {
  const Device d = fake::gpu();
  setenv("TEGULA_MESSAGE_BYTES", "100", 1); // 96: one print, and not two
  const auto k = speaker("gpu_much", [](void** p, std::int64_t block) {
    const float x = 0;
    const i32 tile[6] = {};
    say(word(p, 5), 0, block, {{&x, sizeof x}, {tile, sizeof tile}});
    const i64 n = block;
    if (word(p, 1) >= 3 && block >= 2)
      fail(word(p, 5), 1, block, {{&n, sizeof n}});
  });
  Lines seen;
  testing::internal::CaptureStderr();
  k(Tensor<i32, 1>::zeros(d, {2})).sync();
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "tegula: kernel 'gpu_much' had more to say than the 96 bytes that were set aside for it, and the rest is lost; set the "
            "environment variable TEGULA_MESSAGE_BYTES to more\n");
  EXPECT_EQ(seen.lines.size(), 1u);
  EXPECT_ERROR(
      LaunchError, (void)k(Tensor<i32, 1>::zeros(d, {9})).sync(),
      "a.cpp:7:9: kernel 'gpu_much', program 2: require failed: n > 0; its values are lost: kernel 'gpu_much' had more to say "
      "than the 96 bytes that were set aside for it, and the rest is lost; set the environment variable "
      "TEGULA_MESSAGE_BYTES to more");
  for (const char* wrong : {"1", "x", "5000000000", "99x"}) {
    setenv("TEGULA_MESSAGE_BYTES", wrong, 1);
    EXPECT_MESSAGE((void)k(Tensor<i32, 1>::zeros(d, {3})).sync(),
                   "TEGULA_MESSAGE_BYTES is '" + std::string(wrong) + "'; set it to a number from 16 to 4294967295, or unset it");
  }
  unsetenv("TEGULA_MESSAGE_BYTES");
}

TEST_F(GpuMessages, RoomGrowsWithProgramsWithinLimits) {
  GpuKernel kernel;
  kernel.sites = sites; // 64, 32 and 16 bytes
  EXPECT_EQ(gpu::message_capacity(kernel, 1), 256u << 10);
  EXPECT_EQ(gpu::message_capacity(kernel, 10000), 1120000u);
  EXPECT_EQ(gpu::message_capacity(kernel, i64{1} << 48), 16u << 20);
  kernel.sites.erase(kernel.sites.begin()); // the one that prints
  EXPECT_EQ(gpu::message_capacity(kernel, 1), 4u << 10);
  EXPECT_EQ(gpu::message_capacity(kernel, 1000), 48000u);
}

TEST_F(GpuMessages, RecordsThatMakeNoSenseAreAnInternalError) {
  const gpu::Driver& driver = fake::driver();
  const Device d = fake::gpu(driver), other = fake::gpu(driver);
  const auto unknown = speaker("gpu_unknown", [](void** p, std::int64_t) { say(word(p, 5), 9, 0, {}); });
  EXPECT_ERROR(InternalError, (void)unknown(Tensor<i32, 1>::zeros(d, {1})).sync(),
               "kernel 'gpu_unknown' left a message that makes no sense: 16 bytes of site 9 at byte 0 of 16");
  const auto without_values = speaker("gpu_without_values", [](void** p, std::int64_t) { say(word(p, 5), 1, 0, {}); });
  EXPECT_ERROR(InternalError, (void)without_values(Tensor<i32, 1>::zeros(other, {1})).sync(), "16 bytes of site 1");
}

std::size_t room(const gpu::Ring::Piece& piece) { return piece.header().capacity; }

TEST_F(GpuMessages, ARingHandsOutWhatCameBackAndGrows) {
  const auto context = std::make_shared<gpu::Context>(fake::driver({.pinned_memory = std::size_t{5} << 20}), 0);
  {
    gpu::Ring ring(*context);
    EXPECT_EQ(fake::pinned(), 0u) << "nobody speaks";
    constexpr std::size_t piece = (std::size_t{1} << 18) - sizeof(GpuMessagesHeader);
    std::deque<gpu::Ring::Piece> pieces;
    const auto take = [&] {
      gpu::Ring::Piece& taken = pieces.emplace_back(ring.take(piece));
      ASSERT_TRUE(taken);
      GpuMessagesHeader& header = taken.header();
      EXPECT_EQ(room(taken), piece);
      EXPECT_EQ(header.used + header.failure, 0u);
      auto* records = reinterpret_cast<std::uint64_t*>(header.records);
      EXPECT_TRUE(std::all_of(records, records + piece / 8, [](std::uint64_t word) { return word == 0; }));
      records[2] = header.used = 24; // as a launch does
      header.failure = 1;
    };
    for (int i = 0; i < 100; ++i) { // four fit, and the oldest comes back first
      take();
      if (pieces.size() == 4)
        pieces.pop_front();
    }
    EXPECT_EQ(fake::pinned(), std::size_t{1} << 20);
    take();
    take();
    EXPECT_EQ(fake::pinned(), std::size_t{3} << 20) << "twice as much, beside what is in use";
    std::set<std::uintptr_t> places;
    for (const gpu::Ring::Piece& each : pieces)
      places.insert(each.header().records);
    EXPECT_EQ(places.size(), pieces.size());
    pieces.erase(pieces.begin() + 1, pieces.end() - 1); // in any order
    pieces.pop_front();
    EXPECT_EQ(fake::pinned(), std::size_t{2} << 20);
    EXPECT_EQ(room(ring.take(std::size_t{5} << 19)), std::size_t{5} << 19) << "as much as is wanted, if twice as much is not there";
    EXPECT_FALSE(ring.take(std::size_t{5} << 20));
    take();
    pieces.clear();
  }
  EXPECT_EQ(fake::pinned(), 0u);
}

TEST_F(GpuMessages, WhatADeviceSaysOfAPieceIsNotTrusted) {
  const auto context = std::make_shared<gpu::Context>(fake::driver(), 0);
  gpu::Ring ring(*context);
  constexpr std::size_t bytes = 1024;
  const auto is_clean = [](const gpu::Ring::Piece& piece) {
    const auto* records = reinterpret_cast<const char*>(piece.header().records);
    return std::all_of(records, records + bytes, [](char byte) { return byte == 0; });
  };
  const gpu::Ring::Piece first = ring.take(bytes);
  const void* place = nullptr;
  for (const bool is_known : {true, false}) {
    gpu::Ring::Piece piece = ring.take(bytes);
    ASSERT_TRUE(is_clean(piece));
    place = &piece.header();
    std::memset(reinterpret_cast<void*>(piece.header().records), 1, bytes);
    piece.header().used = is_known ? ~std::uint64_t{0} : 0; // a wild store; a copy that never came
    piece.header().capacity = ~0u;
    piece.set_known(is_known);
    EXPECT_EQ(piece.records().size(), is_known ? bytes : 0);
    EXPECT_EQ(piece.bytes(), sizeof(GpuMessagesHeader) + bytes);
  }
  const gpu::Ring::Piece again = ring.take(bytes);
  EXPECT_EQ(&again.header(), place);
  EXPECT_TRUE(is_clean(again));
}

TEST_F(GpuMessages, OfManyLaunchesAreHeardInOrder) {
  const Device d = fake::gpu();
  const auto k = speaker("gpu_chats", [](void** p, std::int64_t block) {
    const float x = static_cast<float>(reinterpret_cast<i32*>(word(p, 0))[0]++);
    const i32 tile[6] = {};
    if (block == 0)
      say(word(p, 5), 0, 0, {{&x, sizeof x}, {tile, sizeof tile}});
  });
  fake::delay(3);
  Lines seen;
  {
    auto y = Tensor<i32, 1>::zeros(d, {1});
    for (int i = 0; i < 1000; ++i) // more than the ring may hold
      y = k(std::move(y)).start();
    y.sync();
  }
  ASSERT_EQ(seen.lines.size(), 1000u);
  for (std::size_t i = 0; i < seen.lines.size(); ++i)
    ASSERT_NE(seen.lines[i].find("x = " + std::to_string(i) + ","), std::string::npos) << seen.lines[i];
  EXPECT_LE(fake::pinned(), std::size_t{128} << 20);
  EXPECT_EQ(fake::calls("cuMemsetD8Async") + fake::calls("cuMemsetD32Async"), 1)
      << "only for the tensor: the host prepares the ring";
}

/// While it is replayed many times, the first lines are printed.
TEST_F(GpuMessages, ASinkMayDropTheGraphThatSpeaks) {
  const Device d = fake::gpu();
  const auto k = speaker("gpu_dropped", [](void** p, std::int64_t block) {
    const float x = 0;
    const i32 tile[6] = {};
    if (block == 0)
      say(word(p, 5), 0, 0, {{&x, sizeof x}, {tile, sizeof tile}});
  });
  static std::optional<Graph> graph;
  static std::vector<std::string> refused;
  static int lines;
  refused.clear();
  lines = 0;
  auto y = Tensor<i32, 1>::zeros(d, {1}), z = Tensor<i32, 1>::zeros(d, {1});
  static Tensor<i32, 1>*bound, *other;
  bound = &y;
  other = &z;
  Recorder recorder(d);
  k(out(y)).start(recorder);
  graph.emplace(std::move(recorder).finish());
  set_print_sink([](void*, const char*, std::size_t) {
    if (lines++ == 0) {
      refused.push_back(message_of<Error>([] { graph->bind(*bound, *other); }));
      graph.reset();
    }
  });
  graph->start(d.queue(), 400);
  d.synchronize();
  set_print_sink(nullptr);
  EXPECT_EQ(lines, 400);
  EXPECT_NE(refused.at(0).find("print sink"), std::string::npos) << refused.at(0);
}

/// Claims element (program, 0) of a tensor of so many rows and 2 columns, which another had before if the program is 1.
class GpuClaims : public WithoutDiskCache {
protected:
  static auto claimer(const char* name, fake::GpuProgram program) {
    fake::define_entry(name, program);
    GpuKernel kernel = code(name);
    kernel.sites = {{Site::Kind::claim, {"a.cpp", 6, 3}, "", {}, 0}};
    kernel.claimed = kernel.covered_checked = {0};
    fake::define_gpu(name, kernel);
    return tegula::kernel(name, [](Out<i32, 1, 2> y) { y.store(zeros<i32, 1, 2>()); });
  }
};

// Words: y, 2 extents, 2 strides; first, programs, messages, owners.
TEST_F(GpuClaims, TwoProgramsThatWriteOneElementAreNamed) {
  const Device d = fake::gpu();
  const auto k = claimer("gpu_conflict", [](void** p, std::int64_t block) {
    if (block != 1)
      return;
    const i64 other = 5, row = 2, column = 1;
    fail(word(p, 7), 0, block, {{&other, 8}, {&row, 8}, {&column, 8}});
  });
  EXPECT_ERROR(LaunchError, (void)k(Tensor<i32, 2>::zeros(d, {3, 2})).sync(),
               "a.cpp:6:3: kernel 'gpu_conflict': programs 1 and 5 both write element (2, 1) of parameter 1");
}

TEST_F(GpuClaims, AnElementThatNobodyWritesIsNamed) {
  const Device d = fake::gpu();
  const auto k = claimer("gpu_uncovered", [](void** p, std::int64_t block) {
    auto* owners = reinterpret_cast<std::uint32_t*>(word(p, 8));
    EXPECT_EQ(owners[2 * block], 0u) << "zeroed before each launch";
    owners[2 * block] = static_cast<std::uint32_t>(block + 1);
    if (word(p, 1) != 3 || block != 1)
      owners[2 * block + 1] = static_cast<std::uint32_t>(block + 1);
  });
  EXPECT_ERROR(LaunchError, (void)k(Tensor<i32, 2>::zeros(d, {3, 2})).sync(),
               "kernel 'gpu_uncovered': no program writes element (1, 1) of parameter 1");
  EXPECT_EQ(k(Tensor<i32, 2>::zeros(d, {4, 2})).sync().size(), 8);
  EXPECT_EQ(fake::allocated(), 0u);
}

TEST_F(GpuClaims, MemoryForTheTablesCanBeMissing) {
  const Device d = fake::gpu({.memory = 150000, .pinned_memory = 600000});
  const auto k = claimer("gpu_tables", [](void**, std::int64_t) {});
  auto op = k(Tensor<i32, 2>::zeros(d, {10000, 2}));
  setenv("TEGULA_MESSAGE_BYTES", "700000", 1);
  EXPECT_MESSAGE(std::move(op).sync(), "tegula: there are no 700032 bytes of pinned memory for what kernel 'gpu_tables' says on "
                                       "device 'Fake (sm_90a, driver 12.4)'; "
                                       "set TEGULA_MESSAGE_BYTES to less");
  unsetenv("TEGULA_MESSAGE_BYTES");
  EXPECT_MESSAGE(std::move(op).sync(),
                 "tegula: kernel 'gpu_tables': device 'Fake (sm_90a, driver 12.4)' has no memory to check who "
                 "writes parameter 1, which takes 4 bytes for each of its 20000 elements");
  EXPECT_EQ(std::move(op).cancel().size(), 20000);
}

TEST_F(GpuClaims, MoreProgramsThanATableCanTellApartAreRefused) {
  const auto context = std::make_shared<gpu::Context>(fake::driver(), 0);
  gpu::Pool pool(*context);
  fake::define_entry("crowd", [](void**, std::int64_t) {});
  GpuKernel kernel = code("crowd");
  kernel.sites = {{Site::Kind::claim, {"a.cpp", 6, 3}, "", {}, 0}};
  kernel.claimed = {0};
  const std::string name = "crowd";
  const auto loaded = std::make_shared<gpu::LoadedKernel>(context, name, kernel, "cubin:crowd");
  gpu::Context::Use use(*context);
  EXPECT_ERROR(LaunchError, gpu::Speech(*context, pool, context->stream(), nullptr, {name, *loaded, i64{1} << 32}, loaded, {{2}}),
               "a.cpp:6:3: kernel 'crowd': what more than 4294967295 programs write cannot be checked: launch fewer");
}

} // namespace
