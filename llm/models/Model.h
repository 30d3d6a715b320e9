// What the engine needs of a model, whatever its family.
#pragma once
#include "llm/models/Pages.h"
#include "tegula/tegula.hpp"

#include <vector>

namespace tegula::llm {

/// Keys and values of one layer, [pages, kv heads, tokens of a page, width of a head].
struct LayerCache {
  Tensor<bf16, 4> keys, values;
};
/// Of all layers.
using Cache = std::vector<LayerCache>;

/// Where the tokens of sequences are in the cache. No page is in the table twice.
struct Pages {
  Certified<i32, 2> table;  // [slots, most pages of a sequence]: -1 for none
  Tensor<f32, 3> rotations; // [positions, 2, width of a head]: of queries and keys
};

/// One row for each sequence of a batch; no slot is in it twice.
struct Sequences {
  Certified<i32, 1> slots;  // -1 for a row that is not used
  Tensor<i32, 1> positions; // of the next token of each
};

/// New tokens of sequences, one segment of rows each.
struct Segments {
  Certified<i32, 1> offsets;
  Certified<i32, 1> places; // of each row: page_tokens · page + token of the page, -1 for none
};

/// It does not change. Its functions start work on a queue, or record it, and return at once.
class Model {
public:
  virtual ~Model() = default;

  virtual const Device& device() const = 0;
  /// Ids of tokens are below it.
  virtual i64 vocabulary() const = 0;
  /// No sequence has more tokens.
  virtual i64 positions() const = 0;

  virtual Cache make_cache(i64 pages) const = 0;
  /// For positions up to a number: how queries and keys are turned.
  virtual Tensor<f32, 3> make_rotations(i64 positions) const = 0;

  /// One token for each sequence. Returns its logits, [sequences, vocabulary], and moves the positions on.
  virtual Tensor<f32, 2> decode(const Queue&, const Certified<i32, 1>& tokens, Cache&, const Pages&, Sequences&) const = 0;
  /// Many tokens for each sequence. Returns the logits of the last one of each.
  virtual Tensor<f32, 2> prefill(const Queue&, const Certified<i32, 1>& tokens, const Segments&, Cache&, const Pages&,
                                 Sequences&) const = 0;

protected:
  Model() = default;
  Model(Model&&) = default;
};

} // namespace tegula::llm
