// Which numbers are reached by some choice of others: {t : there is an x with ...}, as conditions on t alone.
#pragma once
#include "lib/prove/Solver.h"

namespace tegula::prover {

/// Conditions on `targets`, on what is the same in all programs, and on what is computed from these, under which the other atoms of
/// the leaf can be chosen so that it holds. They may ask for more than is needed, never for less. Nothing if they cannot be found.
std::optional<Conjunction> reached(Model& model, Solver& solver, Conjunction leaf, llvm::ArrayRef<Atom> targets);

/// The cases of `whole` that are in none of the images; nothing if there are too many.
std::optional<std::vector<Conjunction>> without(Model& model, const Clauses& facts, const Conjunction& whole,
                                                llvm::ArrayRef<Conjunction> images);

} // namespace tegula::prover
