// Random small kernels: right ones by their pattern, and nearly right ones by a disturbance here and there.
#pragma once
#include "test/support/Inputs.h"

#include <functional>
#include <string>
#include <vector>

namespace tegula::test {

/// "%a, %b"
std::string join(const std::vector<std::string>& names);
/// "tensor<2x4xi32>", or "i32" for no axes.
std::string tile_type(const std::vector<std::int64_t>& shape, const std::string& element);

class Generator {
public:
  /// `scale`: how many times larger than 4 elements a tile may be along an axis.
  explicit Generator(std::uint64_t seed, std::int64_t scale = 1) : r(seed), apart(seed + 1), scale(scale) {}
  /// Tile IR, one operation a line.
  std::string kernel();

private:
  struct View {
    std::string name, kind, element;
    std::vector<std::int64_t> tile;
    int rank() const { return static_cast<int>(tile.size()); }
    bool is_distinct() const { return kind == "distinct" || kind == "distinct_or_none"; }
    /// Holds positions that are certified.
    bool is_index() const { return is_distinct() || kind == "index" || kind == "index_or_none"; }
    /// Of a tile, along the other axes.
    std::int64_t elements_beside(int axis) const;
    std::string type() const;
  };
  using Index = std::vector<std::string>;

  // Generator.cpp: text, values, disturbances.
  void line(const std::string& text) { body += std::string(static_cast<std::size_t>(2 * depth), ' ') + text + "\n"; }
  std::string fresh() { return "%v" + std::to_string(next++); }
  std::string emit(const std::string& text);
  /// What is named inside is forgotten afterwards.
  void scoped(const std::function<void()>& inside);
  void block(const std::string& head, const std::function<void()>& inside, const std::string& tail = "}");
  std::string constant(std::int64_t number, const std::string& type = "i64");
  std::string binary(std::string op, std::string a, std::string b);
  std::string compare(std::string predicate, std::string a, std::string b);
  std::string dim(const View& view, int axis);
  std::string count(const View& view, int axis);
  std::string total(const View& view);
  std::string ceil_div(const std::string& a, const std::string& b);
  std::string clamp(const std::string& x, const std::string& count);
  std::string narrowed(const std::string& x);
  std::string disturbed(const std::string& x);
  std::string use(const std::string& x) { return r.chance(noise) ? disturbed(x) : x; }
  std::string any() { return r.pick(scope); }
  std::string expression(int levels);
  std::string chosen(const std::string& x);
  std::string read_number();
  std::string counted();
  void loop(const std::string& low, const std::string& high, const std::string& step,
            const std::function<void(const std::string&)>& inside);
  void dealt(const std::string& high, const std::function<void(const std::string&)>& inside);
  void only_if(const std::string& flag, const std::function<void()>& inside, const std::function<void()>& otherwise = nullptr);

  // GeneratorFlags.cpp: what branches hang on.
  std::string any_float();
  std::string other_flag(int levels);
  std::string condition(const std::string& a, int levels = 1);

  // GeneratorKernel.cpp: parameters, and the whole.
  std::int64_t extent(std::int64_t elements_beside);
  View& add_view(const std::string& kind, int rank, const std::string& element);
  void add_views();
  void add_scalars();
  void name_uniforms();
  void expect();
  void store_piece(const View& view);
  void write(const View& view);

  // GeneratorValues.cpp: what is written, and what becomes of what is read.
  std::string new_tile(const std::vector<std::int64_t>& shape);
  void store(const View& view, const Index& index);
  void store_at(const View& view, const Index& rest, const std::string& positions, std::int64_t size, const std::string& type,
                int axis);
  void digest(const std::string& tile, std::vector<std::int64_t> shape, const std::string& element);
  void rewrite(const View& view, const Index& index);
  void store_at_own_positions(const View& view, const Index& index);
  void perhaps_twice(const std::function<void()>& write);

  // GeneratorOutputs.cpp: who writes what.
  Index unflatten(const std::string& number, const View& view);
  Index split(const std::string& number, const View& view);
  void claim(const View& view, const Index& index);
  void claim_number(const View& view, const std::string& number);
  void cover(const View& view);
  void cover_by_loops(const View& view, int dealt_axis);
  void cover_by_while(const View& view);
  void cover_by_counter(const View& view);
  void cover_grouped(const View& view);
  void cover_in_parts(const View& view, int way);
  std::string offset(const View& offsets, const std::string& at);
  void cover_by_segments(const View& view, const View& offsets);
  void scatter(const View& view);

  // GeneratorAccesses.cpp: who reads what.
  void accesses(const Index& index);
  void sub_tile(const Index& index);
  void load(const View& view, const Index& index);
  void gather(const View& view, const Index& index);
  std::string half_pairs(const std::vector<std::int64_t>& sizes, std::size_t axis, const std::string& near, std::string& type);
  void gather_pairs(const View& view, const Index& index);
  void accumulate(const View& view, const Index& index);
  std::string positions(std::int64_t size, const View* into, const std::string& near, std::string& type);
  std::string place(const View& view, int axis, const Index& index, bool& needs_guard, std::string& guard);
  std::string first_element(const View& view, int axis, const Index& index, bool& needs_guard, std::string& guard);

  Random r, apart; // the second is for sub-tiles, which leave the rest of a kernel as it is without them
  std::int64_t scale;
  int noise = 0, next = 0, depth = 1, nesting = 0, writes = 0;
  std::string body;
  std::vector<View> views;
  std::vector<std::string> parameters, scope, uniforms;
  std::vector<std::string> flags, floats; // scalars of the launch
  std::vector<std::string> sums;          // of tiles that were read, i32
  std::string program, programs;
  std::string digest_name; // the view that all sums are added to; empty if nothing is read
};

} // namespace tegula::test
