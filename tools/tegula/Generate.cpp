#include "tools/tegula/Generate.h"

#include "llm/chat/Conversation.h"
#include "llm/checkpoint/RegularFile.h"
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
using Clock = std::chrono::steady_clock;

constexpr std::int64_t many = std::int64_t{1} << 40;

/// What goes on when somebody presses Ctrl-C.
enum class At { nothing, line, prompt, answer };
std::atomic<At> at{At::nothing};
std::atomic<int> interrupts{0}; // since it began
void begin(At what) {
  interrupts = 0;
  at = what;
}

extern "C" void on_interrupt(int signal) {
  const auto say = [](int to, std::string_view text) { (void)!::write(to, text.data(), text.size()); };
  constexpr int most = 2; // that an answer does not heed: it hangs
  const int before = interrupts++;
  if (at == At::answer && before < most)
    return;
  if (before > 0 || at == At::nothing) {
    std::signal(signal, SIG_DFL);
    std::raise(signal);
  } else if (at == At::prompt) {
    say(STDERR_FILENO, "\nthe prompt is still being read; Ctrl-C again ends the program\n");
  } else {
    say(STDERR_FILENO, "\nCtrl-C again, or /exit, ends the conversation\n");
    say(STDOUT_FILENO, "> ");
  }
}

/// Ctrl-C stops the answer, and not the program, while it lives. As long as there is no answer yet, or at the beginning of a line,
/// a second one ends the program. What is read or written meanwhile goes on.
class Interruptible {
public:
  Interruptible() {
    begin(At::nothing);
    struct sigaction action{};
    action.sa_handler = on_interrupt;
    action.sa_flags = SA_RESTART;
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
  const auto number = [&](const char* name, llm::Range<double> range) { return arguments.number(name, range.least, range.most); };
  wanted.temperature = number("--temperature", {.least = 0, .most = llm::ranges::temperature.most});
  wanted.top_k = arguments.whole("--top-k", llm::ranges::top_k.least, llm::ranges::top_k.most);
  wanted.top_p = number("--top-p", llm::ranges::top_p);
  wanted.min_p = number("--min-p", llm::ranges::min_p);
  wanted.repetition = number("--repetition-penalty", llm::ranges::repetition_penalty);
  wanted.presence = number("--presence-penalty", llm::ranges::presence_penalty);
  wanted.frequency = number("--frequency-penalty", llm::ranges::frequency_penalty);
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

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

LanguageModel load(const Wanted& wanted) {
  const Clock::time_point start = Clock::now();
  const bool shown = ::isatty(STDERR_FILENO) == 1;
  std::uint64_t last = 0;
  const auto progress = [&](std::uint64_t done, std::uint64_t all) {
    if (!shown || (done < all && done - last < all / 200))
      return;
    last = done;
    const auto bytes = static_cast<double>(all);
    std::fprintf(stderr, "\rloading %3d %% of %.1f %s", static_cast<int>(done * 100 / all), bytes * (bytes < 1e9 ? 1e-6 : 1e-9),
                 bytes < 1e9 ? "MB" : "GB");
  };
  const Device device = Device::best();
  LanguageModel model = LanguageModel::load(wanted.folder, {.device = device, .context = wanted.context, .progress = progress});
  std::fprintf(stderr, "%s%s on %s, loaded in %.1f s\n", shown ? "\r\033[K" : "", wanted.folder.c_str(), device.name(),
               seconds_since(start));
  return model;
}

/// Returns what it printed. `start` is when all began, if that is to be said.
std::string print_answer(LanguageModel& model, const Wanted& wanted, std::span<const llm::TokenId> prompt,
                         std::optional<Clock::time_point> start = {}) {
  begin(At::prompt);
  const double before = start ? seconds_since(*start) : 0;
  std::string said;
  const llm::Generated answer = model.generate(prompt, wanted.generate, [&](const std::string& text) {
    at = At::answer;
    said += text;
    std::fwrite(text.data(), 1, text.size(), stdout);
    return std::fflush(stdout) == 0 && interrupts == 0;
  });
  std::puts("");
  std::fprintf(stderr, "%zu tokens, %.1f tokens/s; %.3f s to the first", answer.tokens.size(), answer.tokens_per_second(),
               answer.first_seconds);
  if (start)
    std::fprintf(stderr, " (%.2f s from the start)", before + answer.first_seconds);
  std::fprintf(stderr, ", behind %lld of %lld prompt tokens\n", static_cast<long long>(answer.read_tokens),
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

/// One place in the context is for the answer.
void check_room(const LanguageModel& model, const char* what, std::size_t tokens, const char* also = "") {
  if (static_cast<i64>(tokens) < model.context())
    return;
  const i64 most = model.model().positions();
  throw Error(
      "tegula: " + std::string(what) + " has " + std::to_string(tokens) + " tokens, and there is room for " +
      std::to_string(model.context()) + ", an answer included: " + also +
      (model.context() < most ? "--context N makes room, up to " + std::to_string(most) : "the model has positions for no more"));
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
  Clock::time_point start = Clock::now();
  LanguageModel model = load(wanted);
  wanted.generate.sampling = sampling_of(wanted, model.sampling());
  if (!prompt) {
    const Clock::time_point asked = Clock::now();
    prompt = contents_of("-", "the prompt");
    start += Clock::now() - asked; // whoever types takes time
  }
  nlohmann::ordered_json messages = opening(wanted);
  messages.push_back(message("user", *prompt));
  const auto tokens = raw || !model.chat_template() ? model.tokenizer().encode(*prompt, llm::AddedTokensIn::as_text)
                                                    : chat_prompt(model, messages, wanted);
  check_room(model, "the prompt", tokens.size());
  const Interruptible scope;
  print_answer(model, wanted, tokens, start);
  constexpr int by_signal = 128;
  return interrupts > 0 ? by_signal + SIGINT : 0;
}

int chat_with_model(Arguments arguments) {
  Wanted wanted = wanted_by(arguments);
  wanted.folder = arguments.word("model: DIR, its folder");
  arguments.check_all_taken();
  if (llm::is_there(std::filesystem::path(wanted.folder) / "config.json") && !llm::ChatTemplate::is_in(wanted.folder))
    throw Error("tegula: " + wanted.folder + ": there is no chat template in it; tegula run DIR -p PROMPT goes on from any text");
  LanguageModel model = load(wanted);
  wanted.generate.sampling = sampling_of(wanted, model.sampling());
  const Interruptible scope;
  const bool terminal = ::isatty(STDIN_FILENO) == 1;
  std::fputs("Ctrl-C stops an answer, /clear begins anew, /exit or the end of the input ends.\n", stderr);
  nlohmann::ordered_json messages = opening(wanted);
  std::string line;
  const auto next_line = [&] {
    begin(terminal ? At::line : At::nothing);
    if (terminal)
      std::fputs("> ", stdout);
    return std::fflush(stdout) == 0 && std::getline(std::cin, line) && line != "/exit";
  };
  while (next_line()) {
    if (line == "/clear")
      messages = opening(wanted);
    if (line.empty() || line == "/clear")
      continue;
    messages.push_back(message("user", line));
    try {
      begin(At::prompt);
      const auto tokens = chat_prompt(model, messages, wanted);
      check_room(model, "the conversation", tokens.size(), "begin anew with /clear; ");
      messages.push_back(message("assistant", print_answer(model, wanted, tokens)));
    } catch (const Error& error) {
      std::fprintf(stderr, "%s\nthe conversation goes on without this message\n", error.what());
      messages.erase(messages.size() - 1);
    }
  }
  return 0;
}

} // namespace tegula
