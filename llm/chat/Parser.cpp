#include "llm/chat/Parser.h"
#include "llm/chat/ExpressionParser.h"

#include <algorithm>
#include <initializer_list>

namespace tegula::llm::jinja {
namespace {

using Kind = Token::Kind;
using Ends = std::initializer_list<std::string_view>;

class Parser {
public:
  Parser(const std::string& name, const std::vector<Token>& tokens) : parser_(name, tokens) {}

  Body parse() { return parse_body({}); }

private:
  /// Up to a tag that starts with one of `ends`, of which the `{%` is taken.
  Body parse_body(Ends ends) {
    const ExpressionParser::Level level(parser_);
    Body body;
    while (!parser_.sees(Kind::end)) {
      const Token first = parser_.take();
      if (first.kind == Kind::words) {
        body.push_back({first.at, Words{Text::of_template(first.text)}});
      } else if (first.kind == Kind::output) {
        const Position at = parser_.token().at;
        body.push_back({at, Output{parser_.parse_tuple()}});
        parser_.expect(Kind::output_end, "'}}'");
      } else {
        if (parser_.sees(Kind::name) && std::ranges::find(ends, parser_.token().text) != ends.end())
          return body;
        body.push_back(parse_statement());
        parser_.expect(Kind::block_end, "'%}'");
      }
    }
    return body;
  }

  /// The body of `tag`, which started `at`, up to one of `ends`.
  Body parse_body_of(std::string_view tag, Position at, Ends ends) {
    parser_.skip_symbol(":");
    parser_.expect(Kind::block_end, "'%}'");
    Body body = parse_body(ends);
    if (parser_.sees(Kind::end))
      parser_.fail(at, "this '" + std::string(tag) + "' has no end; close it with '{% " +
                           std::string(std::data(ends)[ends.size() - 1]) + " %}'");
    return body;
  }

  /// The same, where what is set in it is not seen outside.
  Body parse_scope_of(std::string_view tag, Position at, Ends ends) {
    ++scopes_;
    Body body = parse_body_of(tag, at, ends);
    --scopes_;
    return body;
  }

  Statement parse_statement() {
    const Position at = parser_.token().at;
    if (parser_.skip_name("if"))
      return {at, parse_if(at)};
    if (parser_.skip_name("for"))
      return {at, parse_for(at)};
    if (parser_.skip_name("set"))
      return {at, parse_set(at)};
    if (parser_.skip_name("macro"))
      return {at, parse_macro(at)};
    if (parser_.skip_name("with"))
      return {at, parse_with(at)};
    if (parser_.skip_name("generation"))
      return {at, parse_generation(at)};
    const bool breaks = parser_.sees_name("break");
    if (!breaks && !parser_.sees_name("continue"))
      fail_unknown_tag();
    if (!breakable_)
      parser_.fail(at, "'" + parser_.token().text + "' is of use in a for loop only");
    parser_.take();
    return breaks ? Statement{at, Break{}} : Statement{at, Continue{}};
  }

  [[noreturn]] void fail_unknown_tag() {
    if (!parser_.sees(Kind::name))
      parser_.fail_unexpected("the name of a tag");
    const std::string& name = parser_.token().text;
    if (name.starts_with("end") || name == "else" || name == "elif")
      parser_.fail(parser_.token().at, "there is nothing open that '" + name + "' could belong to");
    parser_.fail(parser_.token().at, "the tag '" + name +
                                         "' is not supported; there are break, continue, for, generation, if, macro, " +
                                         "raw, set and with");
  }

  If parse_if(Position at) {
    If statement;
    while (true) {
      ExpressionPointer condition = parser_.parse_tuple(false);
      Body body = parse_body_of("if", at, {"elif", "else", "endif"});
      statement.branches.emplace_back(std::move(condition), std::move(body));
      const std::string end = parser_.take().text;
      if (end == "elif")
        continue;
      if (end == "else") {
        statement.otherwise = parse_body_of("if", at, {"endif"});
        parser_.take();
      }
      return statement;
    }
  }

