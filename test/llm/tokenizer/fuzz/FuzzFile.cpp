// Any bytes as a tokenizer.json: an Error, or a tokenizer that works.
// Bytes after "patch" are changes to small.json instead (a JSON merge patch), which reach what stands behind the parser.
#include "llm/tokenizer/Tokenizer.h"
#include "tegula/error.hpp"

#include <nlohmann/json.hpp>

#include <cstdlib>
#include <fstream>

using namespace tegula::llm;
using nlohmann::json;

namespace {

constexpr std::string_view patch_mark = "patch";

const json& small() {
  static const json file = json::parse(std::ifstream(TEGULA_TOKENIZER_DATA "/small.json"));
  return file;
}

/// The file that the bytes ask for; nothing if they are a patch that is not JSON.
std::string file_text(std::string_view bytes) {
  if (!bytes.starts_with(patch_mark))
    return std::string(bytes);
  json file = small();
  const json patch = json::parse(bytes.substr(patch_mark.size()), nullptr, false);
  if (patch.is_discarded())
    return {};
  file.merge_patch(patch);
  return file.dump();
}

void use(const Tokenizer& tokenizer) {
  const std::string text = "A tile, e\xCC\x81 <|im_start|>user\n \xF0\x9F\x99\x82 'LL 12  \n";
  for (const AddedTokensIn added : {AddedTokensIn::as_text, AddedTokensIn::as_tokens})
    for (const TokenId id : tokenizer.encode(text, added))
      if (tokenizer.decode({&id, 1}, SpecialTokens::keep).empty())
        std::abort();
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    use(Tokenizer::parse(file_text({reinterpret_cast<const char*>(data), size}), "fuzz"));
  } catch (const tegula::InternalError&) {
    std::abort();
  } catch (const tegula::Error&) {
    return 0;
  }
  return 0;
}
