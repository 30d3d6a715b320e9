// What becomes of kernels, as files: whatever they are called, and however many write at once.
#include "lib/runtime/Dump.h"
#include "Expect.h"
#include "FakeCompiler.h"
#include "tegula/tegula.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <map>
#include <thread>

#include <unistd.h>

namespace {

using namespace tegula;
namespace fs = std::filesystem;

void one_program(const std::int64_t* words, std::int64_t, std::int64_t, void*, void*) { *reinterpret_cast<float*>(words[0]) = 1; }

void one(Out<f32> y) { y.store(1.0f); }
void row(Out<f32, 4> y, In<f32, 4> x) { y.store(x[y]); }
void row_program(const std::int64_t*, std::int64_t, std::int64_t, void*, void*) {}

/// Each test has a folder of its own, and what it writes there.
class Dumps : public testing::Test {
protected:
  Dumps() : folder_(fs::temp_directory_path() / ("tegula-dump-" + std::to_string(::getpid()))) {
    setenv("TEGULA_DUMP", folder_.c_str(), 1);
  }
  ~Dumps() override {
    unsetenv("TEGULA_DUMP");
    fs::remove_all(folder_);
  }

  static void launch(const std::string& name, const Device& device = Device::cpu()) {
    fake::define(name, one_program);
    kernel<one>(name)(Tensor<f32, 0>::zeros(device, {})).sync();
  }
  std::map<std::string, std::string> files() const {
    std::map<std::string, std::string> texts;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder_)) {
      std::ifstream file(entry.path());
      texts[entry.path().filename().string()] = {std::istreambuf_iterator<char>(file), {}};
    }
    return texts;
  }

  const fs::path folder_;
};

TEST_F(Dumps, NamesOfKernelsAreNoPaths) {
  const std::string long_name(5000, 'x');
  const std::vector<std::string> names{"../up", "/etc/passwd", "a b", "a:b", "a\nb", "..", ".", long_name, long_name + "y", "ä"};
  for (const std::string& name : names)
    launch(name);
  const auto written = files();
  EXPECT_EQ(written.size(), 3 * names.size()); // the kernel, its code and the plan
  std::size_t plans = 0;
  for (const auto& [name, text] : written) {
    EXPECT_EQ(name.find_first_not_of("0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_-."), std::string::npos)
        << name;
    EXPECT_NE(name.front(), '.') << name;
    plans += name.ends_with(".cpu.s.plan.txt");
    if (name.ends_with(".plan.txt"))
      EXPECT_TRUE(text.starts_with("kernel: ") && text.find("\nplace: ") != std::string::npos) << text;
  }
  EXPECT_EQ(plans, names.size());
  EXPECT_FALSE(fs::exists(folder_.parent_path() / "up"));
}

TEST_F(Dumps, SpecialisationsHaveFilesOfTheirOwn) {
  fake::define("rows", row_program);
  const auto k = kernel<row>("rows");
  const Device d = Device::cpu();
  const auto x = Tensor<f32, 1>::zeros(d, {8});
  k(Tensor<f32, 1>::zeros(d, {8}), x).sync();
  k(Tensor<f32, 1>::zeros(d, {8}), x.view().slice(0, 0, 1).broadcast<1>({8})).sync();
  k(Tensor<f32, 1>::zeros(d, {4}), x).sync();
  EXPECT_EQ(fake::proved("rows"), 1);
  EXPECT_EQ(fake::compiled("rows").size(), 2u);
  std::vector<std::string> parts;
  for (const auto& [name, text] : files())
    parts.push_back(name.substr(name.find('.')));
  EXPECT_EQ(parts, (std::vector<std::string>{".0-tile.mlir", ".cpu.1_0.2-asm.s", ".cpu.1_0.plan.txt", ".cpu.1_1.2-asm.s",
                                             ".cpu.1_1.plan.txt"}));
}

/// Of one kernel under two names, each is shown, though they share their code otherwise.
TEST_F(Dumps, KernelsThatAreAlikeAreAllShown) {
  launch("first");
  launch("second");
  EXPECT_EQ(files().size(), 6u);
}

TEST_F(Dumps, ThreadsWriteTheSameFiles) {
  launch("alone");
  const auto expected = files();
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([] {
      for (int n = 0; n < 20; ++n)
        launch("alone", Device::cpu(1)); // another device, whose code is compiled for it
    });
  for (std::thread& thread : threads)
    thread.join();
  EXPECT_EQ(files(), expected);
}

TEST_F(Dumps, AFolderThatIsNoneIsRefused) {
  std::ofstream(folder_.string()) << "a file";
  const std::string beginning = "TEGULA_DUMP is '" + folder_.string();
  EXPECT_ERROR(Error, launch("nowhere"), (beginning + "', where no file can be made: ").c_str());
  setenv("TEGULA_DUMP", (folder_ / "below").c_str(), 1);
  EXPECT_ERROR(Error, launch("nowhere"), "set it to a folder that can be written, or whose parent can, or unset it");
}

} // namespace
