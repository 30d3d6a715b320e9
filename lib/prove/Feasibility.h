// Conjunctions made simpler: substitution, sharper bounds, elimination.
#pragma once
#include "lib/prove/Linear.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <optional>

namespace tegula::prover {

/// Does not fit 64 bits, so that it says nothing.
bool isPoisoned(const Constraint& constraint);
/// Says only that an extent, or a product of some, is not huge.
bool isLimit(const Constraint& constraint);

/// What atoms were replaced by, in order.
using Substitution = std::vector<std::pair<Atom, Linear>>;
/// Replaces atoms that an equation gives in terms of others, those that `mayGo` allows. False if an equation cannot hold.
bool substitute(Conjunction& constraints, llvm::function_ref<bool(Atom)> mayGo, Substitution* made = nullptr);

/// Makes inequalities as sharp as integers allow, keeps the sharpest of those that are alike, and makes an equation of two that are
/// opposites. False if they contradict each other.
bool tighten(Conjunction& constraints);

/// The atom that an elimination of those that `mayGo` allows, which are in no equation, should begin with.
std::optional<Atom> cheapest(llvm::ArrayRef<Constraint> constraints, llvm::function_ref<bool(Atom)> mayGo);
/// Takes an atom out that is in no equation (Fourier and Motzkin). What is left has a solution in fractions if there was one
/// before; with `surely`, there was one in integers if what is left has one: between L <= a·x and b·x <= U lies an integer if a·U -
/// b·L >= (a - 1)·(b - 1) (the dark shadow of the omega test).
void squeeze(Conjunction& constraints, Atom atom, bool surely);

} // namespace tegula::prover
