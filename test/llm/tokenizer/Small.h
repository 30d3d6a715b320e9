// The tokenizer of small.json, and files that differ from it in one place.
#pragma once
#include "llm/tokenizer/Tokenizer.h"

#include <nlohmann/json.hpp>

std::string read_data(const std::string& name);
/// As the members are in the file: the order of keys is kept.
const nlohmann::ordered_json& small_json();
const tegula::llm::Tokenizer& small();

/// small.json with a value set at a JSON pointer, or without what is there.
std::string small_with(const std::string& pointer, const nlohmann::ordered_json& value);
std::string small_without(const std::string& pointer);
