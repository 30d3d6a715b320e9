// Whether a conjunction has a solution in integers, as far as MLIR's Presburger library can tell quickly.
#pragma once
#include "lib/prove/Model.h"

#include "mlir/Analysis/Presburger/IntegerRelation.h"
#include "mlir/Analysis/Presburger/Simplex.h"

namespace tegula::prover {

/// Does not fit 64 bits, so that it says nothing.
bool isPoisoned(const Constraint& constraint);
/// Says only that an extent, or a product of some, is not huge.
bool isLimit(const Constraint& constraint);

/// What atoms were replaced by, in order.
using Substitution = std::vector<std::pair<Atom, Linear>>;
/// Replaces atoms that an equation gives in terms of others, those that `mayGo` allows. False if an equation cannot hold.
bool substitute(Conjunction& constraints, llvm::function_ref<bool(Atom)> mayGo, Substitution* made = nullptr);

/// The polyhedron of a conjunction; `atoms` receives what its columns stand for, uniform ones first.
mlir::presburger::IntegerPolyhedron polyhedron(Model& model, llvm::ArrayRef<Constraint> constraints,
                                               llvm::SmallVectorImpl<Atom>& atoms);

/// Surely no integers. Searches by branching on atoms that are none in the solution found, a few times.
bool hasNoIntegers(mlir::presburger::Simplex& simplex);

} // namespace tegula::prover
