// What `tegula audit` finds, and what it must not take for a use.
#include "tools/tegula/Audit.h"
#include "tools/tegula/Tokens.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include <unistd.h>

namespace tegula {
namespace {

namespace fs = std::filesystem;

/// "line: reason" of each use, with ? for one without a literal.
std::vector<std::string> found(std::string_view source, bool declares = false) {
  std::vector<std::string> lines;
  for (const UnsafeUse& use : unsafe_uses(source, declares))
    lines.push_back(std::to_string(use.line) + ": " + (use.literal ? use.reason : "?"));
  return lines;
}
using Lines = std::vector<std::string>;

TEST(Audit, FindsCallsHoweverTheyAreWritten) {
  EXPECT_EQ(found("a(i, unsafe(\"sorted by the caller\"))"), Lines{"1: sorted by the caller"});
  EXPECT_EQ(found("\n  a(i,\n tegula::unsafe (\n\"why\"\n))"), Lines{"3: why"});
  EXPECT_EQ(found("unsafe{\"why\"}"), Lines{"1: why"});
  EXPECT_EQ(found("constexpr unsafe why(\"why\");"), Lines{"1: why"});
  EXPECT_EQ(found("unsafe(\"one \" \"two \"\n  /* and */ \"three\")"), Lines{"1: one two three"});
  EXPECT_EQ(found("unsafe(R\"x(say \")\" twice)x\")"), Lines{"1: say \")\" twice"});
  EXPECT_EQ(found("unsafe(u8\"why\"); unsafe(\"a \\\" b\")"), (Lines{"1: why", "1: a \\\" b"}));
  EXPECT_EQ(found("un\\\nsafe(\"why\")"), Lines{"1: why"});
  EXPECT_EQ(found("a(i, tegula::detail::Unsafe{\"why\"})"), Lines{"1: why"});
  EXPECT_EQ(found("#define LOAD(i) a(i, unsafe(\"why\"))\n"), Lines{"1: why"});
}

TEST(Audit, ReportsWhatHasNoLiteral) {
  EXPECT_EQ(found("a(i, unsafe(reason))"), Lines{"1: ?"});
  EXPECT_EQ(found("a(i, unsafe(\"a\" + b))"), Lines{"1: ?"});
  EXPECT_EQ(found("a(i, unsafe())"), Lines{"1: ?"});
  EXPECT_EQ(found("unsafe(\"cut off"), Lines{"1: ?"});
}

TEST(Audit, ReportsNamesThatWouldHideUses) {
  EXPECT_EQ(found("using waive = tegula::unsafe;"), Lines{"1: ?"});
  EXPECT_EQ(found("int x;\ntypedef unsafe waive;"), Lines{"2: ?"});
  EXPECT_EQ(found("#define WAIVE unsafe\n"), Lines{"1: ?"});
  EXPECT_EQ(found("using tegula::unsafe;\nusing namespace tegula;"), Lines{});
}

TEST(Audit, PassesOverWhatIsNotCode) {
  EXPECT_EQ(found("// unsafe(\"why\")\n/* unsafe(\"why\")\n */ int x;"), Lines{});
  EXPECT_EQ(found("// unsafe \\\nunsafe(\"still the comment\")\n"), Lines{});
  EXPECT_EQ(found("f(\"unsafe(\\\"why\\\")\"); g(\"\\\\\"); h(R\"(unsafe(\"why\"))\");"), Lines{});
  EXPECT_EQ(found("char c = '\"'; d = '\\''; // unsafe(\"why\")"), Lines{});
  EXPECT_EQ(found("int n = 1'000; f(n); // unsafe(\"why\")"), Lines{});
  EXPECT_EQ(found("very_unsafe(\"no\"); unsafely(\"no\"); options.unsafe(\"no\"); p->unsafe(\"no\"); bool unsafe = false;"),
            Lines{});
}

TEST(Audit, CodeAfterAnOddLiteralIsStillSeen) {
  EXPECT_EQ(found("char c = '\"'; unsafe(\"why\")"), Lines{"1: why"});
  EXPECT_EQ(found("n = 1'000'000 + 0x1p-3 + 1.5e+3; unsafe(\"why\")"), Lines{"1: why"});
  EXPECT_EQ(found("s = R\"(\\)\"; unsafe(\"why\")"), Lines{"1: why"});
  EXPECT_EQ(found("s = \"not closed\n unsafe(\"why\")"), Lines{"2: why"});
  EXPECT_EQ(found("x = a /b; unsafe(\"why\") // c"), Lines{"1: why"});
}

TEST(Audit, TheDefinitionIsNoUse) {
  const char* definition = "struct unsafe {\n  template <int N> consteval explicit unsafe(const char (&text)[N]);\n};\n";
  EXPECT_EQ(found(definition, true), Lines{});
  EXPECT_EQ(found("load(a, unsafe(\"why\"))", true), Lines{"1: why"});
  EXPECT_FALSE(found(definition).empty());
}

TEST(Tokens, KnowTheirLines) {
  const std::vector<Token> tokens = tokens_of("a\n\"b\\\nc\" d\n#if e\nf");
  ASSERT_EQ(tokens.size(), 7u);
  EXPECT_EQ(tokens[1].text, "bc");
  EXPECT_EQ(tokens[1].line, 2u);
  EXPECT_EQ(tokens[2].line, 3u);
  EXPECT_TRUE(tokens[5].directive);
  EXPECT_FALSE(tokens[6].directive);
}

/// A folder that is removed again.
class Folder : public testing::Test {
protected:
  Folder() : root_(fs::path(testing::TempDir()) / ("audit-" + std::to_string(::getpid()))) { fs::create_directories(root_); }
  ~Folder() override { fs::remove_all(root_); }
  void write(const std::string& path, std::string_view text) {
    fs::create_directories((root_ / path).parent_path());
    std::ofstream(root_ / path) << text;
  }
  Audit run(const std::string& path = "") { return audit({(root_ / path).string()}); }
  fs::path root_;
};

TEST_F(Folder, SourcesAreFoundInOrderAndTheRestIsLeftOut) {
  write("src/b.cpp", "unsafe(\"second\")");
  write("src/a.hpp", "\nunsafe(\"first\")");
  for (const char* path : {"notes.txt", "build/x.cpp", ".git/x.cpp", "out/x.cpp"})
    write(path, "unsafe(\"no\")");
  write("out/CMakeCache.txt", "");
  const Audit result = run();
  ASSERT_EQ(result.uses.size(), 2u);
  EXPECT_EQ(result.uses[0].file, (root_ / "src/a.hpp").string());
  EXPECT_EQ(result.uses[0].line, 2u);
  EXPECT_EQ(result.uses[1].reason, "second");
  EXPECT_EQ(result.files, 2);
  EXPECT_FALSE(result.in_kernels);
  EXPECT_EQ(report(result), 0);
}

TEST_F(Folder, OneInKernelsFails) {
  write("kernels/deep/a.hpp", "unsafe(\"why\")");
  EXPECT_EQ(report(run()), 1);
  EXPECT_EQ(report(run("kernels")), 1);
  EXPECT_EQ(report(run("kernels/.")), 1);
  EXPECT_EQ(report(run("kernels/deep/a.hpp")), 1);
  write("kernels/deep/a.hpp", "// unsafe(\"why\")");
  EXPECT_EQ(report(run("kernels")), 0);
}

TEST_F(Folder, APathThatIsNotThereIsAnError) {
  write("a.cpp", "unsafe(\"why\")");
  const Audit result = audit({(root_ / "missing").string(), (root_ / "a.cpp").string()});
  EXPECT_EQ(result.uses.size(), 1u) << "the others are still read";
  ASSERT_EQ(result.unreadable.size(), 1u);
  EXPECT_NE(result.unreadable[0].find("missing"), std::string::npos);
  EXPECT_EQ(report(result), 2);
}

TEST_F(Folder, TheLanguagesOwnHeadersMayDeclareIt) {
  write("include/tegula/kernel/unsafe.hpp", "struct unsafe { consteval unsafe(const char* text); };");
  EXPECT_TRUE(run().uses.empty());
  write("include/other/unsafe.hpp", "struct unsafe { consteval unsafe(const char* text); };");
  EXPECT_FALSE(run().uses.empty());
}

} // namespace
} // namespace tegula
