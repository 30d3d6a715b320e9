# `cmake --install` makes a prefix in which find_package(Tegula) works; a user of it needs neither LLVM's CMake files nor its headers.
include(CMakePackageConfigHelpers)

set(directory ${CMAKE_INSTALL_LIBDIR}/cmake/Tegula)
install(TARGETS tegula tegula_standalone tegula_checked EXPORT TegulaTargets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(FILES ${CMAKE_CURRENT_LIST_DIR}/TegulaKernels.cmake ${CMAKE_CURRENT_LIST_DIR}/TegulaKernelsMain.cpp DESTINATION ${directory})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/tegula DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.hpp" PATTERN "*.def")
install(DIRECTORY ${PROJECT_SOURCE_DIR}/kernels/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/tegula/kernels
  FILES_MATCHING PATTERN "*.hpp" PATTERN registry.hpp EXCLUDE)
install(EXPORT TegulaTargets NAMESPACE Tegula:: FILE TegulaTargets.cmake DESTINATION ${directory})
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/TegulaConfig.cmake.in ${PROJECT_BINARY_DIR}/TegulaConfig.cmake
  INSTALL_DESTINATION ${directory})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/TegulaConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/TegulaConfig.cmake ${PROJECT_BINARY_DIR}/TegulaConfigVersion.cmake DESTINATION ${directory})
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
