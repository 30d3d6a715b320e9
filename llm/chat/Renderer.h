// Renders the tree of a template.
#pragma once
#include "llm/chat/Loop.h"
#include "llm/chat/Scope.h"
#include "llm/chat/Tree.h"

namespace tegula::llm::jinja {

class Renderer {
public:
  /// `top` has the variables that a template starts with.
  Renderer(Run& run, Scope& top) : run_(run), top_(top), scope_(&top) {}

  /// What the template prints.
  Text render(const Body&);

private:
  /// How a part ended: at its end, or by leaving a loop or one turn of it.
  enum class Flow : std::uint8_t { on, leave, next };

  Flow run(const Body&);
  Flow run(const Words&);
  Flow run(const Output&);
  Flow run(const If&);
  Flow run(const For&);
  Flow run(const Set&);
  Flow run(const SetBody&);
  Flow run(const Macro&);
  Flow run(const With&);
  Flow run(const Break&) { return Flow::leave; }
  Flow run(const Continue&) { return Flow::next; }
  Flow run_scope(const Body&);
  void assign(const Target&, const Value&);
  /// What was assigned: of several names a tuple.
  Value gather(const Target&);
  void print(const Text&);

  Value evaluate(const Expression&);
  Value evaluate(const Constant& constant) { return constant.value; }
  Value evaluate(const Variable&);
  Value evaluate(const Sequence&);
  Value evaluate(const Mapping&);
  Value evaluate(const Attribute&);
  Value evaluate(const Item&);
  Value evaluate(const Slice&);
  Value evaluate(const Call&);
  Value evaluate(const LoopAttribute&);
  Value evaluate(const LoopCall&);
  Value evaluate(const Filtered&);
  Value evaluate(const Tested&);
  Value evaluate(const Negation&);
  Value evaluate(const Sign&);
  Value evaluate(const Logic&);
  Value evaluate(const Arithmetic&);
  Value evaluate(const Concatenation&);
  Value evaluate(const Comparison&);
  Value evaluate(const Conditional&);
  Arguments evaluate(const ArgumentList&);
  Value call(const Macro&, const Arguments&);

  Run& run_;
  Scope& top_;
  Scope* scope_;
  Loop* loop_ = nullptr; ///< the innermost
  Text* output_ = nullptr;
};

} // namespace tegula::llm::jinja
