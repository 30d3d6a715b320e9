#include "tools/tegula/BenchModel.h"

#include "lib/runtime/Profile.h"
#include "llm/checkpoint/Checkpoint.h"
#include "llm/engine/Batch.h"
#include "llm/models/qwen3/Model.h"
#include "llm/models/qwen3/Weights.h"
#include "llm/models/qwen3/kernels/pages.hpp"
#include "tools/measure/Machine.h"
#include "tools/measure/Report.h"
#include "tools/tegula/Bandwidth.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <random>

namespace tegula {
namespace {

using llm::Batch;
using llm::TokenId;
using llm::qwen3::Config;

struct Wanted {
  std::string folder, size; // one of the two
  bool random_weights = false, profile = false;
  i64 longest_prompt, position, tokens, sequences;
  std::optional<double> bandwidth; // GB/s
  std::string results;             // a file for raw lines
  bench::Origin origin;

  std::string model() const { return "Qwen3 " + (size.empty() ? folder : size) + (random_weights ? ", random weights" : ""); }
  void keep(const bench::Result& result) const {
    if (!results.empty() && !bench::append(results, origin, result))
      throw Error("tegula: bench ends, as its results cannot be kept");
  }
};

class Clock {
public:
  double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }

private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

Wanted wanted_by(Arguments& arguments, const Device& device) {
  constexpr i64 most = 1 << 20;
  Wanted wanted;
  wanted.size = arguments.text("--config").value_or("");
  wanted.random_weights = arguments.flag("--random-weights");
  wanted.profile = arguments.flag("--profile");
  wanted.longest_prompt = arguments.whole("--prompt", 1, most).value_or(device.is_cpu() ? 128 : 2048);
  wanted.position = arguments.whole("--position", 1, most).value_or(18);
  wanted.tokens = arguments.whole("--tokens", 2, most).value_or(device.is_cpu() ? 32 : 512);
  wanted.sequences = arguments.whole("--batch", 1, 1024).value_or(1);
  if (const auto results = arguments.text("--results")) {
    wanted.results = *results;
    if (!std::ofstream(wanted.results, std::ios::app))
      throw UsageError{"--results: '" + wanted.results + "' cannot be written"};
  }
  wanted.origin.device =
      device.is_cpu() ? bench::machine() + ", " + std::to_string(device.parallelism()) + " threads" : device.name();
  wanted.bandwidth = arguments.number("--bandwidth", 0.001, 1e6);
  if (wanted.size.empty())
    wanted.folder = arguments.word("model: DIR, its folder, or --config SIZE --random-weights");
  else if (!wanted.random_weights)
    throw UsageError{"--config " + wanted.size + " says how large a model is, and has no weights: add --random-weights"};
  arguments.check_all_taken();
  return wanted;
}

/// How many tokens a sequence may have.
i64 checked_context(const Wanted& wanted, const Config& config) {
  const i64 context = std::max(wanted.longest_prompt, wanted.position + wanted.tokens) + 4;
  if (context > config.max_position_embeddings)
    throw Error("tegula: bench wants " + std::to_string(context) + " positions; the model has " +
                std::to_string(config.max_position_embeddings));
  return context;
}

llm::qwen3::Model load(const Wanted& wanted, const Config& config, const Device& device) {
  using namespace llm::qwen3;
  const Clock clock;
  DeviceWeights weights = wanted.random_weights ? random_weights(device, config, 1)
                                                : load_weights(device, config, llm::Checkpoint::open(wanted.folder));
  device.synchronize();
  std::printf("%s: %.2f billion parameters, %.2f GB on the device, there in %.1f s\n", wanted.model().c_str(),
              static_cast<double>(parameter_count(config)) * 1e-9, static_cast<double>(device.statistics().bytes_in_use) * 1e-9,
              clock.seconds());
  return {device, config, std::move(weights)};
}

/// Of the matrices that every token goes through: of the embedding one row is read, unless it is the head, too.
i64 weights_read(const Config& config) {
  const i64 embedding = config.vocab_size * config.hidden_size;
  return static_cast<i64>(llm::qwen3::parameter_count(config)) - (config.tie_word_embeddings ? 0 : embedding);
}
/// Bytes of keys and values for a token of one sequence.
i64 bytes_per_position(const Config& config) {
  return 2 * size_of(DType::bf16) * config.num_hidden_layers * config.num_key_value_heads * config.head_dim;
}

/// Prompts of random tokens, of one length.
class Prompts {
public:
  Prompts(const Config& config, i64 sequences, i64 length) {
    std::mt19937 random(static_cast<unsigned>(length));
    std::uniform_int_distribution<TokenId> any(0, static_cast<TokenId>(config.vocab_size - 1));
    tokens_.resize(static_cast<std::size_t>(length));
    std::ranges::generate(tokens_, [&] { return any(random); });
    for (i64 sequence = 0; sequence < sequences; ++sequence)
      prompts_.push_back({.sequence = sequence, .more = tokens_});
  }
  operator std::span<const Batch::Prompt>() const { return prompts_; }

private:
  std::vector<TokenId> tokens_;
  std::vector<Batch::Prompt> prompts_;
};

double seconds_to_read(Batch& batch, std::span<const Batch::Prompt> prompts) {
  const Clock clock;
  batch.read(prompts);
  return clock.seconds();
}

void show_prompts(Batch& batch, const Config& config, const Wanted& wanted) {
  constexpr int rounds = 3;
  std::vector<i64> lengths{wanted.longest_prompt};
  for (const i64 length : {2048, 512, 128})
    if (length < wanted.longest_prompt)
      lengths.push_back(length);
  std::ranges::sort(lengths);
  std::puts("\nprompt tokens          ms      tokens/s   TFLOP/s");
  for (const i64 length : lengths) {
    const Prompts prompts(config, wanted.sequences, length);
    seconds_to_read(batch, prompts);
    std::vector<double> times;
    for (int round = 0; round < rounds; ++round)
      times.push_back(seconds_to_read(batch, prompts));
    std::ranges::sort(times);
    const double seconds = times[rounds / 2], tokens = static_cast<double>(wanted.sequences * length);
    // The head is for the last token only; attention is left out.
    const i64 head = config.vocab_size * config.hidden_size;
    const double operations = 2 * tokens * static_cast<double>(weights_read(config) - head);
    std::printf("%2lld × %-6lld  %12.2f  %12.0f  %8.2f\n", static_cast<long long>(wanted.sequences), static_cast<long long>(length),
                seconds * 1e3, tokens / seconds, operations / seconds * 1e-12);
    wanted.keep({.bench = "prompt",
                 .what = wanted.model() + ", " + std::to_string(wanted.sequences) + " × " + std::to_string(length) + " tokens",
                 .value = seconds * 1e3,
                 .unit = "ms"});
  }
}

/// Seconds for a step, of many that are each started before the tokens of the one before are taken.
double seconds_of_step(Batch& batch, const Config& config, const Wanted& wanted) {
  batch.read(Prompts(config, wanted.sequences, wanted.position));
  batch.step(); // which is recorded before
  batch.step();
  batch.take();
  const Clock clock;
  for (i64 i = 0; i < wanted.tokens; ++i) {
    batch.step();
    batch.take();
  }
  const double step = clock.seconds() / static_cast<double>(wanted.tokens);
  batch.take();
  return step;
}

void show_step(const Config& config, const Wanted& wanted, double step, double bandwidth) {
  const i64 middle = wanted.position + 2 + wanted.tokens / 2;
  const double bytes = 2 * static_cast<double>(weights_read(config)) +
                       static_cast<double>(bytes_per_position(config)) * static_cast<double>(wanted.sequences * middle);
  std::puts("\nsequences   positions     tokens/s     ms a step   GB read      GB/s   of the bound");
  std::printf("%9lld  %5lld–%-5lld %11.1f  %12.3f  %8.3f  %8.1f  %6.1f %% of %.1f tokens/s\n",
              static_cast<long long>(wanted.sequences), static_cast<long long>(wanted.position),
              static_cast<long long>(wanted.position) + static_cast<long long>(wanted.tokens),
              static_cast<double>(wanted.sequences) / step, step * 1e3, bytes * 1e-9, bytes / step * 1e-9,
              bytes / step / bandwidth * 100, static_cast<double>(wanted.sequences) * bandwidth / bytes);
  wanted.keep({.bench = "decode",
               .what = wanted.model() + ", " + std::to_string(wanted.sequences) + " × positions " +
                       std::to_string(wanted.position) + "–" + std::to_string(wanted.position + wanted.tokens),
               .value = static_cast<double>(wanted.sequences) / step,
               .unit = "tokens/s",
               .peer = "what the memory allows",
               .peer_value = static_cast<double>(wanted.sequences) * bandwidth / bytes,
               .ratio = bytes / step / bandwidth});
}

void show_profile(Batch& batch, const Config& config, const Wanted& wanted, double step, double bandwidth) {
  batch.read(Prompts(config, wanted.sequences, wanted.position));
  batch.step();
  batch.take();
  std::vector<GraphPart> parts = profile(batch.recorded_step(), std::clamp(static_cast<int>(0.2 / step), 1, 50));
  std::ranges::sort(parts, std::greater<>(), [](const GraphPart& part) { return part.seconds.value_or(0); });
  std::puts("\nnodes        µs  of the step        MB    GB/s  bound by        kernel, and its largest tensor");
  double all = 0;
  int untimed = 0;
  for (const GraphPart& part : parts) {
    const double seconds = part.seconds.value_or(0);
    const double megabytes = static_cast<double>(part.bytes) * 1e-6;
    all += seconds;
    if (!part.seconds) {
      untimed += part.nodes;
      std::printf("%5d  %8s  %11s  %8.3f  %6s  %-14s  %s\n", part.nodes, "?", "", megabytes, "", "", part.name.c_str());
      continue;
    }
    const double rate = seconds > 0 && part.bytes > 0 ? static_cast<double>(part.bytes) / seconds : 0;
    const bool reads_all = rate > 0 && rate <= 1.2 * bandwidth;
    const char* bound = rate == 0 ? "" : !reads_all ? "parts, a cache" : rate > 0.6 * bandwidth ? "memory" : "other";
    std::printf("%5d  %8.2f  %9.1f %%  %8.3f  %6s  %-14s  %s\n", part.nodes, seconds * 1e6, seconds / step * 100, megabytes,
                reads_all ? std::to_string(std::lround(rate * 1e-9)).c_str() : "", bound, part.name.c_str());
  }
  const double rest = std::max(0.0, step - all); // alone, kernels may take longer than in their step
  const std::string also = untimed == 0 ? "" : ", and in the " + std::to_string(untimed) + " without a time";
  std::printf("%5s  %8.2f  %9.1f %%  %8s  %6s  %-14s  between kernels%s\n", "", rest * 1e6, rest / step * 100, "", "", "",
              also.c_str());
  std::puts(
      "MB: what a kernel is given, each tensor once; \"parts, a cache\": more than the memory delivers in the time, so it reads\n"
      "parts of that, or finds it in a cache");
}

/// Bytes of the device: those of the model, of a batch with it, and what reading prompts and a step take beside these.
struct Memory {
  i64 weights = 0, batch = 0, prompts = 0, step = 0;
};

void show_memory(const Config& config, const Wanted& wanted, i64 context, const Memory& memory) {
  constexpr i64 page = llm::page_tokens;
  const i64 positions = (context + page - 1) / page * page, cache = wanted.sequences * positions * bytes_per_position(config);
  const auto gigabytes = [](i64 bytes) { return static_cast<double>(bytes) * 1e-9; };
  std::printf(
      "\nmemory: %.3f GB: weights %.3f, keys and values for %lld × %lld tokens %.3f, tables of positions and of the sampler %.3f,\n"
      "between the kernels of a step %.3f, and while a prompt is read %.3f\n",
      gigabytes(memory.batch + memory.prompts + memory.step), gigabytes(memory.weights), static_cast<long long>(wanted.sequences),
      static_cast<long long>(positions), gigabytes(cache), gigabytes(memory.batch - memory.weights - cache), gigabytes(memory.step),
      gigabytes(memory.prompts));
}

} // namespace

int bench_model(Arguments arguments, const std::string& command) {
  const Device device = Device::best();
  Wanted wanted = wanted_by(arguments, device);
  wanted.origin.command = command;
  const Config config = wanted.size.empty() ? llm::qwen3::read_config(wanted.folder) : llm::qwen3::config_of_size(wanted.size);
  const i64 context = checked_context(wanted, config);
  const llm::qwen3::Model model = load(wanted, config, device);
  Memory memory;
  memory.weights = device.statistics().bytes_in_use;
  Batch batch(model, wanted.sequences, context);
  for (i64 sequence = 0; sequence < wanted.sequences; ++sequence)
    batch.set_sampling(sequence, {});
  memory.batch = device.statistics().bytes_in_use;
  show_prompts(batch, config, wanted);
  const double step = seconds_of_step(batch, config, wanted);
  memory.prompts = device.statistics().peak_bytes - memory.batch;
  memory.step = device.statistics().bytes_in_use - memory.batch;
  const double bandwidth = wanted.bandwidth ? *wanted.bandwidth * 1e9 : read_bandwidth(device);
  std::printf("\n%s reads %.1f GB/s, as %s\n", device.name(), bandwidth * 1e-9, wanted.bandwidth ? "was said" : "measured here");
  show_step(config, wanted, step, bandwidth);
  if (wanted.profile)
    show_profile(batch, config, wanted, step, bandwidth);
  show_memory(config, wanted, context, memory);
  return 0;
}

} // namespace tegula
