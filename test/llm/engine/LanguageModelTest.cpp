// Text from the tiny model: the same however it is asked for.
#include "llm/engine/LanguageModel.h"
#include "llm/checkpoint/Checkpoint.h"
#include "tegula/error.hpp"

#include "test/llm/support/TemporaryFolder.h"

#include <filesystem>
#include <fstream>
#include <functional>
#include <gtest/gtest.h>
#include <set>
#include <sstream>
#include <stdexcept>

namespace tegula::llm {
namespace {

const std::filesystem::path tiny = TEGULA_TINY_MODEL;

class TinyModel : public testing::Test {
protected:
  LanguageModel load(i64 context = 256) const { return LanguageModel::load(tiny, {.context = context}); }
  static std::vector<TokenId> tokens(const LanguageModel& model, const std::string& text) {
    return model.tokenizer().encode(text, AddedTokensIn::as_text);
  }
  static std::string text(LanguageModel& model, const std::string& prompt, const GenerateOptions& options,
                          Generated* how = nullptr) {
    std::string all;
    const Generated result = model.generate(tokens(model, prompt), options, [&](const std::string& part) {
      all += part;
      return true;
    });
    if (how)
      *how = result;
    return all;
  }
};

// As transformers says it of the same files.
TEST_F(TinyModel, SaysWhatItsReferenceSays) {
  LanguageModel model = load();
  Generated how;
  EXPECT_EQ(text(model, "ROMEO:\n", {.most_tokens = 38}, &how),
            "I'll tell thee thee, I'll not be a pitch'd.\n\nROMEO:\nO, I am not so.\n\nROMEO:\nO, I am not so.\n\nROMEO:\nO,");
  EXPECT_EQ(how.tokens.size(), 38u);
  EXPECT_EQ(how.ended, Ended::by_length);
  EXPECT_EQ(how.prompt_tokens, how.read_tokens);
}

TEST_F(TinyModel, WhatIsInTheCacheIsNotReadAgain) {
  LanguageModel model = load(), fresh = load();
  Generated how;
  const std::string said = text(model, "KING HENRY:\nWhat", {.most_tokens = 30});
  const std::string prompt = "KING HENRY:\nWhat" + said + "\n\nQUEEN:\n";
  const std::string again = text(model, prompt, {.most_tokens = 30}, &how);
  EXPECT_LT(how.read_tokens, how.prompt_tokens - 20);
  EXPECT_EQ(again, text(fresh, prompt, {.most_tokens = 30}));
  EXPECT_EQ(text(model, prompt, {.most_tokens = 30}, &how), again);
  EXPECT_EQ(how.read_tokens, 1) << "the last token of a prompt is always read";
}

TEST_F(TinyModel, ASeedDecides) {
  LanguageModel model = load();
  GenerateOptions options{.sampling = model.sampling(), .most_tokens = 40};
  EXPECT_GT(options.sampling.temperature, 0);
  options.sampling.seed = 7;
  const std::string seven = text(model, "JULIET:\n", options);
  options.sampling.seed = 8;
  EXPECT_NE(text(model, "JULIET:\n", options), seven);
  options.sampling.seed = 7;
  EXPECT_EQ(text(model, "JULIET:\n", options), seven);
}

TEST_F(TinyModel, PenaltiesKnowThePromptAndTheAnswer) {
  LanguageModel model = load();
  const auto prompt = tokens(model, "I'll tell thee thee, I'll not be");
  const Generated said =
      model.generate(prompt, {.sampling = {.repetition_penalty = 100}, .most_tokens = 30}, [](const std::string&) { return true; });
  std::set<TokenId> known(prompt.begin(), prompt.end());
  for (const TokenId token : said.tokens)
    EXPECT_TRUE(known.insert(token).second) << "token " << token << " is repeated";
}

TEST_F(TinyModel, EndsWhereItIsTold) {
  LanguageModel model = load();
  Generated how;
  EXPECT_EQ(text(model, "ROMEO:\n", {.stop_strings = {"not be"}}, &how), "I'll tell thee thee, I'll ");
  EXPECT_EQ(how.ended, Ended::by_stop_string);
  int parts = 0;
  const Generated stopped = model.generate(tokens(model, "ROMEO:\n"), {}, [&](const std::string&) { return ++parts < 5; });
  EXPECT_EQ(stopped.ended, Ended::by_caller);
  EXPECT_EQ(stopped.tokens.size(), 5u);
  LanguageModel small = load(20);
  EXPECT_EQ(text(small, "ROMEO:\n", {}, &how).substr(0, 9), "I'll tell");
  EXPECT_EQ(how.ended, Ended::by_length);
  EXPECT_EQ(how.prompt_tokens + static_cast<i64>(how.tokens.size()), 20);
}

TEST_F(TinyModel, MistakesAreSaid) {
  const auto message = [](const auto& action) -> std::string {
    try {
      action();
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_NE(message([&] { load(4096); }).find("a context of 4096 tokens; the model has positions for 2 to 1024"),
            std::string::npos);
  EXPECT_NE(message([&] { LanguageModel::load("no such folder"); }).find("no such folder"), std::string::npos);
  LanguageModel model = load(20);
  const auto long_prompt = std::vector<TokenId>(20, 5);
  const auto ask = [&](const std::vector<TokenId>& prompt) { model.generate(prompt, {}, [](const std::string&) { return true; }); };
  EXPECT_NE(message([&] { ask({}); }).find("an empty prompt"), std::string::npos);
  EXPECT_NE(message([&] { ask(long_prompt); }).find("the context has room for 20"), std::string::npos);
  EXPECT_NE(message([&] { ask({5, 2048}); }).find("there is no token 2048"), std::string::npos);
  EXPECT_NE(message([&] { model.generate({{5}}, {}, nullptr); }).find("an empty function to take the answer"), std::string::npos);
  const auto asks_again = [&](const std::string&) -> bool {
    ask({5});
    return true;
  };
  EXPECT_NE(message([&] { model.generate({{5}}, {}, asks_again); }).find("ask it when generate() has returned"), std::string::npos);
  EXPECT_EQ(text(model, "ROMEO:\n", {.most_tokens = 2}), "I'll") << "it goes on after an error";
}

/// A copy of the model's folder, to be changed.
class ChangedFolder {
public:
  ChangedFolder() { std::filesystem::copy(tiny, folder_.path(), std::filesystem::copy_options::recursive); }
  void write(const char* name, const std::string& text) const { std::ofstream(folder_.path() / name) << text; }
  std::string config() const {
    std::ostringstream text;
    text << std::ifstream(tiny / "config.json").rdbuf();
    return text.str();
  }
  const std::filesystem::path& path() const { return folder_.path(); }

private:
  TemporaryFolder folder_;
};

TEST_F(TinyModel, LayersThatTheConfigurationLeavesOutAreNotLeftOut) {
  const ChangedFolder folder;
  std::string config = folder.config();
  const std::string four = "\"num_hidden_layers\": 4";
  ASSERT_NE(config.find(four), std::string::npos);
  folder.write("config.json", config.replace(config.find(four), four.size(), "\"num_hidden_layers\": 3"));
  try {
    LanguageModel::load(folder.path());
    FAIL() << "it runs";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what())
                  .find(folder.path().string() +
                        ": the weights have the tensor \"model.layers.3.input_layernorm.weight\", for which a "
                        "model as config.json describes it, with 3 layers, has no place"),
              std::string::npos)
        << error.what();
  }
}

TEST_F(TinyModel, OfAnotherFamilyIsRefused) {
  const ChangedFolder folder;
  std::string config = folder.config();
  const std::string qwen3 = "\"model_type\": \"qwen3\"";
  ASSERT_NE(config.find(qwen3), std::string::npos);
  folder.write("config.json", config.replace(config.find(qwen3), qwen3.size(), "\"model_type\": \"llama\""));
  try {
    LanguageModel::load(folder.path());
    FAIL() << "it runs";
  } catch (const Error& error) {
    EXPECT_NE(
        std::string(error.what()).find("\"model_type\" is \"llama\"; it must be \"qwen3\": no other family of models is supported"),
        std::string::npos)
        << error.what();
  }
}

TEST_F(TinyModel, SamplesAsTransformersWouldWhereTheFileSaysLittle) {
  const ChangedFolder folder;
  const auto sampling_with = [&](const char* text) {
    folder.write("generation_config.json", text);
    return LanguageModel::load(folder.path(), {.context = 16}).sampling();
  };
  EXPECT_EQ(sampling_with(R"({"temperature": 2.0, "repetition_penalty": 1.5})").temperature, 0) << "do_sample is not true";
  EXPECT_EQ(sampling_with(R"({"temperature": 2.0, "repetition_penalty": 1.5})").repetition_penalty, 1.5);
  EXPECT_EQ(sampling_with(R"({"do_sample": true})").temperature, 1);
  EXPECT_EQ(sampling_with(R"({"do_sample": true})").top_k, 50);
}

TEST_F(TinyModel, AnAnswerThatWasBrokenOffLeavesNothingBehind) {
  LanguageModel model = load(), fresh = load();
  const auto prompt = tokens(model, "ROMEO:\n");
  int parts = 0;
  const auto breaks_off = [&](const std::string&) -> bool {
    if (++parts == 4)
      throw std::runtime_error("enough");
    return true;
  };
  EXPECT_THROW(model.generate(prompt, {}, breaks_off), std::runtime_error);
  EXPECT_EQ(text(model, "HAMLET:\nTo", {.most_tokens = 12}), text(fresh, "HAMLET:\nTo", {.most_tokens = 12}));
}

class Batches : public testing::TestWithParam<int> {
protected:
  std::vector<TokenId> prompt(const char* text) const { return tokenizer.encode(text, AddedTokensIn::as_text); }

