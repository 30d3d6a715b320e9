#include "lib/runtime/ThreadPool.h"

#include <gtest/gtest.h>

namespace {

using tegula::runtime::ThreadPool;

struct Counts {
  std::vector<std::atomic<int>> items;
  std::vector<std::atomic<int>> inside;
  std::atomic<int> overlaps{0};
  Counts(std::size_t n, int threads) : items(n), inside(static_cast<std::size_t>(threads)) {}
};

void count(void* user, std::int64_t begin, std::int64_t end, int worker) {
  auto& counts = *static_cast<Counts*>(user);
  counts.overlaps += counts.inside[static_cast<std::size_t>(worker)]++ != 0;
  for (std::int64_t i = begin; i < end; ++i)
    ++counts.items[static_cast<std::size_t>(i)];
  --counts.inside[static_cast<std::size_t>(worker)];
}

TEST(ThreadPool, DoesEachItemOnce) {
  for (int threads : {1, 2, 5}) {
    ThreadPool pool(threads);
    for (std::int64_t n : {0, 1, 2, 31, 1000, 20000}) {
      Counts counts(static_cast<std::size_t>(n), threads);
      pool.run(n, count, &counts, [] {});
      for (const auto& item : counts.items)
        ASSERT_EQ(item, 1);
      EXPECT_EQ(counts.overlaps, 0);
    }
  }
}

TEST(ThreadPool, ManyShortRunsFromManyThreads) {
  ThreadPool pool(4);
  std::vector<std::thread> threads;
  std::atomic<int> wrong{0};
  for (int t = 0; t < 3; ++t)
    threads.emplace_back([&] {
      for (int i = 0; i < 500; ++i) {
        Counts counts(8, 4);
        pool.run(8, count, &counts, [] {});
        for (const auto& item : counts.items)
          wrong += item != 1;
        wrong += counts.overlaps;
      }
    });
  for (std::thread& thread : threads)
    thread.join();
  EXPECT_EQ(wrong, 0);
}

TEST(ThreadPool, AThrowingPreparationRunsNothing) {
  ThreadPool pool(2);
  Counts counts(8, 2);
  EXPECT_THROW(pool.run(8, count, &counts, [] { throw 1; }), int);
  EXPECT_EQ(counts.items[0], 0);
  pool.run(8, count, &counts, [] {});
  EXPECT_EQ(counts.items[7], 1);
}

} // namespace
