// Refutations: a witness, and what a person needs to know about it.
#include "lib/prove/Prover.h"
#include "lib/prove/Refutation.h"

using namespace mlir;

namespace tegula::prover {

bool Prover::refute(const Sought& sought, const std::string& relation) {
  std::optional<Witness> witness = trials.find(proof.conditions, sought);
  if (!witness)
    return false;
  proof.obligations.back().rung = Rung::refuted;
  proof.witness = std::move(witness);
  proof.refutation = describe_refutation(proof.kernel, *proof.witness, relation);
  proof.obligations.back().how = summary(*proof.witness);
  return true;
}

} // namespace tegula::prover
