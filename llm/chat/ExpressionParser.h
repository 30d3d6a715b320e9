// The parser of what stands inside of tags.
#pragma once
#include "llm/chat/Lexer.h"
#include "llm/chat/Tree.h"

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace tegula::llm::jinja {

class ExpressionParser {
public:
  ExpressionParser(const std::string& name, const std::vector<Token>& tokens) : name_(name), tokens_(tokens) {}

  /// `a, b` is a tuple, and so is `a,`. Without `conditions`, an `if` belongs to what follows.
  ExpressionPointer parse_tuple(bool conditions = true);
  ExpressionPointer parse_expression(bool conditions = true);
  /// `name(arguments)`, behind a `|`.
  Filtered parse_filter(ExpressionPointer of);

  const Token& token() const { return tokens_[next_]; }
  Token take() { return tokens_[next_].kind == Token::Kind::end ? tokens_[next_] : tokens_[next_++]; }
  bool sees(Token::Kind kind) const { return token().kind == kind; }
  bool sees_symbol(std::string_view text, std::size_t ahead = 0) const { return is(Token::Kind::symbol, text, ahead); }
  bool sees_name(std::string_view text, std::size_t ahead = 0) const { return is(Token::Kind::name, text, ahead); }
  bool skip_symbol(std::string_view text) { return sees_symbol(text) && advance(); }
  bool skip_name(std::string_view text) { return sees_name(text) && advance(); }
  void expect_symbol(std::string_view text);
  void expect(Token::Kind, std::string_view what);
  std::string expect_name(std::string_view what);
  [[noreturn]] void fail(Position at, const std::string& message) const;
  [[noreturn]] void fail_unexpected(std::string_view wanted) const;

  /// How many for loops there are around, in which `loop` means the innermost.
  int loops = 0;

  /// While one exists, what is parsed is one level deeper.
  class Level {
  public:
    explicit Level(ExpressionParser& parser);
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;
    ~Level() { --parser_.depth_; }

  private:
    ExpressionParser& parser_;
  };

private:
  bool is(Token::Kind kind, std::string_view text, std::size_t ahead) const {
    const Token& seen = tokens_[std::min(next_ + ahead, tokens_.size() - 1)];
    return seen.kind == kind && seen.text == text;
  }
  bool advance() {
    ++next_;
    return true;
  }
  bool ends_tuple() const;

  ExpressionPointer parse_or();
  ExpressionPointer parse_and();
  ExpressionPointer parse_not();
  ExpressionPointer parse_comparison();
  ExpressionPointer parse_sum();
  ExpressionPointer parse_concatenation();
  ExpressionPointer parse_product();
  ExpressionPointer parse_power();
  ExpressionPointer parse_unary(bool filters);
  ExpressionPointer parse_primary();
  ExpressionPointer parse_name();
  ExpressionPointer parse_list();
  ExpressionPointer parse_dict();
  ExpressionPointer parse_postfix(ExpressionPointer);
  ExpressionPointer parse_filters(ExpressionPointer);
  ExpressionPointer parse_attribute(ExpressionPointer of);
  ExpressionPointer parse_subscript(ExpressionPointer of);
  ExpressionPointer parse_call(ExpressionPointer callee);
  ExpressionPointer parse_test(ExpressionPointer of);
  ArgumentList parse_arguments();
  ArgumentList parse_test_arguments();
  /// Of a filter that applies another filter or a test: whether there is the one that it names.
  void check_named(const Filtered&) const;

  const std::string& name_;
  const std::vector<Token>& tokens_;
  std::size_t next_ = 0;
  int depth_ = 0;
};

} // namespace tegula::llm::jinja
