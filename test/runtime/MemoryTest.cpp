#include "lib/runtime/Memory.h"

#include <cstdint>
#include <cstring>
#include <gtest/gtest.h>

namespace {

using namespace tegula::runtime;

TEST(Memory, IsAlignedAndZeroedEvenWhenReused) {
  constexpr std::size_t huge_page = std::size_t{2} << 20;
  for (std::size_t bytes : {std::size_t{1}, std::size_t{64}, std::size_t{1000}, huge_page - 1, huge_page, 3 * huge_page + 5}) {
    for (int round = 0; round < 3; ++round) {
      auto* block = static_cast<unsigned char*>(allocate_zeroed(bytes));
      ASSERT_NE(block, nullptr);
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(block) % (bytes >= huge_page ? huge_page : 64), 0u);
      for (std::size_t i = 0; i < bytes; i += bytes < 4096 ? 1 : 4093)
        ASSERT_EQ(block[i], 0);
      EXPECT_EQ(block[bytes - 1], 0);
      std::memset(block, 0xff, bytes);
      deallocate(block, bytes);
    }
  }
}

TEST(Memory, SaysWhenThereIsNotEnough) {
  EXPECT_EQ(allocate_zeroed(SIZE_MAX), nullptr);
  EXPECT_EQ(allocate_zeroed(std::size_t{1} << 60), nullptr);
  EXPECT_EQ(allocate_zeroed(0), nullptr);
  deallocate(nullptr, 0);
}

} // namespace
