#include "test/prove/Mutants.h"

#include <regex>

namespace tegula::test {

namespace {

class Mutator {
public:
  explicit Mutator(const std::string& ir) {
    for (std::size_t from = 0; from < ir.size();) {
      const std::size_t to = std::min(ir.find('\n', from), ir.size());
      lines_.push_back(ir.substr(from, to - from));
      from = to + 1;
    }
  }

  std::vector<Mutant> run() {
    for (line_ = 0; line_ < lines_.size(); ++line_) {
      constants();
      operators();
      comparisons();
      queries();
      loops();
      lists();
      dropped();
    }
    return std::move(mutants_);
  }

private:
  const std::string& text() const { return lines_[line_]; }

  void add(const std::string& what, const std::string& instead, const std::string& before = "") {
    std::string ir;
    for (std::size_t i = 0; i < lines_.size(); ++i)
      ir += (i == line_ ? before + instead : lines_[i]) + "\n";
    mutants_.push_back({"line " + std::to_string(line_ + 1) + " (" + text() + "): " + what, ir});
  }

  /// With a value that is one more or less.
  void shift(const std::string& what, const std::string& value, std::size_t at) {
    for (const char* op : {"add", "sub"}) {
      const std::string before =
          "%mutant_one = tile.constant 1 : i64\n%mutant = tile." + std::string(op) + " " + value + ", %mutant_one : i64\n";
      std::string instead = text();
      instead.replace(at, value.size(), "%mutant");
      add(what + (op[0] == 'a' ? " plus 1" : " minus 1"), instead, before);
    }
  }

  void constants() {
    std::smatch match;
    if (!std::regex_search(text(), match, std::regex(R"((tile\.constant )(-?\d+)( : i64))")))
      return;
    for (const int delta : {1, -1})
      add("a constant off by one", match.prefix().str() + match[1].str() + std::to_string(std::stoll(match[2].str()) + delta) +
                                       match[3].str() + match.suffix().str());
  }

  void operators() {
    std::smatch match;
    if (!std::regex_search(text(), match,
                           std::regex(R"(tile\.(add|sub|mul|div|rem|min|max) (%[^ ,]+), (%[^ ,]+) : (i64|tensor<\w*i\d+>))")))
      return;
    const std::string op = match[1].str(), a = match[2].str(), b = match[3].str(), type = match[4].str();
    const auto with = [&](const std::string& other, const std::string& x, const std::string& y) {
      add(other + " " + x + ", " + y,
          match.prefix().str() + "tile." + other + " " + x + ", " + y + " : " + type + match.suffix().str());
    };
    if (op == "sub" || op == "div" || op == "rem")
      with(op, b, a);
    const std::string others[][2] = {{"div", "rem"}, {"rem", "div"}, {"min", "max"}, {"max", "min"},
                                     {"add", "sub"}, {"sub", "add"}, {"mul", "add"}};
    for (const auto& pair : others)
      if (op == pair[0])
        with(pair[1], a, b);
  }

  void comparisons() {
    std::smatch match;
    if (!std::regex_search(text(), match, std::regex(R"((tile\.cmp )(eq|ne|lt|le|gt|ge)(, %[^ ]+, %[^ ]+ : i64))")))
      return;
    for (const char* other : {"lt", "le", "gt", "ge", "ne", "eq"})
      if (match[2].str() != other)
        add("compares by " + std::string(other),
            match.prefix().str() + match[1].str() + other + match[3].str() + match.suffix().str());
  }

  void queries() {
    std::smatch match;
    if (std::regex_search(text(), match, std::regex(R"((tile\.(dim|num_tiles|program_index) %[^ ]+ axis )(\d)( .*))")))
      for (int axis = 0; axis < 4; ++axis)
        if (std::to_string(axis) != match[3].str())
          add("asks for axis " + std::to_string(axis),
              match.prefix().str() + match[1].str() + std::to_string(axis) + match[4].str());
    for (const auto& [from, to] : {std::pair<std::string, std::string>{"tile.dim ", "tile.num_tiles "},
                                   {"tile.num_tiles ", "tile.dim "},
                                   {"tile.program_id ", "tile.num_programs "},
                                   {"tile.num_programs ", "tile.program_id "}})
      if (const std::size_t at = text().find(from); at != std::string::npos)
        add("another question", std::string(text()).replace(at, from.size(), to));
  }

