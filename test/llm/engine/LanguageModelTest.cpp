// Text from the tiny model: the same however it is asked for.
#include "llm/engine/LanguageModel.h"
#include "tegula/error.hpp"

#include "test/llm/support/TemporaryFolder.h"

#include <filesystem>
#include <fstream>
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
  const qwen3::Config config = qwen3::read_config(tiny);
  const qwen3::Model model{device, config, qwen3::load_weights(device, config, Checkpoint::open(tiny))};
  const Tokenizer tokenizer = Tokenizer::load(tiny);
};

TEST_P(Batches, ASequenceIsTheSameInAnyCompany) {
  const int sequences = GetParam(), steps = sequences <= 3 ? 20 : 3;
  const auto told = prompt("First Citizen:\nBefore we proceed any further, hear me speak."), short_one = prompt("O"),
             other = prompt("HAMLET:\nTo");
  const auto said_with = [&](const std::vector<std::vector<TokenId>>& prompts, std::size_t which) {
    Batch batch(model, sequences, 128, 0, 16);
    std::vector<Batch::Prompt> read;
    for (std::size_t s = 0; s < static_cast<std::size_t>(sequences); ++s) {
      read.push_back({0, prompts[s % prompts.size()]});
      batch.set_sampling(static_cast<i64>(s), {.temperature = s == which ? 0.9 : 2.0, .top_k = 50, .seed = s == which ? 42u : s});
    }
    batch.read(read);
    std::vector<TokenId> said{batch.take()[which]};
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

TEST_F(Batches, NoTokenIsLostWhereTooManyArePending) {
  Batch batch(model, 1, 64), same(model, 1, 64);
  const auto read = prompt("ROMEO:\n");
  const Batch::Prompt one{0, read};
  const auto expect_refused = [&](const auto& action) {
    try {
      action();
      FAIL() << "it is not refused";
    } catch (const Error& error) {
      EXPECT_STREQ(error.what(), "tegula: 4 steps were started whose tokens nobody took; take() some");
    }
  };
  std::vector<TokenId> said, expected;
  batch.read({&one, 1});
  for (int i = 0; i < 3; ++i)
    batch.step();
  expect_refused([&] { batch.step(); });
  expect_refused([&] { batch.read({&one, 1}); });
  EXPECT_EQ(batch.length(0), static_cast<i64>(read.size()) + 3);
  while (batch.pending() > 0)
    said.push_back(batch.take()[0]);
  batch.step();
  said.push_back(batch.take()[0]);
  same.read({&one, 1});
  expected.push_back(same.take()[0]);
  for (int i = 0; i < 4; ++i) {
    same.step();
    expected.push_back(same.take()[0]);
  }
  EXPECT_EQ(said, expected);
}

} // namespace
} // namespace tegula::llm
