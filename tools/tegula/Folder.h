// What there is to know of a model's folder without running it: tokens, prompts, sizes.
#pragma once
#include "tools/tegula/Arguments.h"

namespace tegula {

/// Prints the ids of the standard input's text on one line. With --plain, names of control tokens in it are text like any other.
int tokenize(Arguments arguments);

/// Prints the prompt that the conversation in a file becomes; "-" is the standard input.
int render(Arguments arguments);

/// Prints what kind of model is in the folder. An Error, if one of its files is not whole.
int show_model(Arguments arguments);

} // namespace tegula
