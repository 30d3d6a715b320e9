# LLVM and MLIR as the distribution packages them.
find_program(TEGULA_LLVM_CONFIG NAMES llvm-config-22 REQUIRED)
execute_process(COMMAND ${TEGULA_LLVM_CONFIG} --prefix OUTPUT_VARIABLE TEGULA_LLVM_PREFIX OUTPUT_STRIP_TRAILING_WHITESPACE)
# The package's version file accepts major.minor only.
find_package(MLIR 22.1 REQUIRED CONFIG HINTS ${TEGULA_LLVM_PREFIX}/lib/cmake/mlir)

if(TEGULA_STATIC_LLVM)
  find_library(TEGULA_ZSTD_ARCHIVE libzstd.a REQUIRED)
  find_library(TEGULA_Z_ARCHIVE libz.a REQUIRED)
  if(NOT TARGET zstd::libzstd_shared)
    add_library(zstd::libzstd_shared STATIC IMPORTED)
  endif()
  set_target_properties(zstd::libzstd_shared PROPERTIES IMPORTED_LOCATION ${TEGULA_ZSTD_ARCHIVE})
  set_target_properties(ZLIB::ZLIB PROPERTIES IMPORTED_LOCATION ${TEGULA_Z_ARCHIVE} IMPORTED_LOCATION_RELEASE ${TEGULA_Z_ARCHIVE})
  # Every MLIR archive names libLLVM.so in its link interface; left there, the program would hold LLVM twice.
  foreach(target IN LISTS MLIR_EXPORTED_TARGETS)
    get_target_property(dependencies ${target} INTERFACE_LINK_LIBRARIES)
    if(dependencies)
      list(REMOVE_ITEM dependencies LLVM)
      set_target_properties(${target} PROPERTIES INTERFACE_LINK_LIBRARIES "${dependencies}")
    endif()
  endforeach()
  get_target_property(dependencies LLVMSupport INTERFACE_LINK_LIBRARIES)
  list(FILTER dependencies EXCLUDE REGEX "libz3")
  set_target_properties(LLVMSupport PROPERTIES INTERFACE_LINK_LIBRARIES "${dependencies}")
  foreach(target CURL::libcurl LibEdit::LibEdit)
    if(NOT TARGET ${target})
      add_library(${target} INTERFACE IMPORTED)
    endif()
  endforeach()
endif()

list(APPEND CMAKE_MODULE_PATH ${MLIR_CMAKE_DIR} ${LLVM_CMAKE_DIR})
include(TableGen)
include(AddLLVM)
include(AddMLIR)
separate_arguments(TEGULA_LLVM_DEFINITIONS NATIVE_COMMAND ${LLVM_DEFINITIONS})

# What a target needs to compile against LLVM; what it links is said by tegula_link_llvm.
add_library(tegula_llvm INTERFACE)
target_include_directories(tegula_llvm SYSTEM INTERFACE ${LLVM_INCLUDE_DIRS} ${MLIR_INCLUDE_DIRS})
target_compile_definitions(tegula_llvm INTERFACE ${TEGULA_LLVM_DEFINITIONS})
target_compile_options(tegula_llvm INTERFACE -Wno-unused-parameter)

# The archives that libtegula needs; each names those it needs itself.
set(TEGULA_LLVM_ARCHIVES
  MLIRParser MLIRTransforms MLIRFuncDialect MLIRArithDialect MLIRMathDialect MLIRSCFDialect MLIRVectorDialect MLIRMemRefDialect
  MLIRLLVMDialect MLIRLLVMIRTransforms MLIRNVVMDialect MLIRX86VectorDialect MLIRAMXDialect MLIRUBDialect MLIRTensorDialect MLIRIndexDialect MLIRControlFlowDialect
  MLIRArithTransforms MLIRMemRefTransforms MLIRVectorTransforms MLIRSCFTransforms MLIRMathTransforms
  MLIRArithToLLVM MLIRMathToLLVM MLIRMathToLibm MLIRFuncToLLVM MLIRSCFToControlFlow MLIRControlFlowToLLVM MLIRIndexToLLVM MLIRUBToLLVM
  MLIRVectorToLLVM MLIRVectorToLLVMPass MLIRVectorToSCF MLIRMemRefToLLVM MLIRReconcileUnrealizedCasts MLIRAffineToStandard
  MLIRBuiltinToLLVMIRTranslation MLIRLLVMToLLVMIRTranslation MLIRNVVMToLLVMIRTranslation
  MLIRTargetLLVMIRExport LLVMX86CodeGen LLVMX86Info LLVMX86Desc LLVMX86AsmParser LLVMNVPTXCodeGen LLVMNVPTXInfo LLVMNVPTXDesc LLVMLinker LLVMBitReader LLVMOrcJIT LLVMPasses)

function(tegula_link_llvm target)
  if(TEGULA_STATIC_LLVM)
    target_link_libraries(${target} PRIVATE ${TEGULA_LLVM_ARCHIVES})
  else()
    target_link_libraries(${target} PRIVATE MLIR LLVM)
  endif()
endfunction()
