// The filters, in tables by what they work on.
#pragma once
#include "llm/chat/Filters.h"

#include <span>

namespace tegula::llm::jinja {

std::span<const Filter> text_filters();
std::span<const Filter> list_filters();
std::span<const Filter> sorting_filters();
std::span<const Filter> choosing_filters();
std::span<const Filter> number_filters();
std::span<const Test> tests();

} // namespace tegula::llm::jinja