  const Device device = Device::best();
  const std::unique_ptr<const Model> owned = describe_model(tiny)->load(device, Checkpoint::open(tiny), {});
  const Model& model = *owned;
  const Tokenizer tokenizer = Tokenizer::load(tiny);
};

TEST_P(Batches, ASequenceIsTheSameInAnyCompany) {
  const int sequences = GetParam(), steps = sequences <= 3 ? 20 : 3;
  const auto told = prompt("First Citizen:\nBefore we proceed any further, hear me speak."), short_one = prompt("O"),
             other = prompt("HAMLET:\nTo");
  const auto said_with = [&](const std::vector<std::vector<TokenId>>& prompts, std::size_t which) {
    Batch batch(model, sequences, 128, {.chunk = 16});
    std::vector<Batch::Prompt> read;
    for (std::size_t s = 0; s < static_cast<std::size_t>(sequences); ++s) {
      read.push_back({.sequence = static_cast<i64>(s), .more = prompts[s % prompts.size()]});
      batch.set_sampling(static_cast<i64>(s), {.temperature = s == which ? 0.9 : 2.0, .top_k = 50, .seed = s == which ? 42u : s});
    }
    std::vector<TokenId> said{batch.read(read)[which]};
    for (int i = 0; i < steps; ++i) {
      batch.step();
      said.push_back(batch.take()[which]);
    }
    EXPECT_EQ(batch.length(static_cast<i64>(which)), static_cast<i64>(prompts[which].size()) + steps);
    return said;
  };
  const auto expected = said_with({told, short_one, other}, 0);
  EXPECT_EQ(said_with({told, other, short_one}, 0), expected);
  EXPECT_EQ(said_with({short_one, told, told}, 1), expected);
}
INSTANTIATE_TEST_SUITE_P(Of, Batches, testing::Values(2, 3, 17));

std::string message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST_F(Batches, NoTokenIsLostWhereTooManyArePending) {
  Batch batch(model, 1, 64), same(model, 1, 64);
  const auto text = prompt("ROMEO:\n");
  const Batch::Prompt one{.more = text};
  std::vector<TokenId> said = batch.read({&one, 1}), expected = same.read({&one, 1});
  for (int i = 0; i < 4; ++i)
    batch.step();
  EXPECT_EQ(message_of([&] { batch.step(); }), "tegula: 4 steps were started whose tokens nobody took; take() some");
  EXPECT_EQ(message_of([&] { batch.read({&one, 1}); }),
            "tegula: prompts are read when the tokens of all steps have been taken; take() 4 more");
  EXPECT_EQ(batch.length(0), static_cast<i64>(text.size()) + 4);
  while (batch.pending() > 0)
    said.push_back(batch.take()[0]);
  batch.step();
  said.push_back(batch.take()[0]);
  for (int i = 0; i < 5; ++i) {
    same.step();
    expected.push_back(same.take()[0]);
  }
  EXPECT_EQ(said, expected);
}

TEST_F(Batches, SequencesComeAndGo) {
  const std::vector<std::vector<TokenId>> texts{prompt("First Citizen:\nBefore we proceed any further, hear me speak."),
                                                prompt("O"), prompt("HAMLET:\nTo"), prompt("KING HENRY:\nWhat")};
  // Alone in a batch of as many places, whichever it has.
  const auto alone = [&](std::size_t text, i64 place, int count) {
    Batch batch(model, 3, 256, {.chunk = 16});
    const Batch::Prompt read{.sequence = place, .more = texts[text]};
    std::vector<TokenId> said = batch.read({&read, 1});
    while (std::ssize(said) < count) {
      batch.step();
      said.push_back(batch.take()[static_cast<std::size_t>(place)]);
    }
    return said;
  };
  Batch batch(model, 3, 256, {.chunk = 16, .pages = 8});
  const auto used_pages = [&] {
    i64 pages = 0;
    for (i64 place = 0; place < batch.sequences(); ++place)
      pages += (batch.length(place) + 63) / 64;
    return pages;
  };
  std::vector<std::vector<TokenId>> said(texts.size());
  std::vector<std::size_t> text_of(3);
  const auto begin = [&](i64 place, std::size_t text) {
    const Batch::Prompt read{.sequence = place, .more = texts[text]};
    text_of[static_cast<std::size_t>(place)] = text;
    said[text] = batch.read({&read, 1});
  };
  const auto take = [&] {
    const std::vector<TokenId> tokens = batch.take();
    for (std::size_t place = 0; place < tokens.size(); ++place)
      if (tokens[place] != Batch::no_token)
        said[text_of[place]].push_back(tokens[place]);
  };
  const auto go_on = [&](int steps) { // with one step under way while the tokens of the last are taken
    batch.step();
    for (int i = 1; i < steps; ++i) {
      batch.step();
      take();
    }
    take();
  };
  begin(1, 0);
  EXPECT_EQ(batch.free_pages(), 7);
  go_on(5);
  begin(0, 1);
  go_on(3);
  begin(2, 2);
  go_on(70); // past the end of a page
  EXPECT_GE(used_pages(), 5);
  EXPECT_EQ(batch.free_pages(), 8 - used_pages());
  batch.step();
  batch.end(1); // while a step with it is under way
  EXPECT_EQ(batch.length(1), 0);
  EXPECT_EQ(batch.free_pages(), 8 - used_pages());
  take();
  go_on(2);
  begin(1, 3); // into memory that others had
  go_on(10);
  batch.end(0);
  batch.end(2);
  go_on(3);
  for (std::size_t text = 0; text < texts.size(); ++text)
    EXPECT_EQ(said[text], alone(text, text == 1 ? 2 : 0, static_cast<int>(said[text].size()))) << "text " << text;
  EXPECT_EQ(said[0].size(), 1u + 5 + 3 + 70 + 1);
  EXPECT_EQ(said[3].size(), 1u + 10 + 3);
}

TEST_F(Batches, HowManyAreReadTogetherDoesNotMatter) {
  const std::vector<std::vector<TokenId>> texts{prompt("First Citizen:\nBefore we proceed any further, hear me speak."),
                                                prompt("O"), prompt("HAMLET:\nTo")};
  Batch together(model, 3, 128, {.chunk = 16}), apart(model, 3, 128, {.chunk = 16});
  std::vector<Batch::Prompt> prompts;
  std::vector<TokenId> expected;
  for (std::size_t s = 0; s < texts.size(); ++s) {
    prompts.push_back({.sequence = static_cast<i64>(s), .more = texts[s]});
    expected.push_back(apart.read({&prompts.back(), 1})[0]);
  }
  EXPECT_EQ(together.read(prompts), expected);
  for (int i = 0; i < 10; ++i) {
    together.step();
    apart.step();
    EXPECT_EQ(together.take(), apart.take());
  }
}

// Rows of places without a sequence choose tokens, too; nobody may be the worse for it.
TEST_F(Batches, WhatOthersSaidBeforeASequenceBeganCountsForNothing) {
  const auto text = prompt("I'll tell thee thee, I'll not be"), other = prompt("O");
  const SamplingParameters penalties{.repetition_penalty = 100, .frequency_penalty = 1};
  const auto said_behind = [&](int steps) {
    Batch batch(model, 2, 128);
    batch.set_sampling(0, {.repetition_penalty = 1.5});
    batch.set_sampling(1, penalties, text);
    const Batch::Prompt first{.sequence = 0, .more = other}, second{.sequence = 1, .more = text};
    batch.read({&first, 1});
    for (int i = 0; i < steps; ++i) {
      batch.step();
      batch.take();
    }
    std::vector<TokenId> said = batch.read({&second, 1});
    for (int i = 0; i < 20; ++i) {
      batch.step();
      said.push_back(batch.take()[1]);
    }
    return said;
  };
  const std::vector<TokenId> at_once = said_behind(0);
  EXPECT_EQ(said_behind(30), at_once);
  std::set<TokenId> known(text.begin(), text.end());
  for (const TokenId token : at_once)
    EXPECT_TRUE(known.insert(token).second) << "token " << token << " is repeated";
}

TEST_F(Batches, WherePagesOrPlacesAreLackingNothingChanges) {
  Batch batch(model, 2, 256, {.pages = 2});
  const std::vector<TokenId> text(60, 5), longer(130, 5);
  const Batch::Prompt both[] = {{.sequence = 0, .more = text}, {.sequence = 1, .more = text}};
  batch.read(both);
  for (int i = 0; i < 4; ++i) {
    batch.step();
    batch.take();
  }
  EXPECT_EQ(message_of([&] { batch.step(); }),
            "tegula: 2 more pages of 64 tokens are needed for sequence 0 and others, and 0 of 2 are "
            "free; end() a sequence, or make the batch with more");
  EXPECT_EQ(batch.length(0), 64);
  batch.end(1);
  batch.step();
  EXPECT_EQ(batch.take()[1], Batch::no_token);
  EXPECT_EQ(batch.length(0), 65);
  const auto refused = [&](const Batch::Prompt& prompt) { return message_of([&] { batch.read({&prompt, 1}); }); };
  EXPECT_EQ(refused({.sequence = 2, .more = text}), "tegula: there is no sequence 2; the batch has 2");
  EXPECT_EQ(refused({.sequence = 1, .keep = 1, .more = text}),
            "tegula: sequence 1 has 0 tokens: 1 cannot be kept, or no token comes behind them");
  EXPECT_EQ(refused({.sequence = 1, .more = longer}), "tegula: 3 more pages of 64 tokens are needed for sequence 1, and 0 of 2 are "
                                                      "free; end() a sequence, or make the batch with more");
  const Batch::Prompt twice[] = {{.sequence = 0, .keep = 5, .more = text}, {.sequence = 0, .more = text}};
  EXPECT_EQ(message_of([&] { batch.read(twice); }), "tegula: sequence 0 has two prompts");
  EXPECT_EQ(message_of([&] { batch.read({}); }), "tegula: no prompt to read");
  EXPECT_EQ(batch.length(0), 65);
  batch.end(0);
  EXPECT_EQ(message_of([&] { batch.step(); }), "tegula: no sequence to go on with; read() a prompt");
  EXPECT_EQ(message_of([&] { Batch(model, 2, 256, {.pages = 9}); }),
            "tegula: a batch with 9 pages; 2 sequences of 256 tokens can fill 1 to 8");
}

} // namespace
} // namespace tegula::llm