  void loops() {
    std::smatch match;
    if (!std::regex_search(text(), match, std::regex(R"(scf\.for %[^ ]+ = (%[^ ]+) to (%[^ ]+) step (%[^ ]+))")))
      return;
    const char* names[] = {"", "the lower bound", "the upper bound", "the step"};
    for (std::size_t group = 1; group <= 3; ++group)
      shift(names[group], match[group].str(), static_cast<std::size_t>(match.position(group)));
    for (const auto& [a, b] : {std::pair{1, 2}, {1, 3}, {2, 3}}) {
      std::string instead = text();
      instead.replace(static_cast<std::size_t>(match.position(b)), match.length(b), match[a].str());
      instead.replace(static_cast<std::size_t>(match.position(a)), match.length(a), match[b].str());
      add(std::string(names[a]) + " and " + names[b] + " exchanged", instead);
    }
  }

  /// Index lists of accesses.
  void lists() {
    std::smatch match;
    if (!std::regex_search(text(), match,
                           std::regex(R"(tile\.(load|store|claim|gather|scatter|accumulate|accumulate_at) [^\[]*\[([^\]]+)\])")))
      return;
    const std::string list = match[2].str();
    const std::size_t first = mutants_.size();
    const auto start = static_cast<std::size_t>(match.position(2));
    std::vector<std::pair<std::size_t, std::string>> items;
    const std::regex item(R"(%[^ ,]+)");
    for (std::sregex_iterator i(list.begin(), list.end(), item), end; i != end; ++i)
      items.emplace_back(start + static_cast<std::size_t>(i->position()), i->str());
    for (const auto& [at, value] : items)
      shift("an index", value, at);
    for (std::size_t a = 0; a < items.size(); ++a)
      for (std::size_t b = a + 1; b < items.size(); ++b) {
        std::string instead = text();
        instead.replace(items[b].first, items[b].second.size(), items[a].second);
        instead.replace(items[a].first, items[a].second.size(), items[b].second);
        add("indices exchanged", instead);
      }
    if (match[1].str() == "claim") // its stores follow it
      for (std::size_t number = first; number < mutants_.size(); ++number)
        stores_follow(mutants_[number].ir, match[0].str(), list);
  }

  /// What is claimed is stored: at the same index.
  static void stores_follow(std::string& ir, const std::string& claim, const std::string& before) {
    const std::string head = claim.substr(0, claim.find('['));
    const std::size_t from = ir.find(head) + head.size() + 1;
    const std::string now = ir.substr(from, ir.find(']', from) - from);
    for (std::size_t at = ir.find("tile.store"); at != std::string::npos; at = ir.find("tile.store", at + 1))
      if (const std::size_t open = ir.find('[', at); ir.compare(open + 1, before.size() + 1, before + "]") == 0)
        ir.replace(open + 1, before.size(), now);
  }

  void dropped() {
    if (text().find("tile.expect") != std::string::npos)
      add("an expectation lost", "");
    std::smatch match;
    if (std::regex_search(text(), match, std::regex(R"(scf\.if (%[^ ]+))"))) {
      std::string instead = text();
      instead.replace(static_cast<std::size_t>(match.position(1)), match.length(1), "%mutant");
      add("a guard lost", instead, "%mutant = tile.constant true\n");
    }
  }

  std::vector<std::string> lines_;
  std::size_t line_ = 0;
  std::vector<Mutant> mutants_;
};

} // namespace

std::vector<Mutant> mutants_of(const std::string& tile_ir) { return Mutator(tile_ir).run(); }

} // namespace tegula::test
