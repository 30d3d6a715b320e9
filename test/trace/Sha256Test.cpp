// SHA-256, by the examples of its standard.
#include "lib/trace/Sha256.h"

#include <gtest/gtest.h>

#include <set>

namespace tegula {
namespace {

TEST(Sha256, OfTheStandardsExamples) {
  const auto digest = [](const std::string& text) { return hex(sha256(text)); };
  EXPECT_EQ(digest(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(digest("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(digest("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(
      digest("abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu"),
      "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1");
  EXPECT_EQ(digest(std::string(1'000'000, 'a')), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256, DependsOnTheLengthAndOnEveryBit) {
  std::set<std::string> seen;
  for (std::size_t zeros = 0; zeros < 200; ++zeros)
    seen.insert(hex(sha256(std::string(zeros, '\0'))));
  const std::string text(70, 'a');
  for (std::size_t bit = 0; bit < text.size() * 8; ++bit) {
    std::string other = text;
    other[bit / 8] = static_cast<char>(other[bit / 8] ^ (1 << bit % 8));
    seen.insert(hex(sha256(other)));
  }
  EXPECT_EQ(seen.size(), 200 + 560u);
}

} // namespace
} // namespace tegula
