# tegula_add_kernels(TARGET FILE... [TARGETS sm_80 sm_90a ...] [CUBIN])
#
# Proves and compiles the kernels of some sources while TARGET is built, and embeds them in it: TARGET is linked with Tegula::runtime and
# needs no compiler when it runs. The sources become sources of TARGET, too. A kernel is an object at namespace scope:
#   inline const auto add = tegula::kernel<add_tiles<1024>>("add");
# TARGETS are the GPUs to compile for; the default is sm_80 sm_90a. With CUBIN machine code is embedded beside the PTX, if ptxas is found.
function(tegula_add_kernels target)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "CUBIN" "" "TARGETS")
  set(files ${ARG_UNPARSED_ARGUMENTS})
  set(generator ${target}_kernels)
  if(NOT TARGET ${target})
    message(FATAL_ERROR "tegula_add_kernels: there is no target '${target}'; call add_executable or add_library first")
  elseif(NOT files)
    message(FATAL_ERROR "tegula_add_kernels(${target}): name the sources with its kernels")
  elseif(TARGET ${generator})
    message(FATAL_ERROR "tegula_add_kernels(${target}): call it once, with all sources that have kernels")
  endif()
  if(NOT ARG_TARGETS)
    set(ARG_TARGETS sm_80 sm_90a)
  endif()
  set(assembler "")
  if(ARG_CUBIN)
    find_program(TEGULA_PTXAS ptxas HINTS ENV CUDA_PATH PATH_SUFFIXES bin PATHS /usr/local/cuda/bin)
    if(TEGULA_PTXAS)
      set(assembler --ptxas ${TEGULA_PTXAS})
    else()
      message(STATUS "tegula_add_kernels(${target}): ptxas is not installed; the GPU's driver assembles the kernels when they are launched")
    endif()
  endif()

  # The same sources, compiled in the same way, in a program of their own.
  add_executable(${generator} EXCLUDE_FROM_ALL ${files} ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/TegulaKernelsMain.cpp)
  target_link_libraries(${generator} PRIVATE Tegula::tegula)
  target_include_directories(${generator} PRIVATE $<TARGET_PROPERTY:${target},INCLUDE_DIRECTORIES>)
  target_compile_definitions(${generator} PRIVATE $<TARGET_PROPERTY:${target},COMPILE_DEFINITIONS>)
  target_compile_options(${generator} PRIVATE $<TARGET_PROPERTY:${target},COMPILE_OPTIONS>)
  target_compile_features(${generator} PRIVATE $<TARGET_PROPERTY:${target},COMPILE_FEATURES>)
  foreach(property CXX_STANDARD CXX_EXTENSIONS)
    get_target_property(value ${target} ${property})
    if(NOT value MATCHES "NOTFOUND$")
      set_target_properties(${generator} PROPERTIES ${property} ${value})
    endif()
  endforeach()

  set(output ${CMAKE_CURRENT_BINARY_DIR}/${generator}.cpp)
  string(MAKE_C_IDENTIFIER tegula_kernels_of_${target} symbol)
  list(JOIN ARG_TARGETS "," targets)
  add_custom_command(OUTPUT ${output}
    COMMAND ${generator} --output ${output} --symbol ${symbol} --targets ${targets} ${assembler}
    DEPENDS ${generator} COMMENT "Proving and compiling the kernels of ${target} for ${targets}" VERBATIM)
  target_sources(${target} PRIVATE ${files} ${output})
  target_link_libraries(${target} PUBLIC Tegula::runtime) # whose headers those of a library include
  get_target_property(type ${target} TYPE)
  if(type STREQUAL "STATIC_LIBRARY") # of which a linker takes only what somebody names
    target_link_options(${target} INTERFACE -Wl,--undefined=${symbol})
  endif()
endfunction()
