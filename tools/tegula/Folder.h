// What there is to know of a model's folder without running it: tokens, prompts, sizes.
#pragma once
#include "tools/tegula/Arguments.h"

#include <string>

namespace tegula {

/// Prints the ids of the standard input's text on one line. With --plain, names of control tokens in it are text like any other.
int tokenize(Arguments arguments);

/// Prints the prompt that the conversation in a file becomes; "-" is the standard input.
int render(const std::string& folder, const std::string& file);

/// Prints what kind of model is in the folder, and whether its files are whole.
int show_model(const std::string& folder);

} // namespace tegula
