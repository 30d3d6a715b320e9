// Indices that wrap around, lose bits or change their sign.
#include "Refute.h"

#include <algorithm>
#include <limits>

namespace {

using namespace tegula;
using namespace tegula::test;
using enum ObligationKind;

constexpr i64 most = std::numeric_limits<i64>::max();

TEST(Arithmetic, ACastToEightBits) {
  const auto k = kernel("i8", [](Out<i32, 16> c, In<i32, 16> a) {
    expects(a.extent(0) == c.extent(0), "one length");
    c.store(a(cast<i8>(c.at(0))));
  });
  expect_settled(k);
  expect_refused(k(sevens(129 * 16), ones_of(129 * 16)), "#1.count(0) <= 128");
  EXPECT_EQ(k(sevens(128 * 16), ones_of(128 * 16)).sync().to_host(), std::vector<i32>(128 * 16, 1));
}

TEST(Arithmetic, ACastToSixteenBits) {
  const auto k = kernel("i16", [](Out<i32, 1> c, In<i32, 1> a) {
    expects(a.extent(0) == c.extent(0), "one length");
    c.store(a(cast<i16>(c.at(0))));
  });
  expect_settled(k);
  expect_refused(k(sevens(32769), ones_of(32769)), "#1.extent(0) <= 32768");
}

TEST(Arithmetic, AnUnsignedCastOfWhatIsNegative) {
  static int line;
  const auto k = kernel("u8", [](Out<i32, 16> c, In<i32, 16> a) {
    expects(a.count(0) >= c.count(0) && a.count(0) < 255, "a is longer, and short");
    line = next_line();
    c.store(a(cast<u8>(c.at(0) - 1)));
  });
  expect_refuted(k, Bounds{2, 0, line, "program 0 at 255 in 1; 1; 1 program"});
}

TEST(Arithmetic, AnUnsignedDifference) {
  // Only a launch of 2^32 tiles would do, and nobody means that.
  static int line;
  expect_refuted(kernel("u32",
                        [](Out<i32, 16> c, In<i32, 16> a) {
                          expects(a.extent(0) == c.extent(0), "one length");
                          line = next_line();
                          c.store(a(cast<u32>(c.at(0)) - Scalar<u32>(1)));
                        }),
                 Bounds{2, 0, line, "program 0 at 4294967295 in 1; 1; 1 program"});
}

TEST(Arithmetic, AProductInThirtyTwoBits) {
  const auto k = kernel("i32", [](Out<i32, 1> c, In<i32, 1> a) {
    expects(a.extent(0) == c.extent(0), "one length");
    auto byte = cast<i32>(c.at(0)) * 65536;
    c.store(a(byte / 65536));
  });
  expect_settled(k);
  expect_refused(k(sevens(32769), ones_of(32769)), "#1.extent(0) <= 32768");
  EXPECT_EQ(k(sevens(32), ones_of(32)).sync().to_host(), std::vector<i32>(32, 1));
}

TEST(Arithmetic, AProductOfTheProgramAndAScalar) {
  static int line;
  expect_refuted(kernel("stride",
                        [](Out<i32, 16> c, In<i32, 1> a, Scalar<i32> stride) {
                          line = next_line();
                          c.store(gather<0>(a, cast<i32>(c.at(0)) * stride + iota<16>()));
                        }),
                 Bounds{2, 0, line, "program 0 at 1 in 1; 1; = 1; 1 program"});
}

TEST(Arithmetic, ASumNearTheEndOfSixtyFourBits) {
  const auto k = kernel("offset", [](Out<i32, 16> c, In<i32, 16> a, Scalar<i64> offset) { c.store(a(c.at(0) + offset)); });
  expect_settled(k);
  expect_refused(k(sevens(32), ones_of(32), most), "#3");
  expect_refused(k(sevens(32), ones_of(32), -1), "#3 >= 0");
  EXPECT_EQ(k(sevens(16), ones_of(32), 1).sync().to_host(), std::vector<i32>(16, 1));
}

TEST(Arithmetic, AProductThatWraps) {
  const auto k = kernel("scaled", [](Out<i32, 16> c, In<i32, 16> a, Scalar<i64> scale) { c.store(a(scale * 16)); });
  expect_settled(k);
  expect_refused(k(sevens(16), ones_of(32), i64{1} << 59), "#3");
  if (!checks_everything()) // times 16 it is 0 in 64 bits, which a check finds right
    expect_refused(k(sevens(16), ones_of(32), i64{1} << 60), "#3");
  EXPECT_EQ(k(sevens(16), ones_of(32), 0).sync().to_host(), std::vector<i32>(16, 1));
}

TEST(Arithmetic, AQuotientRoundsTowardZero) {
  static int line;
  expect_refuted(kernel("floor",
                        [](Out<i32, 16> c, In<i32, 16> a) {
                          expects(a.extent(0) == c.extent(0), "one length");
                          line = next_line();
                          c.store(a((c.at(0) - 4) / 2 + 1));
                        }),
                 Bounds{2, 0, line, "program 0 at -1 in 1; 1; 1 program"});
  expect_proved(kernel("toward zero", [](Out<i32, 16> c, In<i32, 16> a) {
    expects(a.extent(0) == c.extent(0), "one length");
    c.store(a((c.at(0) - 1) / 2));
  }));
}

TEST(Arithmetic, ARemainderHasTheSignOfTheLeftSide) {
  static int line;
  expect_refuted(kernel("negative",
                        [](Out<i32, 16> c, In<i32, 16> a) {
                          expects(a.count(0) >= 4, "four tiles at least");
                          line = next_line();
                          c.store(a((c.at(0) - 2) % 4));
                        }),
                 Bounds{2, 0, line, "program 0 at -2 in 1; 49; 1 program"});
  expect_proved(kernel("masked", [](Out<i32, 16> c, In<i32, 16> a) {
    expects(a.count(0) >= 4, "four tiles at least");
    c.store(a((c.at(0) - 2) & 3));
  }));
}

TEST(Arithmetic, ARemainderByZeroIsTheLeftSide) {
  const auto k = kernel("by zero", [](Out<i32, 16> c, In<i32, 16> a, Scalar<i64> n) {
    expects(n >= 0 && n <= a.count(0), "n is at most the number of tiles");
    c.store(a(c.at(0) % n));
  });
  expect_condition(k, {bounds, 2, 0}, "#3 >= 1 or #2.count(0) >= #1.count(0)");
  expect_refused(k(sevens(32), ones_of(16), 0), "#3 >= 1");
  EXPECT_EQ(k(sevens(32), ones_of(16), 1).sync().to_host(), std::vector<i32>(32, 1));
  expect_proved(kernel("by more", [](Out<i32, 16> c, In<i32, 16> a, Scalar<i64> n) {
    expects(n >= 1 && n <= a.count(0), "n is at most the number of tiles");
    c.store(a(c.at(0) % n));
  }));
}

TEST(Arithmetic, AShiftRoundsDown) {
  static int line;
  expect_refuted(kernel("shift",
                        [](Out<i32, 16> c, In<i32, 16> a) {
                          expects(a.extent(0) == c.extent(0), "one length");
                          line = next_line();
                          c.store(a((c.at(0) - 1) >> 1));
                        }),
                 Bounds{2, 0, line, "program 0 at -1 in 1; 1; 1 program"});
}

TEST(Arithmetic, UnsignedScalarsOfAllSizes) {
  const auto k = kernel("u64", [](Out<i32, 16> c, In<i32, 16> a, Scalar<u64> at) { c.store(a(at)); });
  expect_condition(k, {bounds, 2, 0}, "#2.count(0) >= #3 + 1");
  for (const u64 at : {u64{1}, ~u64{0}, u64{1} << 63})
    expect_refused(k(sevens(16), ones_of(16), at), "#3");
  EXPECT_EQ(k(sevens(16), ones_of(16), 0).sync().to_host(), std::vector<i32>(16, 1));
}

TEST(Arithmetic, AShiftForATooLargePower) {
  static int line;
  expect_refuted(kernel("shift",
                        [](Out<i32, 16> c, In<i32, 16> a) {
                          expects(a.extent(0) == c.extent(0), "one length");
                          line = next_line();
                          c.store(a((c.at(0) >> 2) << 3));
                        }),
                 Bounds{2, 0, line, "program 4 at 8 in 65; 65; 5 programs"});
  expect_proved(kernel("shift", [](Out<i32, 16> c, In<i32, 16> a) {
    expects(a.extent(0) == c.extent(0), "one length");
    c.store(a((c.at(0) >> 3) << 3));
  }));
}

TEST(Arithmetic, TheAbsoluteValueOfADistance) {
  static int line;
  expect_refuted(kernel("distance",
                        [](Out<i32, 16> c, In<i32, 16> a) {
                          expects(a.extent(0) == c.extent(0), "one length");
                          line = next_line();
                          c.store(a(abs(c.at(0) - a.count(0))));
                        }),
                 Bounds{2, 0, line, "program 0 at 1 in 1; 1; 1 program"});
  expect_proved(kernel("distance", [](Out<i32, 16> c, In<i32, 16> a) {
    expects(a.extent(0) == c.extent(0), "one length");
    c.store(a(abs(c.at(0) - a.count(0) + 1)));
  }));
}

TEST(Arithmetic, AnEightBitCounter) {
  const auto k = kernel("counter", [](Out<i32, 16> c, In<i32, 16> a) {
    auto sum = zeros<i32, 16>();
    auto at = Scalar<i8>(0);
    for ([[maybe_unused]] auto i : range(a.count(0))) {
      sum += a(at);
      at += 1;
    }
    c.store(sum);
  });
  EXPECT_FALSE(proof_of(k).refuted()) << "right for short tensors, so refused or trapped for long ones";
  EXPECT_NE(message_of_launch([&] { std::ignore = k(sevens(16), ones_of(16 * 200)).sync(); }), "no error");
  EXPECT_EQ(k(sevens(16), ones_of(16 * 100)).sync().to_host(), std::vector<i32>(16, 100));
}

TEST(Arithmetic, ARaceByACast) {
  const auto k = kernel("narrow", [](Patch<i32, 1> p) {
    expects(p.extent(0) >= programs() && p.extent(0) >= 256, "enough room");
    p.tile(cast<u8>(this_program())).store(zeros<i32, 1>());
  });
  expect_rung(k, {disjoint, 1}, Rung::checked);
  const std::string said = message_of_launch([&] { std::ignore = k(sevens(300)).programs(257).sync(); });
  EXPECT_NE(said.find("programs 0 and 256 both write element"), std::string::npos) << said;
  EXPECT_EQ(k(sevens(300)).programs(256).sync().to_host()[255], 0);
}

TEST(Arithmetic, AProductOfBoundsWraps) {
  const auto k = kernel("bounds", [](Out<i32, 1> c, In<i32, 1> a, Index<i32, 1> x, Index<i32, 1> y) {
    expects(a.extent(0) >= 1, "a is not empty");
    c.store(a(minimum(x.bound() * y.bound(), Int(0))));
  });
  expect_settled(k);
  const auto x = Certified<i32, 1>::from_host(Device::cpu(), {1}, {0}, i64{1} << 32);
  const auto y = Certified<i32, 1>::from_host(Device::cpu(), {1}, {0}, i64{1} << 31);
  expect_refused(k(sevens(1), ones_of(1), x, y), "#3.bound() * #4.bound()");
}

TEST(Arithmetic, AStrideThatIsAScalar) {
  const auto k = kernel("stride", [](Out<i32, 16> c, In<i32, 16> a, Scalar<i64> offset, Scalar<i64> stride) {
    expects(offset >= 0 && offset < 1000 && stride >= 0 && stride < 1000, "small numbers");
    expects((c.count(0) - 1) * stride + offset < a.count(0), "a is long enough");
    c.store(a(c.at(0) * stride + offset));
  });
  EXPECT_EQ(k(sevens(16), ones_of(32), 1, 0).sync().to_host(), std::vector<i32>(16, 1));
}

TEST(Arithmetic, NumbersNearTheEndOfTheirType) {
  const auto k = kernel("large", [](Out<i32, 16> y, In<i32, 16> x, Scalar<u64> n) {
    expects(n <= u64(1) && x.count(0) >= 1, "0 or 1");
    auto v = n * u64(8301034833169298228u) + u64(7378697629483820646u);
    auto sum = zeros<i32, 16>();
    if_(v >= u64(5), [&] { sum += x(cast<i64>(n) - 1); });
    y.store(sum);
  });
  EXPECT_THROW(k(sevens(16), ones_of(16), u64(0)).sync(), Error);
}

TEST(Arithmetic, TheSmallerOfANumberAndItself) {
  const auto k = kernel("itself", [](Out<i32, 16> y, In<i32, 16> x, Scalar<u32> n) {
    expects(x.count(0) >= 1, "some");
    auto far = cast<i64>(n) + std::numeric_limits<i64>::min();
    auto sum = zeros<i32, 16>();
    if_(minimum(far, far) < 0, [&] { sum += x(0); });
    if_(cast<i32>(n) < 0, [&] { sum += x(12345); });
    y.store(sum);
  });
  EXPECT_THROW(k(sevens(16), ones_of(16), std::numeric_limits<u32>::max()).sync(), Error);
}

TEST(Arithmetic, TheLargerOfTwoInTwoTypes) {
  const auto k = kernel("types", [](Out<i32, 16> y, In<i32, 16> x, In<i32, 16> z, Scalar<i32> n, Scalar<i8> m, Scalar<u8> q) {
    expects(z.count(0) >= 100001, "room for the first");
    auto sum = zeros<i32, 16>();
    if_(n >= 0 && n <= 100, [&] { sum += z(cast<i64>(maximum(n * 1000, cast<i32>(m)))); });
    sum += x(maximum(cast<i64>(n) * 1000, cast<i64>(m)) * cast<i64>(q));
    y.store(sum);
  });
  EXPECT_THROW(k(sevens(16), ones_of(16), ones_of(16 * 100001), 2147483646, i8(0), u8(255)).sync(), Error);
}

TEST(Arithmetic, TheLargerOfTwoComputedInTwoWays) {
  const auto k = kernel("ways", [](Out<i32, 16> y, In<i32, 16> x, In<i32, 16> z, Scalar<i32> n, Scalar<u8> m, Scalar<u8> q) {
    expects(z.count(0) >= 100001, "room for the first");
    auto sum = zeros<i32, 16>();
    if_(n >= 0 && n <= 100, [&] { sum += z(maximum(cast<i64>(n * 1000), cast<i64>(m))); });
    sum += x(maximum(cast<i64>(n) * 1000, cast<i64>(m)) * cast<i64>(q));
    y.store(sum);
  });
  EXPECT_THROW(k(sevens(16), ones_of(16), ones_of(16 * 100001), 2147483646, u8(0), u8(255)).sync(), Error);
}

TEST(Arithmetic, NumbersThatAreDealtOutFarApart) {
  const auto k = kernel("far", [](Patch<i32, 16> y, In<i32, 16> x, Scalar<i64> n) {
    auto sum = zeros<i32, 16>();
    for (auto i : range(this_program(), n, programs())) {
      auto j = i + ((i64(1) << 62) - 1); // wraps around, as there may be 2^40 programs
      if_(j < 5, [&] { sum += x(j); });
    }
    if_(this_program() == 0 && y.count(0) >= 1, [&] { y.tile(0).store(sum); });
  });
  if (!checks_everything()) {
    const Proof& proof = proof_of(k);
    const auto is_about = [](const Obligation& o) { return o.kind == bounds && o.parameter == 1; };
    const auto load = std::ranges::find_if(proof.obligations, is_about);
    ASSERT_NE(load, proof.obligations.end());
    EXPECT_TRUE(load->rung != Rung::proved || !proof.conditions.empty()) << proof_text(k);
  }
}

TEST(Arithmetic, ManyProductsInOneStep) {
  const auto k = kernel("steps", [](Out<i32, 16> y, In<i32, 16> x, Scalar<i64> n, Scalar<i64> m) {
    expects(n * m >= 0 && n * m <= 1000 && x.count(0) >= 1, "small");
    auto sum = zeros<i32, 16>();
    Int v = 0;
    for ([[maybe_unused]] auto i : range(5)) {
      sum += x(v);
      for (int k = 0; k < 256; ++k)
        v += n * m;
    }
    y.store(sum);
  });
  EXPECT_THROW(k(sevens(16), ones_of(16), -1, -1).sync(), Error);
}

} // namespace
