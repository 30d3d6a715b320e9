# tegula_fuzzer(NAME SOURCES file... CORPUS folder...): fuzz_NAME, which feeds a reader with files that nobody would write, starting from
# those in the folders. As a test it runs for some seconds; to look further, run it by hand:
#   build/dev/test/llm/.../fuzz_NAME -max_total_time=600 -max_len=4096 new-folder folder...
# It is an executable of its own, with its own sanitizers; in the sanitizer builds there is none.
function(tegula_fuzzer name)
  cmake_parse_arguments(ARG "" "" "SOURCES;CORPUS" ${ARGN})
  if(TEGULA_SANITIZE OR NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    return()
  endif()
  add_executable(fuzz_${name} ${ARG_SOURCES})
  target_link_libraries(fuzz_${name} PRIVATE tegula_flags nlohmann_json::nlohmann_json)
  target_compile_options(fuzz_${name} PRIVATE -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all)
  target_link_options(fuzz_${name} PRIVATE -fsanitize=fuzzer,address,undefined)
  # What it finds is written into the first folder, and is there for the next run.
  set(found ${CMAKE_CURRENT_BINARY_DIR}/fuzz-${name})
  file(MAKE_DIRECTORY ${found})
  add_test(NAME fuzz-${name} COMMAND fuzz_${name} -max_total_time=3 -seed=1 -max_len=4096 -rss_limit_mb=1024 -print_final_stats=1
    -artifact_prefix=${found}/ ${found} ${ARG_CORPUS})
endfunction()
