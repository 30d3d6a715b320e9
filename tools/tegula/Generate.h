// Text from a model: one answer, or a conversation.
#pragma once
#include "tools/tegula/Arguments.h"

namespace tegula {

/// Prints the answer to a prompt as it comes, and then, on the standard error, how long it took.
int run_model(Arguments arguments);
/// A conversation at the terminal, until its end or /exit.
int chat_with_model(Arguments arguments);

} // namespace tegula
