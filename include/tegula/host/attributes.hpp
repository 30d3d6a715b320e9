// Attributes by which clang follows ownership. Other compilers see none of them: what the types alone cannot refuse is then found
// when the program runs. docs/host.md lists the flags that turn clang's checks into errors.
#pragma once

#if defined(__clang__)
#define TEGULA_CLANG(...) [[__VA_ARGS__]]
#define TEGULA_HOST_BEGIN _Pragma("clang diagnostic push") _Pragma("clang diagnostic ignored \"-Wconsumed\"")
#define TEGULA_HOST_END _Pragma("clang diagnostic pop")
#else
#define TEGULA_CLANG(...)
#define TEGULA_HOST_BEGIN
#define TEGULA_HOST_END
#endif

/// Owns memory; using it after a move is an error. Whatever has not been moved from is "unknown" to clang: were it "unconsumed",
/// each function that takes it by reference would change that, and loops around such functions would be refused.
#define TEGULA_OWNER TEGULA_CLANG(gsl::Owner, clang::consumable(unknown), clang::annotate("tegula::owner"))
/// Refers to memory that another object owns.
#define TEGULA_BORROW TEGULA_CLANG(gsl::Pointer)
/// Must be used exactly once.
#define TEGULA_LINEAR TEGULA_CLANG(clang::consumable(unconsumed), clang::annotate("tegula::linear"))
/// A method for an object that still owns its memory; "unknown" is what clang sees of reference parameters and members.
#define TEGULA_LIVE TEGULA_CLANG(clang::callable_when("unconsumed", "unknown"))
/// After an assignment or a swap the object owns memory again.
#define TEGULA_REFILLS TEGULA_CLANG(clang::set_typestate(unknown))
#define TEGULA_STAYS_LIVE TEGULA_CLANG(clang::return_typestate(unknown))
#define TEGULA_BOUND TEGULA_CLANG(clang::lifetimebound)
