// Arguments of a command: words by their place, and options by their name.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tegula {

/// Options are taken out by name; check_all_taken() then names what is left over. Each function throws a UsageError that names the
/// word that is wrong.
class Arguments {
public:
  explicit Arguments(std::vector<std::string> words) : words_(std::move(words)) {}

  /// Whether the option is there.
  bool flag(std::string_view name);
  /// What stands behind the option, as "--seed 7" or "--seed=7".
  std::optional<std::string> text(std::string_view name);
  std::optional<double> number(std::string_view name, double least, double most);
  std::optional<std::int64_t> whole(std::string_view name, std::int64_t least, std::int64_t most);
  /// The next word that is no option; `what` it is, for an error if there is none.
  std::string word(std::string_view what);
  void check_all_taken() const;

private:
  std::vector<std::string> words_;
};

struct UsageError {
  std::string text;
};

} // namespace tegula
