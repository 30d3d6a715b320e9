#include "tools/tegula/Audit.h"
#include "tools/tegula/Tokens.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <span>
#include <utility>

namespace fs = std::filesystem;

namespace tegula {

namespace {

bool is(const Token& token, std::string_view text) { return token.kind != Token::Kind::string && token.text == text; }
bool opens(const Token& token) { return is(token, "(") || is(token, "{"); }

/// Walks over the tokens and remembers how the statement began.
class Finder {
public:
  Finder(std::span<const Token> tokens, bool declares) : tokens_(tokens), declares_(declares) {}

  std::vector<UnsafeUse> run() && {
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      if (starts_statement(i))
        first_ = i;
      const bool plain = is(tokens_[i], "unsafe") && !(i > 0 && is_member(tokens_[i - 1]));
      const bool inner = is(tokens_[i], "Unsafe") && i > 0 && is(tokens_[i - 1], "::"); // what unsafe() returns
      if (plain || inner)
        look_at(i);
    }
    return std::move(uses_);
  }

private:
  bool starts_statement(std::size_t i) const {
    if (i == 0 || tokens_[i].directive != tokens_[i - 1].directive)
      return true;
    const Token& before = tokens_[i - 1];
    return is(before, ";") || is(before, "{") || is(before, "}") || (tokens_[i].directive && is(tokens_[i], "#"));
  }
  static bool is_member(const Token& before) { return is(before, ".") || is(before, "->"); }

  void look_at(std::size_t i) {
    // unsafe("...") or unsafe{"..."}, or a variable of the type: unsafe why("...")
    const std::size_t bracket = i + 1 < tokens_.size() && tokens_[i + 1].kind == Token::Kind::name ? i + 2 : i + 1;
    const bool call = bracket < tokens_.size() && opens(tokens_[bracket]);
    if (call) {
      std::string reason;
      std::size_t at = bracket + 1;
      for (; at < tokens_.size() && tokens_[at].kind == Token::Kind::string; ++at)
        reason += tokens_[at].text;
      const bool closed = at < tokens_.size() && (is(tokens_[at], ")") || is(tokens_[at], "}"));
      const bool literal = at > bracket + 1 && closed;
      if (literal || !declares_)
        uses_.push_back({"", tokens_[i].line, literal ? reason : "", literal});
    } else if (!declares_ && gives_another_name(i)) {
      uses_.push_back({"", tokens_[i].line, "", false});
    }
  }
  /// using waive = tegula::unsafe; typedef unsafe waive; #define WAIVE unsafe
  bool gives_another_name(std::size_t i) const {
    const auto statement = tokens_.subspan(first_, i - first_);
    if (statement.empty())
      return false;
    if (is(statement[0], "using"))
      return std::any_of(statement.begin(), statement.end(), [](const Token& t) { return is(t, "="); });
    return is(statement[0], "typedef") || (statement.size() > 1 && is(statement[0], "#") && is(statement[1], "define"));
  }

  std::span<const Token> tokens_;
  bool declares_;
  std::size_t first_ = 0; // of the statement
  std::vector<UnsafeUse> uses_;
};

bool is_source(const fs::path& path) {
  constexpr std::string_view endings[] = {".cpp", ".cc", ".cxx", ".hpp", ".h", ".hh", ".cuh", ".inl"};
  return std::find(std::begin(endings), std::end(endings), path.extension().string()) != std::end(endings);
}

bool is_left_out(const fs::path& folder) {
  const std::string name = folder.filename().string();
  std::error_code ignored;
  return name.starts_with('.') || name == "build" || fs::exists(folder / "CMakeCache.txt", ignored);
}

bool is_of_the_language(const fs::path& file) {
  return fs::absolute(file).lexically_normal().generic_string().find("/include/tegula/kernel/") != std::string::npos;
}

bool has_kernels(const fs::path& folder) {
  return std::any_of(folder.begin(), folder.end(), [](const fs::path& part) { return part == "kernels"; });
}

/// A file or folder that was asked for. What lies above it says nothing about it, but its own name does.
class Root {
public:
  Root(Audit& audit, const fs::path& path) : audit_(audit), path_(path) {}

  void scan() {
    std::error_code error;
    if (!fs::is_directory(path_, error))
      return file(path_);
    fs::recursive_directory_iterator entry(path_, error), end;
    std::vector<fs::path> files;
    while (!error && entry != end) {
      std::error_code ignored;
      if (entry->is_directory(ignored) && is_left_out(entry->path()))
        entry.disable_recursion_pending();
      else if (is_source(entry->path()) && entry->is_regular_file(ignored))
        files.push_back(entry->path().lexically_normal());
      entry.increment(error);
    }
    if (error)
      audit_.unreadable.push_back(path_.string() + ": " + error.message());
    std::sort(files.begin(), files.end());
    for (const fs::path& path : files)
      file(path);
  }

private:
  void file(const fs::path& path) {
    std::error_code error;
    std::ifstream stream(path, std::ios::binary);
    if (!stream || !fs::is_regular_file(path, error)) {
      audit_.unreadable.push_back(path.string() + ": cannot be read");
      return;
    }
    const std::string source{std::istreambuf_iterator<char>(stream), {}};
    ++audit_.files;
    for (UnsafeUse& use : unsafe_uses(source, is_of_the_language(path))) {
      use.file = path.string();
      audit_.uses.push_back(std::move(use));
      audit_.in_kernels |= has_kernels(path.parent_path()) || has_kernels(fs::weakly_canonical(path_).filename());
    }
  }

  Audit& audit_;
  fs::path path_;
};

} // namespace

std::vector<UnsafeUse> unsafe_uses(std::string_view source, bool declares) {
  const std::vector<Token> tokens = tokens_of(source);
  return Finder(tokens, declares).run();
}

Audit audit(const std::vector<std::string>& paths) {
  Audit audit;
  for (const std::string& path : paths)
    Root(audit, path).scan();
  return audit;
}

int report(const Audit& audit) {
  for (const UnsafeUse& use : audit.uses)
    std::printf("%s:%u: %s\n", use.file.c_str(), use.line,
                use.literal ? use.reason.c_str() : "(no reason to read here: write unsafe(\"...\") with a string literal)");
  std::printf("%zu %s of unsafe in %d %s\n", audit.uses.size(), audit.uses.size() == 1 ? "use" : "uses", audit.files,
              audit.files == 1 ? "file" : "files");
  for (const std::string& path : audit.unreadable)
    std::fprintf(stderr, "tegula audit: %s\n", path.c_str());
  if (!audit.unreadable.empty())
    return 2;
  if (audit.in_kernels)
    std::fputs(
        "tegula audit: kernels/ may have none: prove the access, say what a launch needs with expects, or certify the index\n",
        stderr);
  return audit.in_kernels ? 1 : 0;
}

} // namespace tegula
