// What assembles the recorded PTX of all tests notices what it should.
#include "test/support/RecordedPtx.h"
#include "test/support/Ptxas.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <unistd.h>

namespace tegula::test {
namespace {

bool has(const std::string& text, const std::string& words) { return text.find(words) != std::string::npos; }

std::string module_of(const std::string& name, const std::string& body, const std::string& directives = ".maxntid 64") {
  return ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry " + name + "(.param .u64 out)\n" + directives + "\n{\n" +
         ".reg .b64 %rd<2>;\n.reg .b32 %r<100>;\n" + body + "ret;\n}\n";
}

/// More values at once than there are registers.
std::string spilling(const std::string& source) {
  std::string body = "ld.param.b64 %rd1, [out];\n";
  for (int i = 0; i < 100; ++i)
    body += "ld.volatile.global.b32 %r" + std::to_string(i) + ", [%rd1+" + std::to_string(4 * i) + "];\n";
  for (int i = 99; i >= 0; --i)
    body += "st.volatile.global.b32 [%rd1+" + std::to_string(4 * i) + "], %r" + std::to_string(i) + ";\n";
  return module_of("spills", body, ".maxntid 64\n.maxnreg 24") + ".file 1 \"" + source + "\"\n";
}

class Recorded : public testing::Test {
protected:
  void SetUp() override {
    if (assembler_version().empty())
      GTEST_SKIP() << "there is no ptxas on this machine";
    std::filesystem::create_directories(folder);
  }
  void TearDown() override { std::filesystem::remove_all(root); }

  void write(const std::string& name, const std::string& text) { std::ofstream(folder / name) << text; }
  std::string report_text() {
    std::ostringstream text;
    text << std::ifstream(report).rdbuf();
    return text.str();
  }
  RecordedPtx check() { return check_recorded(folder, report); }

  const std::filesystem::path root = std::filesystem::path(testing::TempDir()) / ("recorded-ptx-" + std::to_string(getpid()));
  const std::filesystem::path folder = root / "ptx", report = root / "report.txt";
};

TEST_F(Recorded, WhatAModuleNeedsIsReported) {
  write("1.ptx", module_of("good", ""));
  write("1.shared", "1024");
  EXPECT_TRUE(check().failures.empty());
  EXPECT_TRUE(has(report_text(), " good sm_80: 64 threads, ")) << report_text();
  EXPECT_GT(number_before(report_text(), "registers, 0 bytes spilled, 1024 bytes of shared memory\n"), 0) << report_text();
  std::filesystem::remove(folder / "1.shared");
  check();
  EXPECT_TRUE(has(report_text(), "0 bytes of shared memory (never launched)\n")) << report_text();
}

TEST_F(Recorded, ABrokenModuleFailsEveryTime) {
  write("1.ptx", module_of("good", ""));
  write("2.ptx", module_of("broken", "add.s32 %r1, %r2;\n"));
  write("3.ptx", "no PTX at all");
  for (int run = 0; run < 2; ++run) {
    const std::vector<std::string> failures = check().failures;
    ASSERT_EQ(failures.size(), 2u);
    EXPECT_TRUE(has(failures[0], "broken for sm_80 (") && has(failures[0], "2.ptx):") && has(failures[0], "line 9; error"))
        << failures[0];
    EXPECT_TRUE(has(failures[1], "3.ptx")) << failures[1];
  }
  EXPECT_TRUE(has(report_text(), " good ") && !has(report_text(), "broken")) << report_text();
}

TEST_F(Recorded, WhatTheTargetLacksFails) {
  write("1.ptx", module_of("later", "griddepcontrol.wait;\n"));
  const std::vector<std::string> failures = check().failures;
  ASSERT_EQ(failures.size(), 1u);
  EXPECT_TRUE(has(failures[0], "later for sm_80") && has(failures[0], "sm_90")) << failures[0];
}

TEST_F(Recorded, SpillsOfTheLibraryFailEveryTime) {
  write("1.ptx", spilling("/somewhere/kernels/add.hpp"));
  write("2.ptx", spilling("/somewhere/test/kernels/LibraryTest.cpp"));
  for (int run = 0; run < 2; ++run) {
    const std::vector<std::string> failures = check().failures;
    ASSERT_EQ(failures.size(), 1u);
    EXPECT_TRUE(has(failures[0], "a kernel of the library spills registers: ") && has(failures[0], "1.ptx")) << failures[0];
  }
  EXPECT_FALSE(has(report_text(), " 0 bytes spilled")) << report_text();
}

TEST_F(Recorded, OnlyWhatIsNewIsAssembled) {
  write("1.ptx", module_of("first", ""));
  write("2.ptx", module_of("second", ""));
  EXPECT_EQ(check().assembled, 2u);
  const std::string before = report_text();
  const RecordedPtx again = check();
  EXPECT_EQ(again.modules, 2u);
  EXPECT_EQ(again.assembled, 0u);
  EXPECT_EQ(report_text(), before);

  write("2.ptx", module_of("third", ""));
  EXPECT_EQ(check().assembled, 1u);
  EXPECT_TRUE(has(report_text(), " first ") && has(report_text(), " third ") && !has(report_text(), " second ")) << report_text();
}

TEST_F(Recorded, AReportOfAnotherAssemblerIsNotTrusted) {
  write("1.ptx", module_of("kernel", ""));
  check();
  std::string text = report_text();
  std::ofstream(report) << "Another build" << text.substr(text.find('\n'));
  EXPECT_EQ(check().assembled, 1u);
}

TEST_F(Recorded, PartsShareTheWork) {
  for (int i = 0; i < 8; ++i)
    write(std::to_string(i) + ".ptx", module_of("kernel" + std::to_string(i), ""));
  std::size_t modules = 0;
  for (std::size_t part = 0; part < 3; ++part)
    modules += check_recorded(folder, root / std::to_string(part), part, 3).modules;
  EXPECT_EQ(modules, 8u);
}

TEST_F(Recorded, OfManyThatAreNotTheLibrarysOnlyASampleIsTaken) {
  for (int i = 0; i < 30; ++i)
    write(std::to_string(i) + ".ptx",
          module_of("kernel" + std::to_string(i), "") + (i < 4 ? ".file 1 \"/somewhere/kernels/add.hpp\"\n" : ""));
  const std::size_t modules = check_recorded(folder, report, 0, 1, 3).modules;
  EXPECT_GE(modules, 5u);
  EXPECT_LT(modules, 25u);
  EXPECT_TRUE(has(report_text(), " kernel0 ") && has(report_text(), " kernel3 ")) << report_text();
}

TEST_F(Recorded, AMissingFolderHasNoModules) { EXPECT_EQ(check_recorded(root / "none", report).modules, 0u); }

} // namespace
} // namespace tegula::test
