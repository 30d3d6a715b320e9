// What is wrong with a text, and where.
#include "test/ptxemu/Harness.h"

namespace ptxemu {
namespace {

std::string error_in(const std::string& body) { return syntax_error(kernel(body)); }

TEST(Parse, UnknownInstructions) {
  EXPECT_EQ(error_in("wgmma.fence.sync.aligned;"), "line 8: unknown instruction: wgmma.fence.sync.aligned");
  EXPECT_EQ(error_in("\nadd.s33 %r1, %r2, %r3;"), "line 9: unknown instruction: add.s33 %r1, %r2, %r3");
  EXPECT_EQ(error_in("ld.global.surprise.b32 %r1, [%rd0];"), "line 8: unknown instruction: ld.global.surprise.b32 %r1, [%rd0]");
  EXPECT_EQ(error_in("mma.sync.aligned.m16n8k64.row.col.s32.s4.s4.s32 {%r1}, {%r1}, {%r1}, {%r1};").substr(0, 28),
            "line 8: unknown instruction:");
}

TEST(Parse, NamesAndOperands) {
  EXPECT_EQ(error_in("add.s32 %r1, %r2, %x;"), "line 8: '%x' is not known: add.s32 %r1, %r2, %x");
  EXPECT_EQ(error_in("add.s32 %r1, %r2;"), "line 8: expected 3 operands, found 2: add.s32 %r1, %r2");
  EXPECT_EQ(error_in("add.s32 %r1, %r2, %r500;"), "line 8: '%r500' is not known: add.s32 %r1, %r2, %r500");
  EXPECT_EQ(error_in("add.s32 %p1, %r2, %r2;"), "line 8: '%p1' is not a register for a result: add.s32 %p1, %r2, %r2");
  EXPECT_EQ(error_in("@%r1 bra L;\nL:"), "line 8: '%r1' is not a predicate: bra L");
  EXPECT_EQ(error_in("bra NOWHERE;"), "line 8: no label 'NOWHERE'");
  EXPECT_EQ(error_in("{ call.uni missing; }"),
            "line 8: no function 'missing' in this module (calls through pointers are not supported): call.uni missing");
  EXPECT_EQ(error_in("ld.global.b32 %r1, %rd0;"), "line 8: expected an address in brackets: ld.global.b32 %r1, %rd0");
}

TEST(Parse, Text) {
  EXPECT_EQ(syntax_error("/* no end"), "line 1: a comment has no end");
  EXPECT_EQ(syntax_error(".version 8.6\n.nonsense"), "line 2: unknown directive '.nonsense'");
  EXPECT_EQ(error_in("add.s32 %r1, %r2, 0x;"), "line 8: '0x' is not a number");
  EXPECT_EQ(error_in("add.s32 %r1 %r2, 3;"), "line 8: expected ',', found '%r2'");
  EXPECT_EQ(syntax_error(".address_size 32\n"), "line 2: only 64-bit addresses are known, found ''");
}

TEST(Parse, Recursion) {
  std::string function = ".func f() { call.uni f, (); ret; }\n";
  EXPECT_EQ(syntax_error(kernel("call.uni f, ();", function)), "line 4: function 'f' calls itself, which is not supported");
}

TEST(Parse, DebugInformationIsSkipped) {
  EXPECT_EQ(syntax_error(kernel("") +
                         "\t.section\t.debug_abbrev\n\t{\n.b8 1\n.b8 17,0\n.b32 $L__foo\n\t}\n\t.section .debug_macinfo { }\n"),
            "");
}

TEST(Parse, Launches) {
  auto module = load_module(kernel(""));
  DeviceMemory memory;
  Launch what;
  what.block = {2000, 1, 1};
  auto report = launch(*module->find("k"), memory, what);
  ASSERT_TRUE(report);
  EXPECT_EQ(report->text, "launch: kernel k: 2000 threads in a block; 1 to 1024 are possible");
  what.block = {32, 1, 1};
  report = launch(*module->find("k"), memory, what);
  ASSERT_TRUE(report);
  EXPECT_EQ(report->text, "launch: kernel k: 0 bytes of parameters; it has 16");
}

} // namespace
} // namespace ptxemu