  For parse_for(Position at) {
    For loop;
    loop.target = parse_targets(false);
    if (!parser_.skip_name("in"))
      parser_.fail_unexpected("'in'");
    loop.over = parser_.parse_tuple(false);
    if (parser_.skip_name("if"))
      loop.condition = parser_.parse_expression();
    if (parser_.sees_name("recursive"))
      parser_.fail(parser_.token().at, "recursive loops are not supported");
    const bool breakable = std::exchange(breakable_, true);
    ++parser_.loops;
    loop.body = parse_scope_of("for", at, {"else", "endfor"});
    --parser_.loops;
    breakable_ = breakable;
    if (parser_.take().text == "else") {
      loop.otherwise = parse_scope_of("for", at, {"endfor"});
      parser_.take();
    }
    return loop;
  }

  Statement::Content parse_set(Position at) {
    Target target = parse_targets(true);
    if (parser_.skip_symbol("="))
      return Set{std::move(target), parser_.parse_tuple()};
    SetBody block{std::move(target), {}, {}};
    while (parser_.skip_symbol("|"))
      block.filters.push_back(parser_.parse_filter(nullptr));
    block.body = parse_scope_of("set", at, {"endset"});
    parser_.take();
    return block;
  }

  Macro parse_macro(Position at) {
    if (scopes_ > 0)
      parser_.fail(at, "a macro within a loop, a macro or another scope is not supported; define it at the top");
    Macro macro;
    macro.name = parser_.expect_name("the name of the macro");
    parser_.expect_symbol("(");
    while (!parser_.skip_symbol(")")) {
      if (!macro.parameters.empty())
        parser_.expect_symbol(",");
      const Position parameter = parser_.token().at;
      macro.parameters.push_back(parser_.expect_name("the name of a parameter"));
      if (parser_.skip_symbol("="))
        macro.defaults.push_back(parser_.parse_expression());
      else if (!macro.defaults.empty())
        parser_.fail(parameter, "a parameter without a default value cannot follow one that has one");
    }
    macro.body = parse_scope_of("macro", at, {"endmacro"});
    parser_.take();
    return macro;
  }

  With parse_with(Position at) {
    With scope;
    while (!parser_.sees(Kind::block_end)) {
      if (!scope.values.empty())
        parser_.expect_symbol(",");
      Target target = parse_target(false);
      parser_.expect_symbol("=");
      scope.values.emplace_back(std::move(target), parser_.parse_expression());
    }
    scope.body = parse_scope_of("with", at, {"endwith"});
    parser_.take();
    return scope;
  }

  /// What transformers marks as made by the model. To the text it is a scope, which `break` cannot leave.
  With parse_generation(Position at) {
    With scope;
    const bool breakable = std::exchange(breakable_, false);
    scope.body = parse_scope_of("generation", at, {"endgeneration"});
    breakable_ = breakable;
    parser_.take();
    return scope;
  }

  Target parse_targets(bool namespaces) {
    Target first = parse_target(namespaces);
    if (!parser_.sees_symbol(","))
      return first;
    Target all{first.at, {}, {}, {}};
    all.parts.push_back(std::move(first));
    while (parser_.skip_symbol(",") && (parser_.sees(Kind::name) || parser_.sees_symbol("(")) && !parser_.sees_name("in"))
      all.parts.push_back(parse_target(namespaces));
    return all;
  }

  Target parse_target(bool namespaces) {
    const ExpressionParser::Level level(parser_);
    const Position at = parser_.token().at;
    if (parser_.skip_symbol("(")) {
      Target inner = parse_targets(namespaces);
      parser_.expect_symbol(")");
      return inner;
    }
    const std::string name = parser_.expect_name("the name of a variable");
    for (const std::string_view taken : {"true", "True", "false", "False", "none", "None"})
      if (name == taken)
        parser_.fail(at, "'" + name + "' is a value, and cannot be set");
    if (name == "loop" && parser_.loops > 0)
      parser_.fail(at, "'loop' cannot be set in a loop, which sets it");
    std::string attribute;
    if (namespaces && parser_.skip_symbol("."))
      attribute = parser_.expect_name("the name of an attribute");
    return {at, name, attribute, {}};
  }

  ExpressionParser parser_;
  bool breakable_ = false; ///< whether `break` has a loop to leave
  int scopes_ = 0;         ///< around what is being parsed
};

} // namespace

Body parse(const std::string& name, std::string_view source) {
  const std::vector<Token> tokens = tokenize(name, source);
  return Parser(name, tokens).parse();
}

} // namespace tegula::llm::jinja
