#include "tools/tegula/Tokens.h"

#include <algorithm>
#include <cctype>
#include <utility>

namespace tegula {

namespace {

bool starts_name(char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_' || (c & 0x80); }
bool continues_name(char c) { return starts_name(c) || std::isdigit(static_cast<unsigned char>(c)); }

class Tokenizer {
public:
  /// Lines that end in a backslash are joined first, as the language says.
  explicit Tokenizer(std::string_view source) {
    unsigned line = 1;
    for (std::size_t i = 0; i < source.size(); ++i) {
      if (source[i] == '\\') {
        const std::size_t end = source.substr(i + 1).starts_with("\r\n") ? i + 2 : i + 1;
        if (end < source.size() && source[end] == '\n') {
          i = end;
          ++line;
          continue;
        }
      }
      text_ += source[i];
      lines_.push_back(line);
      line += source[i] == '\n';
    }
  }

  std::vector<Token> run() && {
    while (at_ < text_.size())
      step();
    return std::move(tokens_);
  }

private:
  char peek(std::size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }
  bool next_is(std::string_view what) const { return std::string_view(text_).substr(at_).starts_with(what); }

  void step() {
    const char c = peek();
    if (c == '\n')
      ++at_, fresh_line_ = true, directive_ = false;
    else if (std::isspace(static_cast<unsigned char>(c)))
      ++at_;
    else if (next_is("//"))
      at_ = std::min(text_.find('\n', at_), text_.size());
    else if (next_is("/*"))
      skip_past("*/", at_ + 2);
    else
      token(c);
  }

  void token(char c) {
    if (c == '#' && fresh_line_)
      directive_ = true;
    fresh_line_ = false;
    if (starts_name(c))
      name();
    else if (std::isdigit(static_cast<unsigned char>(c)) || (c == '.' && std::isdigit(static_cast<unsigned char>(peek(1)))))
      number();
    else if (c == '"')
      string(at_);
    else if (c == '\'')
      quoted('\'');
    else
      add(Token::Kind::other, at_, next_is("::") || next_is("->") ? 2 : 1);
  }

  void name() {
    const std::size_t begin = at_;
    while (continues_name(peek()))
      ++at_;
    const std::string_view word = std::string_view(text_).substr(begin, at_ - begin);
    if (peek() == '"' && (word == "R" || word == "u8R" || word == "uR" || word == "UR" || word == "LR"))
      raw_string(begin);
    else if (peek() == '"' && (word == "u8" || word == "u" || word == "U" || word == "L"))
      string(begin);
    else
      push(Token::Kind::name, begin, word);
  }

  /// With separators and exponents, so that no ' of a number opens a character: 1'000'000, 0x1p-3.
  void number() {
    const std::size_t begin = at_;
    while (continues_name(peek()) || peek() == '.' || (peek() == '\'' && continues_name(peek(1))) ||
           ((peek() == '+' || peek() == '-') && std::string_view("eEpP").find(text_[at_ - 1]) != std::string_view::npos))
      ++at_;
    push(Token::Kind::other, begin, std::string_view(text_).substr(begin, at_ - begin));
  }

  void string(std::size_t begin) {
    const std::size_t first = at_ + 1;
    const std::size_t last = quoted('"');
    push(Token::Kind::string, begin, std::string_view(text_).substr(first, last - first));
  }

  /// R"mark( ... )mark"
  void raw_string(std::size_t begin) {
    const std::size_t open = std::min(text_.find('(', at_), text_.size());
    const std::string close = ")" + text_.substr(at_ + 1, open - at_ - 1) + "\"";
    const std::size_t first = std::min(open + 1, text_.size()), last = std::min(text_.find(close, first), text_.size());
    push(Token::Kind::string, begin, std::string_view(text_).substr(first, last - first));
    skip_past(close, first);
  }

  /// Skips a literal and returns where its closing quote is. One that is not closed ends with its line.
  std::size_t quoted(char quote) {
    for (++at_; at_ < text_.size() && peek() != quote && peek() != '\n'; ++at_)
      at_ += peek() == '\\' && peek(1) != '\n';
    const std::size_t end = std::min(at_, text_.size());
    at_ = end + (peek() == quote ? 1 : 0);
    return end;
  }

  void skip_past(std::string_view what, std::size_t from) {
    const std::size_t end = text_.find(what, from);
    at_ = end == std::string::npos ? text_.size() : end + what.size();
  }
  void add(Token::Kind kind, std::size_t begin, std::size_t length) {
    push(kind, begin, std::string_view(text_).substr(begin, length));
    at_ = begin + length;
  }
  void push(Token::Kind kind, std::size_t begin, std::string_view text) {
    tokens_.push_back({kind, std::string(text), lines_[begin], directive_});
  }

  std::string text_;
  std::vector<unsigned> lines_; // of each character of text_
  std::vector<Token> tokens_;
  std::size_t at_ = 0;
  bool fresh_line_ = true, directive_ = false;
};

} // namespace

std::vector<Token> tokens_of(std::string_view source) { return Tokenizer(source).run(); }

} // namespace tegula
