# Installs to a prefix of its own and builds projects against it: the example, which must run and not need LLVM, and targets that must
# not build.
function(run)
  execute_process(COMMAND ${ARGV} COMMAND_ERROR_IS_FATAL ANY)
endfunction()
function(configure source binary)
  run(${CMAKE_COMMAND} -G Ninja -S ${source} -B ${binary} -D CMAKE_CXX_COMPILER=${COMPILER} -D CMAKE_PREFIX_PATH=${WORK}/prefix)
endfunction()

file(REMOVE_RECURSE ${WORK})
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/prefix)

configure(${EXAMPLE} ${WORK}/example)
run(${CMAKE_COMMAND} --build ${WORK}/example)
run(${WORK}/example/app)
execute_process(COMMAND ldd ${WORK}/example/app OUTPUT_VARIABLE libraries COMMAND_ERROR_IS_FATAL ANY)
if(libraries MATCHES "LLVM|MLIR|libtegula")
  message(FATAL_ERROR "the program needs more than the run time that is inside it:\n${libraries}")
endif()
run(strip -o ${WORK}/stripped ${WORK}/example/app)
file(SIZE ${WORK}/stripped bytes)
message(STATUS "${bytes} bytes without symbols")
if(bytes GREATER 4000000)
  message(FATAL_ERROR "the program is larger than 4 MB")
endif()

configure(${PROJECTS} ${WORK}/projects)
run(${CMAKE_COMMAND} --build ${WORK}/projects --target program)
run(${WORK}/projects/program)

# refuse(TARGET TEXT...): the target does not build, and all of the texts are why.
function(refuse target)
  execute_process(COMMAND ${CMAKE_COMMAND} --build ${WORK}/projects --target ${target} RESULT_VARIABLE status OUTPUT_VARIABLE said
    ERROR_VARIABLE said)
  if(status EQUAL 0)
    message(FATAL_ERROR "${target} was built")
  endif()
  foreach(text IN LISTS ARGN)
    string(FIND "${said}" "${text}" at)
    if(at EQUAL -1)
      message(FATAL_ERROR "${target}: '${text}' is not in\n${said}")
    endif()
  endforeach()
endfunction()
refuse(refuted
  "projects/refuted.cpp:5: kernel 'first': two programs write one element of parameter 1"
  "  program 1 writes it, too, at ${PROJECTS}/refuted.cpp:5"
  "projects/refuted.cpp:7: kernel 'third': an access misses parameter 2")
refuse(same_name
  "projects/same_name.cpp:16: kernel 'before' records something else than the kernel 'before' of ${PROJECTS}/same_name.cpp:15, or has")
refuse(untraceable "projects/untraceable.cpp:6:")
refuse(empty "tegula: there is no kernel in the files given to tegula_add_kernels()")
refuse(unknown "no code can be generated for 'sm_20'; known are sm_80")
