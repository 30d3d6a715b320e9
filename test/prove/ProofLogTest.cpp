// Where the proofs of a running program go.
#include "lib/prove/ProofLog.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <unistd.h>

namespace tegula {
namespace {

class ProofLog : public testing::Test {
protected:
  ~ProofLog() override {
    ::unsetenv("TEGULA_PROOFS");
    std::filesystem::remove(path_);
  }
  void log_to(const char* ending) {
    path_ = testing::TempDir() + "proofs-" + std::to_string(::getpid()) + ending;
    std::filesystem::remove(path_);
    ::setenv("TEGULA_PROOFS", path_.c_str(), 1);
  }
  std::string logged() const {
    std::ifstream file(path_);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  static Proof named(const char* name) {
    Proof proof;
    proof.kernel = name;
    return proof;
  }
  std::string path_;
};

TEST_F(ProofLog, TextIsAppended) {
  log_to(".txt");
  log_proof(named("first"));
  log_proof(named("second"));
  EXPECT_EQ(logged(), named("first").text() + named("second").text());
}

TEST_F(ProofLog, JsonHasALineEach) {
  log_to(".json");
  log_proof(named("first"));
  log_proof(named("second"));
  EXPECT_EQ(logged(), named("first").json() + "\n" + named("second").json() + "\n");
}

TEST_F(ProofLog, NothingWithoutTheVariable) {
  log_to(".txt");
  ::unsetenv("TEGULA_PROOFS");
  log_proof(named("first"));
  EXPECT_FALSE(std::filesystem::exists(path_));
}

TEST_F(ProofLog, AFileThatCannotBeWrittenIsReported) {
  ::setenv("TEGULA_PROOFS", "/no/such/folder/proofs", 1);
  testing::internal::CaptureStderr();
  log_proof(named("first"));
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "tegula: TEGULA_PROOFS: '/no/such/folder/proofs' cannot be written: No such file or directory\n");
}

} // namespace
} // namespace tegula
