// Proofs that programs carry: what is said and checked at a launch survives.
#include "lib/prove/ProofBytes.h"

#include <gtest/gtest.h>

namespace {

using namespace tegula;

Proof sample() {
  Proof proof;
  proof.kernel = "k";
  proof.location = {"a.cpp", 3, 5};
  proof.obligations = {{ObligationKind::bounds, Rung::condition, 1, 0, "load", "#1.count(0) <= 4", {"a.cpp", 4, 1}, {}, 0.5},
                       {ObligationKind::covered,
                        Rung::checked,
                        0,
                        -1,
                        "stores",
                        "",
                        {"b.cpp", 5, 2},
                        {"b.cpp", 6, 3},
                        1e-3,
                        Cost::writes,
                        "write them once"}};
  Uniform sum;
  sum.nodes = {{Uniform::Op::dim, DType::i64, 1, 0, 0},
               {Uniform::Op::constant, DType::i32, 0, 0, -7},
               {Uniform::Op::add, DType::i64, 0, 0, 0}};
  LaunchCondition condition;
  condition.any_of = {{{{-3, sum}, {1, {{{Uniform::Op::programs, DType::i64, 0, -1, 0}}}}}, INT64_MIN}, {{}, 1}};
  condition.text = "n is even";
  condition.purpose = "the load reads inside parameter 2 along axis 0";
  condition.location = {"a.cpp", 9, 1};
  proof.conditions = {condition};
  proof.ms = 12.25;
  proof.covered = {0, 3};
  return proof;
}

TEST(ProofBytes, ComeBackAsTheyWere) {
  const Proof proof = sample();
  const std::string bytes = pack_proof(proof);
  const std::optional<Proof> back = unpack_proof(bytes);
  ASSERT_TRUE(back);
  EXPECT_EQ(back->text(), proof.text());
  EXPECT_EQ(back->json(), proof.json());
  EXPECT_EQ(back->covered, proof.covered);
  ASSERT_EQ(back->conditions.size(), 1u);
  EXPECT_EQ(back->conditions[0].any_of, proof.conditions[0].any_of);
  EXPECT_EQ(back->conditions[0].purpose, proof.conditions[0].purpose);
  EXPECT_EQ(back->conditions[0].location.column, 1u);
  EXPECT_EQ(back->obligations[1].other.file, "b.cpp");
  EXPECT_EQ(back->obligations[1].ms, 1e-3);
  EXPECT_EQ(back->obligations[1].cost, Cost::writes);
  EXPECT_EQ(back->warning(), proof.warning());
  EXPECT_FALSE(back->refuted());
  EXPECT_FALSE(back->witness);
}

TEST(ProofBytes, ThatAreNoneAreNoProof) {
  const std::string bytes = pack_proof(sample());
  for (std::size_t size = 0; size < bytes.size(); ++size)
    EXPECT_FALSE(unpack_proof(bytes.substr(0, size))) << size;
  EXPECT_FALSE(unpack_proof(bytes + "x"));
  EXPECT_TRUE(unpack_proof(pack_proof({})));
}

} // namespace
