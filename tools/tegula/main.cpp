// The command `tegula`.
#include "tools/tegula/Audit.h"
#include "tools/tegula/BenchModel.h"
#include "tools/tegula/Cache.h"
#include "tools/tegula/Demo.h"
#include "tools/tegula/Folder.h"
#include "tools/tegula/Generate.h"
#include "tools/tegula/Nearest.h"
#include "tools/tegula/Prove.h"
#include "tools/tegula/Ptx.h"

#include "tegula/tegula.hpp"
#include "tools/measure/Machine.h"

#include <algorithm>
#include <cstdio>
#include <exception>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include <fcntl.h>
#include <unistd.h>

static double gibibytes(const tegula::Device& device) { return static_cast<double>(device.memory_bytes()) / (1 << 30); }

static void show_devices() {
  using tegula::Device;
  const Device cpu = Device::cpu();
  std::printf("cpu    %s, %d %s, %.1f GiB\n", tegula::bench::machine().c_str(), cpu.parallelism(),
              cpu.parallelism() == 1 ? "thread" : "threads", gibibytes(cpu));
  for (int i = 0; i < Device::gpus(); ++i) {
    std::printf("gpu:%d  ", i);
    try {
      const Device gpu = Device::gpu(i);
      std::printf("%s, %d multiprocessors, %.1f GiB\n", gpu.name(), gpu.parallelism(), gibibytes(gpu));
    } catch (const tegula::Error& error) {
      std::printf("cannot be used: %s\n", error.what());
    }
  }
  if (Device::gpus() > 0)
    return;
  try {
    Device::gpu();
  } catch (const tegula::Error& error) {
    std::printf("%s\n", error.what());
  }
}

/// What --help says of each command.
struct Command {
  const char* name;
  const char* help;
  const char* alone = ""; // behind it, if it is said of this command alone
};

static constexpr const char* options_of_text =
    "             [--tokens N] [--context N] [--system TEXT] [--no-thinking] [--stop TEXT] [--greedy] [--seed N]\n"
    "             [--temperature X] [--top-k N] [--top-p X] [--min-p X]\n"
    "             [--repetition-penalty X] [--presence-penalty X] [--frequency-penalty X]\n"
    "             --context: how many tokens there is room for; else 8192, or fewer if the model has fewer positions\n"
    "             temperature: 0.001 to 100, or 0 for the most likely token; top-p and min-p: 0 to 1;\n"
    "             repetition: 0.01 to 100; presence and frequency: -2 to 2; else what generation_config.json says\n";

static constexpr Command commands[] = {
    {"demo", "  demo       one kernel: its source, what becomes of it, whether it is right, and how fast it is\n"
             "             (--full prints the whole IR after each stage)\n"},
    {"prove", "  prove      what is proved about the library's kernels, obligation by obligation\n"
              "             [KERNEL] [--json], or --run PROGRAM [ARGUMENT...]: about those that a program launches\n"},
    {"replay", "  replay     PROGRAM [ARGUMENT...]: runs what refutes the program's kernels, and shows the values that collide\n"
               "             or the address that lies outside\n"},
    {"ptx", "  ptx        what becomes of a kernel of the library on its way to a GPU; without a name, which ones there are\n"
            "             KERNEL [--target sm_90a] [--stage tile|layouts|threads|llvm|ptx|plan] [--ragged]\n"
            "             [--stage STAGE] [--kernel KERNEL] --run PROGRAM [ARGUMENT...]: of those that a program launches\n"},
    {"audit", "  audit      every use of unsafe in C++ sources, with its reason\n"
              "             [PATH...], by default the current folder\n"},
    {"devices", "  devices    where kernels can run on this machine\n"},
    {"cache", "  cache      the compiled kernels that are kept on disk; cache clear removes them\n"},
    {"run",
     "  run        text from a language model in a folder: DIR [-p PROMPT], or the standard input\n"
     "             [--raw] (without the chat template) [OPTION...]\n",
     options_of_text},
    {"chat", "  chat       a conversation with one: DIR [OPTION...]; Ctrl-C stops an answer\n", options_of_text},
    {"bench",
     "  bench      how fast one reads prompts and writes tokens, beside what the memory allows: DIR [--random-weights],\n"
     "             or --config SIZE --random-weights: 0.6B, 1.7B, 4B, 8B, 14B, 32B\n"
     "             [--prompt N] [--position N] [--tokens N] [--batch N] [--bandwidth GB/s] [--profile] [--results FILE]\n"},
    {"info", "  info       what model is in a folder, and whether its files are whole: DIR\n"},
    {"tokenize", "  tokenize   the ids of the standard input's text, on one line: DIR [--plain]\n"
                 "             (--plain: names of control tokens are text like any other)\n"},
    {"render", "  render     the prompt that a conversation becomes: DIR MESSAGES.json, or - for the standard input\n"},
    {"version", "  version    the version of Tegula\n"},
    {"help", "  help       [COMMAND]: this\n"},
};

static int help(std::FILE* to, const Command& command, int status) {
  std::fprintf(to, "usage: tegula %s\n%s%s", command.name, command.help, command.alone);
  return status;
}

