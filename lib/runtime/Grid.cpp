#include "lib/runtime/Grid.h"
#include "lib/runtime/Buffer.h"
#include "tegula/error.hpp"

#include <algorithm>

namespace tegula::host {
namespace {

enum class Share { none, one_piece, several, all };

/// What one program has of a parameter that it writes.
Share share_of(const trace::Parameter& parameter) {
  if (!parameter.is_view())
    return Share::none;
  switch (parameter.kind) {
  case ParameterKind::in:
  case ParameterKind::index:
  case ParameterKind::distinct:
  case ParameterKind::index_or_none:
  case ParameterKind::distinct_or_none:
  case ParameterKind::offsets:
    return Share::none;
  case ParameterKind::out:
  case ParameterKind::inout:
  case ParameterKind::out_index:
    return Share::one_piece;
  case ParameterKind::outs:
  case ParameterKind::patch:
    return Share::several;
  default:
    return Share::all;
  }
}

/// Tiles per axis.
std::vector<i64> grid_of(const Argument& output, const std::vector<i64>& tile) {
  std::vector<i64> grid;
  for (std::size_t axis = 0; axis < tile.size(); ++axis) {
    const i64 extent = output.view.extents[axis];
    grid.push_back(extent / tile[axis] + (extent % tile[axis] != 0));
  }
  return grid;
}

/// Pieces are numbered in row-major order, so axes with one piece make no difference.
std::vector<i64> significant(std::vector<i64> grid) {
  std::erase(grid, 1);
  return grid;
}

class Grid {
public:
  Grid(const KernelState& kernel, const trace::Record& record, const Argument* arguments, i64 asked)
      : kernel_(kernel), record_(record), arguments_(arguments), asked_(asked) {
    if (asked < 0)
      throw LaunchError(kernel.refusal() + "it asks for programs(" + std::to_string(asked) + "); programs(0) means one per core");
  }

  void add(int i, Share share) {
    const std::vector<i64> grid = grid_of(arguments_[i], tile(i));
    if (share == Share::one_piece)
      return add_pieces(i, grid);
    const i64 tiles = count(static_cast<int>(grid.size()), grid.data());
    if (share == Share::all)
      most_accumulated_ = std::max(most_accumulated_, tiles);
    else if (tiles > 0) {
      tiles_dealt_out_ += tiles;
      dealt_out_ = dealt_out_ < 0 ? i : dealt_out_;
    }
  }

  i64 programs(int parallelism) const {
    if (pieces_ >= 0)
      return programs_of_pieces();
    const i64 most = tiles_dealt_out_ > 0 ? tiles_dealt_out_ : most_accumulated_;
    if (most == 0)
      return 0;
    return asked_ > 0 ? asked_ : std::min<i64>(parallelism, most);
  }

private:
  const std::vector<i64>& tile(int i) const { return record_.parameters[static_cast<std::size_t>(i)].type.shape; }

  std::string text(int i, const std::vector<i64>& grid) const {
    const int rank = static_cast<int>(grid.size());
    return parameter_name(i) + " (" + shape_text(rank, arguments_[i].view.extents) + " in tiles of " +
           shape_text(rank, tile(i).data()) + ") has " + shape_text(rank, grid.data()) + " tiles";
  }

  void add_pieces(int i, const std::vector<i64>& grid) {
    if (pieces_ < 0) {
      pieces_ = i;
      grid_ = grid;
    } else if (significant(grid) != significant(grid_)) {
      throw LaunchError(kernel_.refusal() + text(pieces_, grid_) + ", " + text(i, grid) + "; each program writes one of each");
    }
  }

  i64 programs_of_pieces() const {
    const i64 programs = count(static_cast<int>(grid_.size()), grid_.data());
    if (asked_ > 0 && asked_ != programs)
      throw LaunchError(kernel_.refusal() + "it asks for programs(" + std::to_string(asked_) + "), but " + text(pieces_, grid_) +
                        ", which makes " + std::to_string(programs));
    if (programs == 0 && dealt_out_ >= 0)
      throw LaunchError(kernel_.refusal() + text(pieces_, grid_) + ", so there is no program that could write " +
                        parameter_name(dealt_out_));
    return programs;
  }

  const KernelState& kernel_;
  const trace::Record& record_;
  const Argument* arguments_;
  i64 asked_;
  int pieces_ = -1, dealt_out_ = -1; // parameters
  std::vector<i64> grid_;            // of `pieces_`
  i64 tiles_dealt_out_ = 0, most_accumulated_ = 0;
};

} // namespace

i64 count_programs(const KernelState& kernel, const trace::Record& record, const Argument* arguments, int n, i64 asked,
                   int parallelism) {
  Grid grid(kernel, record, arguments, asked);
  for (int i = 0; i < n; ++i)
    if (const Share share = share_of(record.parameters[static_cast<std::size_t>(i)]); share != Share::none)
      grid.add(i, share);
  return grid.programs(parallelism);
}

} // namespace tegula::host
