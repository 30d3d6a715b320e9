// What `tegula prove` prints of a proof: the table, and the line of JSON.
#include "lib/prove/Proof.h"

#include <gtest/gtest.h>

namespace tegula {
namespace {

LaunchCondition expectation() {
  LaunchCondition condition;
  condition.text = "one head at least";
  condition.purpose = "expects";
  condition.location = {"a.cpp", 4, 1};
  return condition;
}

/// #2.count(0) >= #1.count(0)
LaunchCondition comparison() {
  LaunchCondition condition;
  const auto tiles = [](std::int16_t parameter) {
    Uniform uniform;
    uniform.nodes = {{.op = Uniform::Op::tiles, .parameter = parameter}};
    return uniform;
  };
  condition.any_of = {{.sum = {{1, tiles(1)}, {-1, tiles(0)}}}};
  condition.purpose = "the load reads inside parameter 2 along axis 0";
  condition.location = {"a.cpp", 12, 7};
  return condition;
}

Proof some_proof() {
  Proof proof;
  proof.kernel = "add";
  proof.location = {"a.cpp", 3, 1};
  proof.ms = 3.14;
  Obligation load, stores;
  load.parameter = 1;
  load.axis = 0;
  load.what = "load of parameter 2 along axis 0";
  load.location = {"a.cpp", 12, 7};
  load.ms = 0.125;
  stores.kind = ObligationKind::disjoint;
  stores.rung = Rung::condition;
  stores.what = "stores of parameter 1";
  stores.how = "#1.count(0) >= 1";
  stores.location = {"a.cpp", 5, 3};
  stores.other = {"a.cpp", 6, 3};
  stores.ms = 1;
  proof.obligations = {load, stores};
  return proof;
}

TEST(ProofText, HeadAndOneAlignedLinePerObligation) {
  Proof proof = some_proof();
  proof.conditions = {expectation()};
  EXPECT_EQ(proof.text(), "kernel 'add' (a.cpp:3): 2 obligations, 1 launch condition, 3.1 ms\n"
                          "  a.cpp:12  bounds    load of parameter 2 along axis 0  proved     0.12 ms\n"
                          "  a.cpp:5   disjoint  stores of parameter 1             condition  1.00 ms  #1.count(0) >= 1\n"
                          "  a.cpp:4  a launch needs  one head at least\n");
}

TEST(ProofText, AColumnWithoutTextTakesNoSpace) {
  Proof proof = some_proof();
  proof.obligations = {proof.obligations[1]};
  proof.obligations[0].what = "";
  EXPECT_EQ(proof.text(), "kernel 'add' (a.cpp:3): 1 obligation, 0 launch conditions, 3.1 ms\n"
                          "  a.cpp:5  disjoint  condition  1.00 ms  #1.count(0) >= 1\n");
}

TEST(ProofText, LettersOfSeveralBytesAlign) {
  Proof proof = some_proof();
  proof.obligations[0].what = "é";
  proof.obligations[1].what = "ee";
  const std::string text = proof.text();
  EXPECT_NE(text.find("é   proved"), std::string::npos) << text;
  EXPECT_NE(text.find("ee  condition"), std::string::npos) << text;
}

TEST(ProofText, RefutationIsInTheHeadAndComesLast) {
  Proof proof = some_proof();
  proof.obligations[0].rung = Rung::refuted;
  proof.refutation = "a.cpp:12: programs 0 and 1 both write";
  EXPECT_TRUE(proof.text().ends_with("#1.count(0) >= 1\na.cpp:12: programs 0 and 1 both write\n"));
  EXPECT_TRUE(proof.text().starts_with("kernel 'add' (a.cpp:3): 2 obligations, 0 launch conditions, 3.1 ms, refuted\n"));
  EXPECT_NE(proof.text().find("  refuted "), std::string::npos);
}

TEST(ProofText, ConditionWithoutWordsShowsItsInequalities) {
  Proof proof = some_proof();
  proof.conditions = {comparison()};
  EXPECT_TRUE(proof.text().ends_with("a launch needs  " + comparison().str() +
                                     "  so that the load reads inside parameter 2 along axis 0\n"))
      << proof.text();
  EXPECT_NE(proof.json().find("\"text\":\"" + comparison().str() + "\""), std::string::npos) << proof.json();
}

TEST(ProofText, AConditionThatAnObligationShowsIsNotShownAgain) {
  Proof proof = some_proof();
  proof.conditions = {comparison(), expectation()};
  proof.obligations[1].how = comparison().str() + ", and more";
  const std::string text = proof.text();
  EXPECT_EQ(text.find(comparison().str()), text.rfind(comparison().str())) << text;
  EXPECT_NE(text.find("a launch needs  one head at least"), std::string::npos) << text;
}

TEST(ProofText, JsonIsOneLineWithEveryField) {
  Proof proof = some_proof();
  proof.conditions = {expectation()};
  EXPECT_EQ(proof.json(),
            R"({"kernel":"add","file":"a.cpp","line":3,"ms":3.140,"obligations":[)"
            R"({"kind":"bounds","what":"load of parameter 2 along axis 0","parameter":1,"axis":0,"file":"a.cpp","line":12,)"
            R"("other_line":0,"rung":"proved","how":"","ms":0.125},)"
            R"({"kind":"disjoint","what":"stores of parameter 1","parameter":0,"axis":-1,"file":"a.cpp","line":5,)"
            R"("other_line":6,"rung":"condition","how":"#1.count(0) >= 1","ms":1.000}],)"
            R"("conditions":[{"text":"one head at least","purpose":"expects","file":"a.cpp","line":4}],)"
            R"("refutation":""})");
}

TEST(ProofText, JsonEscapesWhatItMust) {
  Proof proof;
  proof.kernel = "a\"b\\c\nd\te\x01";
  proof.refutation = "two\nlines";
  EXPECT_EQ(proof.json(), R"({"kernel":"a\"b\\c\nd\u0009e\u0001","file":"","line":0,"ms":0.000,"obligations":[],"conditions":[],)"
                          R"("refutation":"two\nlines"})");
}

TEST(ProofJson, IsUtf8WhateverTheNameIs) {
  Proof proof;
  proof.kernel = "\xFF \"a\" \xC3\xA9 \xC0\xAF \xED\xA0\x80 \xF0\x9F\x98\x80 \xE2\x82"; // é and an emoji are all that is right
  const std::string text = proof.json();
  EXPECT_NE(
      text.find("\"kernel\":\"\\ufffd \\\"a\\\" \xC3\xA9 \\ufffd\\ufffd \\ufffd\\ufffd\\ufffd \xF0\x9F\x98\x80 \\ufffd\\ufffd\""),
      std::string::npos)
      << text;
}

TEST(ProofText, EveryRungAndKindHasAName) {
  EXPECT_STREQ(name(Rung::proved), "proved");
  EXPECT_STREQ(name(Rung::condition), "condition");
  EXPECT_STREQ(name(Rung::checked), "checked");
  EXPECT_STREQ(name(Rung::waived), "waived");
  EXPECT_STREQ(name(Rung::refuted), "refuted");
  EXPECT_STREQ(name(ObligationKind::bounds), "bounds");
  EXPECT_STREQ(name(ObligationKind::disjoint), "disjoint");
  EXPECT_STREQ(name(ObligationKind::covered), "covered");
  EXPECT_STREQ(name(ObligationKind::step), "step");
  EXPECT_STREQ(name(ObligationKind::sub_tile), "sub-tile");
  EXPECT_STREQ(name(ObligationKind::values), "values");
}

} // namespace
} // namespace tegula
