#include "test/faults/Faults.h"

#include <regex>
#include <sstream>

namespace tegula::test {
namespace {

using Lines = std::span<const std::string>;

bool contains(const std::string& line, const char* what) { return line.find(what) != std::string::npos; }

/// Of an instruction without its guard: "st.shared.b32".
std::string operation(const std::string& line) {
  static const std::regex form(R"(^\s*(?:@!?%p\d+\s+)?([a-z][\w.:]*))");
  std::smatch match;
  return std::regex_search(line, match, form) ? match[1].str() : "";
}

bool is_barrier(const std::string& line) {
  const std::string what = operation(line);
  return what.starts_with("bar.") || what.starts_with("barrier.sync");
}
bool is_label(const std::string& line) { return line.starts_with("$L__BB"); }
bool ends_block(const std::string& line) { return is_label(line) || contains(line, "bra") || contains(line, "ret;"); }
bool writes_shared(const std::string& line) { return operation(line).starts_with("st.shared"); }
bool reads_shared(const std::string& line) {
  return operation(line).starts_with("ld.shared") || operation(line).starts_with("ldmatrix");
}

class Finder {
public:
  explicit Finder(Lines lines) : lines(lines) {}

  std::vector<Fault> run() {
    for (at = 0; at < lines.size(); ++at) {
      if (is_barrier(lines[at]))
        barrier();
      masks();
      comparison();
      shuffle();
      shared_offset();
      width();
      copies();
    }
    return std::move(faults);
  }

private:
  void add(FaultKind kind, std::string is, std::string probe = "trap;", std::size_t moved_before = 0) {
    faults.push_back({kind, at, lines[at], std::move(is), std::move(probe), moved_before});
  }
  std::string replaced(const std::regex& what, const std::string& with) const {
    return std::regex_replace(lines[at], what, with, std::regex_constants::format_first_only);
  }
  void replace(FaultKind kind, const std::regex& what, const std::string& with) {
    if (const std::string is = replaced(what, with); is != lines[at])
      add(kind, is);
  }
  void barrier() {
    add(FaultKind::dropped_barrier, "");
    for (std::size_t before = at - 1; before > 0 && !ends_block(lines[before]); --before)
      if (writes_shared(lines[before])) {
        add(FaultKind::moved_barrier, lines[at], "trap;", before);
        break;
      }
    for (std::size_t after = at + 1; after < lines.size() && !ends_block(lines[after]) && !is_barrier(lines[after]); ++after)
      if (reads_shared(lines[after])) {
        add(FaultKind::moved_barrier, lines[at], "trap;", after + 1);
        break;
      }
  }

  /// A branch forward over stores, atomic operations or copies; and addresses that are chosen by a condition.
  void masks() {
    static const std::regex branch(R"(^\s*@(!?)(%p\d+) bra\s+(\$L__BB\w+);)"),
        choice(R"(selp\.b64(\s+%rd\d+), (%rd\d+), %rd\d+, (%p\d+))");
    std::smatch match;
    if (std::regex_search(lines[at], match, choice))
      add(FaultKind::dropped_mask, replaced(choice, "mov.b64$1, $2"), lines[at] + " @!" + match[3].str() + " trap;");
    if (!std::regex_search(lines[at], match, branch))
      return;
    const std::string target = match[3].str() + ":";
    bool has_effect = false;
    for (std::size_t next = at + 1; next < lines.size() && !has_effect; ++next) {
      if (lines[next] == target)
        return;
      const std::string what = operation(lines[next]);
      has_effect =
          what.starts_with("st.") || what.starts_with("atom.") || what.starts_with("red.") || what.starts_with("cp.async.c");
    }
    if (!has_effect)
      return;
    add(FaultKind::dropped_mask, "", "@" + match[1].str() + match[2].str() + " trap;");
    replace(FaultKind::inverted_mask, std::regex("@!?%p"), match[1].length() ? "@%p" : "@!%p");
  }

  void comparison() {
    static const std::regex integers(R"(setp\.(lt|le|gt|ge|eq|ne)\.[sub]\d+\s+(%p\d+),)"), number(R"(, (\d+);)");
    std::smatch match, found;
    if (!std::regex_search(lines[at], match, integers))
      return;
    const std::string result = match[2].str() + ",", differs = " xor.pred differs, faulty, " + match[2].str() + ";";
    static constexpr std::pair<const char*, const char*> others[] = {{"lt", "le"}, {"le", "lt"}, {"gt", "ge"},
                                                                     {"ge", "gt"}, {"eq", "ne"}, {"ne", "eq"}};
    auto damage = [&](std::string is) {
      std::string again = is;
      again.replace(again.find(result), result.size(), "faulty,");
      add(FaultKind::comparison, std::move(is),
          "{ .reg .pred faulty, differs;" + again + lines[at] + differs + " @differs trap; }");
    };
    for (const auto& [relation, other] : others)
      if (match[1] == relation)
        damage(replaced(std::regex(std::string("setp\\.") + relation), std::string("setp.") + other));
    if (std::regex_search(lines[at], found, number))
      damage(replaced(number, ", " + std::to_string(std::stoull(found[1]) + 1) + ";"));
  }

