# Who checks the prover: random kernels, and what kernels really touch, found by running their integers.
set(footprint Arguments Comparison Footprint FootprintRun Generator GeneratorAccesses GeneratorFlags GeneratorKernel GeneratorOutputs
  GeneratorValues Judge Launches Reduce)
list(TRANSFORM footprint REPLACE "(.+)" "${CMAKE_CURRENT_LIST_DIR}/\\1.cpp")
add_library(tegula_test_footprint STATIC ${footprint})
target_link_libraries(tegula_test_footprint PUBLIC tegula_test_support PRIVATE tegula_flags tegula_llvm)
target_include_directories(tegula_test_footprint PRIVATE ${PROJECT_BINARY_DIR})
add_dependencies(tegula_test_footprint TegulaTileIncGen)
