// The tokens of tags.
#pragma once
#include "llm/chat/Cursor.h"
#include "llm/chat/Lexer.h"

namespace tegula::llm::jinja {

/// Behind `{{` or `{%`: adds the tokens up to the end of the tag, and that end. Where the template ends before it, there is none.
void read_tag(Cursor&, std::vector<Token>&, bool is_block);

/// Skips `close` and what it takes with it: with a `-` all space, else, unless there is a `+`, one line break; after `}}` none.
bool skip_end(Cursor&, std::string_view close);

} // namespace tegula::llm::jinja