  void shuffle() {
    static const std::regex form(R"((shfl\.sync\.\w+\.b32\s+)(%r\d+)(, %r\d+, )(\d+),)");
    std::smatch match;
    if (!std::regex_search(lines[at], match, form))
      return;
    const int distance = std::stoi(match[4]);
    auto from = [&](const std::string& result) {
      return match.prefix().str() + match[1].str() + result + match[3].str() + std::to_string(distance == 16 ? 8 : 2 * distance) +
             "," + match.suffix().str();
    };
    add(FaultKind::shuffle, from(match[2]),
        "{ .reg .pred differs; .reg .b32 faulty;" + from("faulty") + lines[at] + " setp.ne.b32 differs, faulty, " + match[2].str() +
            "; @differs trap; }");
  }

  void shared_offset() {
    if (!writes_shared(lines[at]) && !reads_shared(lines[at]))
      return;
    static const std::regex place(R"(\[([%\w]+)(\+(\d+))?\])");
    std::smatch match;
    if (!std::regex_search(lines[at], match, place))
      return;
    const long own = match[3].matched ? std::stol(match[3]) : 0;
    for (const long more : {4, 16})
      replace(FaultKind::shared_offset, place, "[$1+" + std::to_string(own + more) + "]");
  }

  void width() {
    static const std::regex four(R"((\b(?:ld|st)\.[\w.]*)v4(\.b\d+)(.*)\{([^,]*), ([^,]*), [^}]*\})");
    static const std::regex two(R"((\b(?:ld|st)\.[\w.]*)\.v2(\.b\d+)(.*)\{([^,]*), [^}]*\})");
    static const std::regex matrices(R"((ldmatrix\.[\w.]*)x4(.*)\{([^,]*), ([^,]*), [^}]*\})");
    static const std::regex copy(R"(cp\.async\.c[ag](.*), 16(, %r\d+)?;)"), expected(R"((mbarrier\.arrive\.expect_tx.*), [%\w]+;)");
    replace(FaultKind::width, four, "$1v2$2$3{$4, $5}");
    replace(FaultKind::width, two, "$1$2$3$4");
    replace(FaultKind::width, matrices, "$1x2$2{$3, $4}");
    replace(FaultKind::width, copy, "cp.async.ca$1, 8;");
    replace(FaultKind::width, expected, "$1, 16;");
  }

  void copies() {
    const std::string what = operation(lines[at]);
    if (what == "cp.async.wait_group" || what == "cp.async.wait_all" || what == "cp.async.commit_group" ||
        what.starts_with("cp.async.bulk.") || what.starts_with("fence.proxy.async"))
      add(FaultKind::copy_wait, "");
    static const std::regex left(R"(wait_group(\.read)?\s+(\d+);)"),
        ready(R"(mbarrier\.try_wait\.\S+(\s+\S+, \[[^\]]*\]), [%\w]+;)"), arrivals(R"((mbarrier\.init.*), [%\w]+;)");
    std::smatch match;
    if (std::regex_search(lines[at], match, left))
      replace(FaultKind::copy_wait, left, "wait_group$1 " + std::to_string(std::stoi(match[2]) + 1) + ";");
    replace(FaultKind::copy_wait, ready, "setp.eq.u32 done, 0, 0;");
    replace(FaultKind::copy_wait, ready, "mbarrier.try_wait.parity.shared::cta.b64$1, 0;");
    replace(FaultKind::copy_wait, arrivals, "$1, 2;");
    // How many bytes lie inside is the mask of a copy.
    static const std::regex inside(R"((cp\.async\.c[ag].*, 16), %r\d+;)");
    replace(FaultKind::dropped_mask, inside, "$1;");
  }

  Lines lines;
  std::size_t at = 0;
  std::vector<Fault> faults;
};

} // namespace

const char* name(FaultKind kind) {
  constexpr const char* names[fault_kinds] = {"dropped barrier",     "moved barrier",    "dropped mask",
                                              "inverted mask",       "wrong comparison", "wrong shuffle",
                                              "wrong shared offset", "wrong width",      "wrong wait for copies"};
  return names[static_cast<int>(kind)];
}

std::string Fault::describe() const {
  auto trimmed = [](std::string text) {
    for (char& character : text)
      character = character == '\t' ? ' ' : character;
    return text.substr(std::min(text.find_first_not_of(' '), text.size()));
  };
  std::string text = std::string(name(kind)) + ", PTX line " + std::to_string(line + 1) + ": " + trimmed(was);
  if (moved_before != 0)
    return text + " -> moved before line " + std::to_string(moved_before + 1);
  return text + " -> " + (is.empty() ? "nothing" : trimmed(is));
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);)
    lines.push_back(line);
  return lines;
}

std::string damaged(Lines lines, const Fault& fault) {
  std::string text;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (fault.moved_before != 0 && i == fault.moved_before)
      text += fault.is + "\n";
    if (i != fault.line)
      text += lines[i] + "\n";
    else if (fault.moved_before == 0)
      text += fault.is + "\n";
  }
  return text;
}

std::string probed(Lines lines, const Fault& fault) {
  return damaged(lines, {fault.kind, fault.line, fault.was, fault.probe, "", 0});
}

std::vector<Fault> faults_in(Lines lines) { return Finder(lines).run(); }

} // namespace tegula::test
