// A kernel as proved, beside the same kernel with every check.
#pragma once
#include "lib/prove/Proof.h"
#include "test/prove/Arguments.h"

namespace tegula::test {

struct Tally {
  int launches = 0;      // that were run
  int compared = 0;      // that the proof lets through, and that go right
  int stopped = 0;       // that go wrong, and were stopped
  int refused = 0;       // by conditions that the author did not write
  int refused_right = 0; // of these, those that go right

  Tally& operator+=(const Tally& other) {
    launches += other.launches;
    compared += other.compared;
    stopped += other.stopped;
    refused += other.refused;
    refused_right += other.refused_right;
    return *this;
  }
};

/// A launch goes wrong and is stopped, or leaves the same bits; and none is refused that goes right. The CPU's kernel with every
/// check tells what is right; the kernel as proved is that of the back end under test.
class Comparison {
public:
  /// Tries as many launches; half of them as the proof allows, half as the author does.
  Comparison(const std::string& ir, std::uint64_t seed, int launches);
  Comparison(const Comparison&) = delete;

  const Proof& proof() const { return proof_; }
  const Tally& tally() const { return tally_; }
  /// What the proof makes different; empty if nothing.
  const std::string& complaint() const { return complaint_; }
  /// A launch that goes right and is refused; empty if there was none.
  const std::string& refusal() const { return refusal_; }

private:
  struct Version {
    std::unique_ptr<Executable> kernel;
    const char* name;
    const std::vector<LaunchCondition>& conditions;
  };

  void run_witness();
  void run(const LaunchShape&, const Contents&);
  void compare(const Version&, const LaunchShape&, const Contents&, const Arguments* expected);
  void refuse(const LaunchShape&);
  void complain(const std::string& what, const LaunchShape&);

  const Footprint footprint_;
  const Proof proof_;
  const std::vector<LaunchCondition> expected_; // what the author expects
  const std::unique_ptr<Executable> checked_;
  std::vector<Version> others_;
  Tally tally_;
  std::string complaint_, refusal_;
};

} // namespace tegula::test
