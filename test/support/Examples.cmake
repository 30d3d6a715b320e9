# Writes test/support/Examples.h: the examples, which are programs, as namespaces. example_01::run() is what 01_hello does.
# What they include is included first: inside of a namespace it must find nothing left to declare.
set(headers)
set(programs)
set(table)
foreach(name IN LISTS TEGULA_EXAMPLES)
  file(STRINGS ${PROJECT_SOURCE_DIR}/examples/${name}.cpp included REGEX "^#include ")
  list(TRANSFORM included REPLACE "\"(.*)\"" "\"examples/\\1\"")
  list(APPEND headers ${included})
  string(SUBSTRING ${name} 0 2 number)
  string(APPEND programs "namespace example_${number} {\n#include \"examples/${name}.cpp\"\n}\n")
  string(APPEND table "    {\"${name}\", example_${number}::run},\n")
endforeach()
list(REMOVE_DUPLICATES headers)
list(SORT headers)
list(JOIN headers "\n" headers)
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/test/support/Examples.h CONTENT [[
// Written by test/support/Examples.cmake. For one file of a program.
#pragma once
@headers@

// NOLINTBEGIN(bugprone-suspicious-include): examples are programs
#define main run
@programs@#undef main
// NOLINTEND(bugprone-suspicious-include)

struct Example {
  const char* name;
  int (*run)();
};
inline constexpr Example examples_to_run[] = {
@table@};
]] @ONLY)
