// 29: text from a language model, in a folder as it was published.
//
// generate() tells an answer in parts while it comes. A batch goes on with several sequences at once, a token for each in every
// step; what one says does not depend on the others.
#include "llm/engine/LanguageModel.h"

#include <cstdio>

using namespace tegula::llm;

int main(int argc, char** argv) {
  LanguageModel model = LanguageModel::load(argc > 1 ? argv[1] : "models/tiny", {.context = 256});
  const auto encode = [&](const char* text) { return model.tokenizer().encode(text, AddedTokensIn::as_text); };
  const auto romeo = encode("ROMEO:\n"), juliet = encode("JULIET:\nO Romeo,");

  const auto print = [](const std::string& part) {
    std::fputs(part.c_str(), stdout);
    return true; // go on
  };
  const Generated answer = model.generate(romeo, {.sampling = model.sampling(), .most_tokens = 40}, print);
  std::printf("\n%zu tokens, %.0f each second\n", answer.tokens.size(), answer.tokens_per_second());

  Batch batch(model.model(), 3, 256);
  const Batch::Prompt prompts[] = {{.sequence = 0, .more = romeo}, {.sequence = 1, .more = juliet}, {.sequence = 2, .more = romeo}};
  std::vector<TokenId> tokens = batch.read(prompts), said[3];
  for (int i = 0; i < 30; ++i) {
    batch.step(); // is under way while the tokens of the one before are looked at
    for (int sequence = 0; sequence < 3; ++sequence)
      said[sequence].push_back(tokens[sequence]);
    tokens = batch.take();
  }
  std::printf("JULIET:\nO Romeo,%s\n", model.tokenizer().decode(said[1], SpecialTokens::skip).c_str());
  return answer.tokens.size() == 40 && said[0] == said[2] ? 0 : 1;
}
