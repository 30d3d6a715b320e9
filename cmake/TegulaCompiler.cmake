# Flags for all of our own code.
add_library(tegula_flags INTERFACE)
target_compile_options(tegula_flags INTERFACE -Wall -Wextra -Werror -ffunction-sections -fdata-sections)
target_include_directories(tegula_flags INTERFACE
  $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}> $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>)

if(TEGULA_SANITIZE)
  # Not `function`: it reads what stands before a function, and before one that was compiled in memory stands nothing.
  # The tests run with ASAN_OPTIONS=allow_user_poisoning=0: LLVM's allocators poison in our code and unpoison in libLLVM, which is not instrumented.
  add_compile_options(-fsanitize=${TEGULA_SANITIZE} -fno-sanitize=function -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${TEGULA_SANITIZE})
endif()

find_program(TEGULA_CCACHE ccache)
if(TEGULA_CCACHE)
  # Of precompiled headers the contents count, not the time.
  set(launcher ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros ${TEGULA_CCACHE})
  set(CMAKE_C_COMPILER_LAUNCHER ${launcher})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${launcher})
  add_compile_options("$<$<COMPILE_LANG_AND_ID:CXX,Clang>:SHELL:-Xclang -fno-pch-timestamp>")
endif()

find_program(TEGULA_LLD NAMES ld.lld-22 ld.lld)
if(TEGULA_LLD)
  add_link_options(-fuse-ld=lld --ld-path=${TEGULA_LLD})
endif()