static int usage(std::FILE* to, int status) {
  std::fputs("usage: tegula COMMAND; tegula COMMAND --help says more\n", to);
  for (const Command& command : commands)
    std::fputs(command.help, to);
  return status;
}

static std::string joined(int argc, char** argv) {
  std::string command = "tegula";
  for (int i = 1; i < argc; ++i)
    (command += ' ') += argv[i];
  return command;
}

/// Not where the word is for a program that is run, or may be a prompt.
static bool wants_help(const std::vector<std::string>& arguments, std::string_view command) {
  const auto is_help = [](const std::string& word) { return word == "--help" || word == "-h"; };
  const bool runs_program = command == "prove" || command == "replay";
  return !arguments.empty() && (is_help(arguments[0]) || (!runs_program && arguments.size() == 2 && is_help(arguments[1])));
}

static int run(int argc, char** argv) {
  const std::string_view command = argc > 1 ? argv[1] : "";
  const std::vector<std::string> arguments(argv + (argc > 1 ? 2 : 1), argv + argc);
  const std::string_view option = argc > 2 ? argv[2] : "";
  const auto named = [](std::string_view name) {
    return std::ranges::find_if(commands, [name](const Command& each) { return each.name == name; });
  };
  const auto found = named(command == "--version" ? "version" : command);
  const bool is_known = found != std::end(commands);
  if (is_known && wants_help(arguments, command))
    return help(stdout, *found, 0);
  try {
    if (command == "demo" && (option.empty() || option == "--full") && argc <= 3)
      return tegula::demo(option == "--full");
    if (command == "audit" && !option.starts_with("-"))
      return tegula::report(tegula::audit(arguments.empty() ? std::vector<std::string>{"."} : arguments));
    if (command == "prove")
      if (const auto wanted = tegula::parse_prove(arguments))
        return wanted->program.empty() ? tegula::prove_library(wanted->kernel, wanted->json)
                                       : tegula::prove_program(wanted->program, wanted->json);
    if (command == "ptx")
      if (const auto wanted = tegula::parse_ptx(arguments))
        return wanted->program.empty() ? tegula::show_ptx(*wanted) : tegula::show_ptx_of_program(*wanted);
    if (command == "replay" && !option.empty() && !option.starts_with("-"))
      return tegula::replay_program(arguments);
    if (command == "devices" && argc == 2)
      return show_devices(), 0;
    if (command == "cache" && argc == 2)
      return tegula::show_cache();
    if (command == "cache" && option == "clear" && argc == 3)
      return tegula::clear_cache();
    if (command == "run")
      return tegula::run_model(tegula::Arguments(arguments));
    if (command == "chat")
      return tegula::chat_with_model(tegula::Arguments(arguments));
    if (command == "bench")
      return tegula::bench_model(tegula::Arguments(arguments), joined(argc, argv));
    if (command == "tokenize")
      return tegula::tokenize(tegula::Arguments(arguments));
    if (command == "render")
      return tegula::render(tegula::Arguments(arguments));
    if (command == "info")
      return tegula::show_model(tegula::Arguments(arguments));
    if ((command == "version" || command == "--version") && argc == 2)
      return std::puts("tegula " TEGULA_VERSION), 0;
  } catch (const tegula::UsageError& error) {
    std::fprintf(stderr, "tegula: %s: %s; tegula %s --help lists what there is\n", argv[1], error.text.c_str(), argv[1]);
    return 2;
  } catch (const std::bad_alloc&) {
    std::fputs("tegula: the host has no memory for this\n", stderr);
    return 1;
  } catch (const std::exception& error) {
    const std::string_view text = error.what();
    std::fprintf(stderr, "%s%s\n", text.starts_with("tegula: ") ? "" : "tegula: ", error.what());
    return 1;
  }
  if (command == "help" || command == "--help" || command == "-h") {
    const auto about = named(option);
    return about != std::end(commands) ? help(stdout, *about, 0) : usage(stdout, 0);
  }
  if (is_known) {
    std::fprintf(stderr, "tegula: '%s' is not understood\n", joined(argc, argv).c_str());
    return help(stderr, *found, 2);
  }
  std::vector<std::string_view> names;
  for (const Command& each : commands)
    names.emplace_back(each.name);
  if (!command.empty())
    std::fprintf(stderr, "tegula: there is no command '%s'%s\n", argv[1], tegula::did_you_mean(command, names).c_str());
  return usage(stderr, 2);
}

/// A file that is opened later must not become the standard output, or error: what is closed cannot be written, and stays so.
static void occupy_standard_files() {
  for (const int file : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (::fcntl(file, F_GETFD) < 0)
      (void)::open("/dev/null", O_RDONLY); // the lowest number that is free
}

int main(int argc, char** argv) {
  occupy_standard_files();
  std::setvbuf(stdout, nullptr, _IOLBF, 1 << 16); // a reader at the end of a pipe sees each line at once
  const int status = run(argc, argv);
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0)
    return status;
  std::fputs("tegula: the standard output is full or closed; not everything could be printed\n", stderr);
  return status == 0 ? 1 : status;
}
