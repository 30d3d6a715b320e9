// The kinds of error. Each message says what is wrong, where, and what to do.
#pragma once
#include <stdexcept>

namespace tegula {

struct Error : std::runtime_error {
  using std::runtime_error::runtime_error;
};
/// The kernel's body is wrong in a way that only tracing can see. Starts with the user's file:line:column.
struct TraceError : Error {
  using Error::Error;
};
/// A kernel that was refuted: some launch of it would go wrong. The message shows which, and how.
struct ProofError : Error {
  using Error::Error;
};
/// A launch whose arguments do not fit, or that failed while it ran.
struct LaunchError : Error {
  using Error::Error;
};
/// A call of a GPU's driver that failed, or a device that is lost because one did.
struct DriverError : Error {
  using Error::Error;
};
/// A mistake of Tegula's own, never of the user's.
struct InternalError : Error {
  using Error::Error;
};

} // namespace tegula
