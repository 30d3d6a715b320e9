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
  explicit Generator(std::uint64_t seed) : r(seed) {}
  /// Tile IR, one operation a line.
  std::string kernel();

private:
  struct View {
    std::string name, kind, element;
    std::vector<std::int64_t> tile;
    int rank() const { return static_cast<int>(tile.size()); }
    std::string type() const;
  };
  using Index = std::vector<std::string>;

  // Generator.cpp: text, values, disturbances.
  void line(const std::string& text) { body += std::string(static_cast<std::size_t>(2 * depth), ' ') + text + "\n"; }
  std::string fresh() { return "%v" + std::to_string(next++); }
  std::string emit(const std::string& text);
  void block(const std::string& head, const std::function<void()>& inside, const std::string& tail = "}");
  std::string constant(std::int64_t number, const std::string& type = "i64");
  std::string binary(std::string op, std::string a, std::string b);
  std::string compare(std::string predicate, std::string a, std::string b);
  std::string condition(const std::string& a, int levels = 1);
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
  std::string make_tile(const std::vector<std::int64_t>& shape, const std::string& element, const std::string& number = "0");
  View& add_view(const std::string& kind, int rank, const std::string& element);
  void expect();

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
  void scatter(const View& view);

  // GeneratorAccesses.cpp: who reads what.
  void accesses(const Index& index);
  void load(const View& view, const Index& index);
  void gather(const View& view, const Index& index);
  void accumulate(const View& view, const Index& index);
  std::string positions(std::int64_t size, const View* into, const std::string& near, std::string& type);
  std::string place(const View& view, int axis, const Index& index, bool& needs_guard, std::string& guard);
  std::string first_element(const View& view, int axis, const Index& index, bool& needs_guard, std::string& guard);

  Random r;
  int noise = 0, next = 0, depth = 1, nesting = 0;
  std::string body;
  std::vector<View> views;
  std::vector<std::string> parameters, scope, uniforms;
  std::string program, programs;
};

} // namespace tegula::test
