#include "tools/tegula/Generate.h"

#include "llm/chat/Conversation.h"
#include "llm/engine/LanguageModel.h"
#include "llm/tokenizer/Utf8.h"
#include "tools/tegula/Input.h"

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <iostream>
#include <random>
#include <span>

#include <unistd.h>

namespace tegula {
namespace {

using llm::LanguageModel;

constexpr std::int64_t many = std::int64_t{1} << 40;

std::atomic<bool> interrupted{false}, answering{false};
extern "C" void on_interrupt(int signal) {
  if (interrupted.exchange(true) && !answering) {
    std::signal(signal, SIG_DFL);
    std::raise(signal);
  } else if (!answering) {
    constexpr std::string_view said = "\nthe prompt is still being read; Ctrl-C again ends the program\n";
    (void)!::write(STDERR_FILENO, said.data(), said.size());
  }
}

/// Ctrl-C stops the answer, and not the program, while it lives. As long as there is no answer yet, a second one ends the program.
class Interruptible {
public:
  Interruptible() {
    interrupted = answering = false;
    struct sigaction action{};
    action.sa_handler = on_interrupt;
    ::sigaction(SIGINT, &action, &before_);
  }
  Interruptible(const Interruptible&) = delete;
  Interruptible& operator=(const Interruptible&) = delete;
  ~Interruptible() { ::sigaction(SIGINT, &before_, nullptr); }

private:
  struct sigaction before_{};
};

struct Wanted {
  std::string folder;
  std::int64_t context = 0;
  std::optional<double> temperature, top_p, min_p, repetition, presence, frequency;
  std::optional<std::int64_t> top_k, seed;
  bool greedy = false;
  std::optional<bool> thinking;
  std::string system;
  llm::GenerateOptions generate;
};

/// Those of the model, but for what is wanted otherwise.
llm::SamplingParameters sampling_of(const Wanted& wanted, llm::SamplingParameters sampling) {
  if (wanted.greedy)
    sampling = {};
  sampling.temperature = wanted.temperature.value_or(sampling.temperature);
  sampling.top_k = wanted.top_k.value_or(sampling.top_k);
  sampling.top_p = wanted.top_p.value_or(sampling.top_p);
  sampling.min_p = wanted.min_p.value_or(sampling.min_p);
  sampling.repetition_penalty = wanted.repetition.value_or(sampling.repetition_penalty);
  sampling.presence_penalty = wanted.presence.value_or(sampling.presence_penalty);
  sampling.frequency_penalty = wanted.frequency.value_or(sampling.frequency_penalty);
  sampling.seed = wanted.seed ? static_cast<std::uint64_t>(*wanted.seed) : std::random_device{}();
  return sampling;
}

Wanted wanted_by(Arguments& arguments) {
  Wanted wanted;
  wanted.system = arguments.text("--system").value_or("");
  while (const auto stop = arguments.text("--stop")) {
    if (stop->empty())
      throw UsageError{"--stop takes a text that is not empty"};
    wanted.generate.stop_strings.push_back(*stop);
  }
  wanted.context = arguments.whole("--context", 2, many).value_or(0);
  wanted.generate.most_tokens = arguments.whole("--tokens", 1, many).value_or(0);
  wanted.greedy = arguments.flag("--greedy");
  wanted.temperature = arguments.number("--temperature", 0, 100);
  wanted.top_k = arguments.whole("--top-k", 0, many);
  wanted.top_p = arguments.number("--top-p", 0, 1);
  wanted.min_p = arguments.number("--min-p", 0, 1);
  wanted.repetition = arguments.number("--repetition-penalty", 0.01, 100);
  wanted.presence = arguments.number("--presence-penalty", -100, 100);
  wanted.frequency = arguments.number("--frequency-penalty", -100, 100);
  wanted.seed = arguments.whole("--seed", 0, std::numeric_limits<std::int64_t>::max());
  if (arguments.flag("--no-thinking"))
    wanted.thinking = false;
  try {
    check(sampling_of(wanted, {}));
  } catch (const Error& error) { // now, and not when the model is there
    throw UsageError{error.what()};
  }
  return wanted;
}

LanguageModel load(const Wanted& wanted) {
  const auto start = std::chrono::steady_clock::now();
  const bool shown = ::isatty(STDERR_FILENO) == 1;
  std::uint64_t last = 0;
  const auto progress = [&](std::uint64_t done, std::uint64_t all) {
    if (!shown || (done < all && done - last < all / 200))
      return;
    last = done;
    std::fprintf(stderr, "\rloading %3d %% of %.1f GB", static_cast<int>(done * 100 / all), static_cast<double>(all) * 1e-9);
  };
  const Device device = Device::best();
  LanguageModel model = LanguageModel::load(wanted.folder, {.device = device, .context = wanted.context, .progress = progress});
  std::fprintf(stderr, "%s%s on %s, loaded in %.1f s\n", shown ? "\r\033[K" : "", wanted.folder.c_str(), device.name(),
               std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  return model;
}

/// Returns what it printed.
std::string print_answer(LanguageModel& model, const Wanted& wanted, std::span<const llm::TokenId> prompt) {
  const Interruptible scope;
  std::string said;
  const llm::Generated answer = model.generate(prompt, wanted.generate, [&](const std::string& text) {
    answering = true;
    said += text;
    std::fwrite(text.data(), 1, text.size(), stdout);
    return std::fflush(stdout) == 0 && !interrupted;
  });
  std::puts("");
  std::fprintf(stderr, "%zu tokens, %.1f tokens/s; %.3f s to the first, behind %lld of %lld prompt tokens\n", answer.tokens.size(),
               answer.tokens_per_second(), answer.first_seconds, static_cast<long long>(answer.read_tokens),
               static_cast<long long>(answer.prompt_tokens));
  return said;
}

/// Bytes that are not UTF-8 count as U+FFFD.
nlohmann::ordered_json message(const char* role, const std::string& content) {
  return {{"role", role}, {"content", llm::repaired(content)}};
}

std::vector<llm::TokenId> chat_prompt(const LanguageModel& model, const nlohmann::ordered_json& messages, const Wanted& wanted) {
  llm::RenderOptions options;
  options.add_generation_prompt = true;
  options.enable_thinking = wanted.thinking;
  return model.prompt(model.chat_template()->render(messages, options));
}

nlohmann::ordered_json opening(const Wanted& wanted) {
  nlohmann::ordered_json messages = nlohmann::ordered_json::array();
  if (!wanted.system.empty())
    messages.push_back(message("system", wanted.system));
  return messages;
}

} // namespace

int run_model(Arguments arguments) {
  auto prompt = arguments.text("-p"); // first: it may be any text
  if (!prompt)
    prompt = arguments.text("--prompt");
  Wanted wanted = wanted_by(arguments);
  const bool raw = arguments.flag("--raw");
  wanted.folder = arguments.word("model: DIR, its folder");
  arguments.check_all_taken();
  LanguageModel model = load(wanted);
  wanted.generate.sampling = sampling_of(wanted, model.sampling());
  if (!prompt)
    prompt = contents_of("-");
  nlohmann::ordered_json messages = opening(wanted);
  messages.push_back(message("user", *prompt));
  const auto tokens = raw || !model.chat_template() ? model.tokenizer().encode(*prompt, llm::AddedTokensIn::as_text)
                                                    : chat_prompt(model, messages, wanted);
  print_answer(model, wanted, tokens);
  constexpr int by_signal = 128;
  return interrupted ? by_signal + SIGINT : 0;
}

int chat_with_model(Arguments arguments) {
  Wanted wanted = wanted_by(arguments);
  wanted.folder = arguments.word("model: DIR, its folder");
  arguments.check_all_taken();
  LanguageModel model = load(wanted);
  wanted.generate.sampling = sampling_of(wanted, model.sampling());
  if (!model.chat_template())
    throw Error("tegula: " + wanted.folder + ": there is no chat template in it; tegula run DIR -p PROMPT goes on from any text");
  const bool terminal = ::isatty(STDIN_FILENO) == 1;
  std::fputs("Ctrl-C stops an answer, /clear begins anew, /exit or the end of the input ends.\n", stderr);
  nlohmann::ordered_json messages = opening(wanted);
  std::string line;
  while ((terminal ? (std::fputs("> ", stdout), std::fflush(stdout)) : 0) == 0 && std::getline(std::cin, line) && line != "/exit") {
    if (line == "/clear")
      messages = opening(wanted);
    if (line.empty() || line == "/clear")
      continue;
    messages.push_back(message("user", line));
    const auto tokens = chat_prompt(model, messages, wanted);
    if (static_cast<i64>(tokens.size()) >= model.context()) {
      std::fprintf(stderr, "the conversation has %zu tokens, and there is room for %lld: begin anew with /clear\n", tokens.size(),
                   static_cast<long long>(model.context()));
      messages.erase(messages.size() - 1);
      continue;
    }
    messages.push_back(message("assistant", print_answer(model, wanted, tokens)));
  }
  return 0;
}

} // namespace tegula
