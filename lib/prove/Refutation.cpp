#include "lib/prove/Refutation.h"

namespace tegula {

namespace {

std::string shape(const std::vector<std::int64_t>& extents) {
  std::string text;
  for (std::int64_t extent : extents)
    text += (text.empty() ? "" : "×") + std::to_string(extent);
  return text.empty() ? "scalar" : text;
}

std::string iterations(const std::vector<Witness::Loop>& loops) {
  std::string text;
  for (const Witness::Loop& loop : loops)
    text += ", iteration " + std::to_string(loop.value) + " of the loop at " + place(loop.location);
  return text;
}

std::string number(int parameter) { return "parameter " + std::to_string(parameter + 1); }

} // namespace

std::string tuple(const std::vector<std::int64_t>& numbers) {
  std::string text;
  for (std::int64_t x : numbers)
    text += (text.empty() ? "" : ", ") + std::to_string(x);
  return numbers.size() == 1 ? text : "(" + text + ")";
}

std::string describe_launch(const LaunchShape& launch) {
  std::string text;
  for (std::size_t i = 0; i < launch.parameters.size(); ++i) {
    const LaunchShape::Parameter& parameter = launch.parameters[i];
    text += (i ? "; " : "") + number(static_cast<int>(i)) + ": ";
    if (!parameter.offsets.empty()) {
      text += "offsets " + tuple(parameter.offsets);
      continue;
    }
    if (parameter.tile.empty() && parameter.extents.empty())
      text += std::to_string(parameter.value);
    else
      text += shape(parameter.extents) + " in tiles of " + shape(parameter.tile);
    if (!parameter.tile.empty() && parameter.value != 0)
      text += ", below " + std::to_string(parameter.value);
  }
  return text + "; " + std::to_string(launch.programs) + (launch.programs == 1 ? " program" : " programs");
}

std::string summary(const Witness& w) {
  if (w.kind == ObligationKind::disjoint)
    return "programs " + std::to_string(w.first_program) + " and " + std::to_string(w.second_program) + " write element " +
           tuple(w.element);
  if (w.kind == ObligationKind::covered)
    return "nobody writes element " + tuple(w.element);
  if (w.kind == ObligationKind::step)
    return "program " + std::to_string(w.first_program) + " steps by " + tuple(w.index);
  if (w.kind == ObligationKind::values)
    return "program " + std::to_string(w.first_program) + " stores " + tuple(w.index) + " as element " + tuple(w.element);
  return "program " + std::to_string(w.first_program) + " uses index " + tuple(w.index);
}

std::string advice(ObligationKind kind, const std::string& relation) {
  if (!relation.empty())
    return "write expects(" + relation + ", \"why\") at the top of the kernel, if it relies on that: then it is proved";
  switch (kind) {
  case ObligationKind::bounds:
    return "guard the access by a condition, or say what it relies on with expects()";
  case ObligationKind::disjoint:
    return "make the index differ wherever programs differ; scatter by a DistinctIndex; or combine with an accumulate-only output";
  case ObligationKind::covered:
    return "give every tile to a program, as my_tiles() does; or take the output as a Patch, which keeps what it held before";
  case ObligationKind::step:
    return "step by maximum(it, 1), or say what it relies on with expects()";
  case ObligationKind::sub_tile:
    return "guard it by a condition, or say what it relies on with expects()";
  case ObligationKind::values:
    return "store clamp(x, 0, bound() - 1), or say what it relies on with expects()";
  }
  return "";
}

std::string describe_refutation(const std::string& kernel, const Witness& w, const std::string& relation) {
  std::string text = place(w.location) + ": kernel '" + kernel + "': ", launch = "\n  launch: " + describe_launch(w.launch);
  std::string instead = "\n  instead: ";
  if (!relation.empty())
    instead += "if the kernel relies on it, write expects(" + relation + ", \"why\") at its top; or ";
  const std::string again = "\n  to see it run: tegula::replay(kernel)";
  if (w.kind == ObligationKind::disjoint) {
    text += "two programs write one element of " + number(w.parameter);
    text += "\n  program " + std::to_string(w.first_program) + " writes element " + tuple(w.element) + " at " + place(w.location) +
            iterations(w.first_loops);
    text +=
        "\n  program " + std::to_string(w.second_program) + " writes it, too, at " + place(w.other) + iterations(w.second_loops);
    return text + launch + instead + advice(w.kind, "") + again;
  }
  if (w.kind == ObligationKind::covered) {
    text += "part of " + number(w.parameter) + " is never written";
    text += "\n  no program writes element " + tuple(w.element) + "; the stores are at " + place(w.location);
    return text + launch + instead + advice(w.kind, "") + again;
  }
  if (w.kind == ObligationKind::step) {
    text += "the step of a loop is not positive";
    text += "\n  " + summary(w) + " at " + place(w.location) + iterations(w.first_loops);
    return text + launch + instead + advice(w.kind, "") + again;
  }
  if (w.kind == ObligationKind::sub_tile) {
    text += "a sub-tile lies outside its tile";
    text += "\n  " + summary(w) + " along axis " + std::to_string(w.axis) + " at " + place(w.location) + iterations(w.first_loops);
    text += "\n  there the tile has " + std::to_string(w.sub_tiles) + (w.sub_tiles == 1 ? " sub-tile" : " sub-tiles");
    return text + launch + instead + advice(w.kind, "") + again;
  }
  if (w.kind == ObligationKind::values) {
    text += "a value of " + number(w.parameter) + " is not below its bound";
    text += "\n  " + summary(w) + " at " + place(w.location) + iterations(w.first_loops);
    text += "\n  there the values must be in [0, " +
            std::to_string(w.launch.parameters[static_cast<std::size_t>(w.parameter)].value) + ")";
    return text + launch + instead + advice(w.kind, "") + again;
  }
  const LaunchShape::Parameter& tensor = w.launch.parameters[static_cast<std::size_t>(w.parameter)];
  const auto axis = static_cast<std::size_t>(w.axis);
  const std::int64_t extent = tensor.extents[axis], tile = tensor.tile[axis];
  text += "an access misses " + number(w.parameter);
  text += "\n  program " + std::to_string(w.first_program) + " uses " + (w.counts_elements ? "element " : "index ") +
          tuple(w.index) + " along axis " + std::to_string(w.axis) + " at " + place(w.location) + iterations(w.first_loops);
  text += "\n  there the tensor has extent " + std::to_string(extent);
  if (!w.counts_elements)
    text += ", which is " + std::to_string((extent + tile - 1) / tile) + (extent > 0 && extent <= tile ? " tile" : " tiles");
  const std::string limit = (w.counts_elements ? "extent(" : "count(") + std::to_string(w.axis) + ")";
  return text + launch + instead + "keep the index below " + limit +
         ", guard the access with if_, say what you rely on with expects(), or read with or_padding" + again;
}

} // namespace tegula
