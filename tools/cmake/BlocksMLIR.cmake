# Finds MLIR 22 and sets up tablegen, the precompiled header and
# blocks_compiler_library. Exactly the targets MLIR and LLVM are linked: the
# shared libraries hold everything, and mixing in a static one breaks type ids.

find_package(MLIR 22.1 REQUIRED CONFIG HINTS /usr/lib/llvm-22/lib/cmake/mlir)
list(APPEND CMAKE_MODULE_PATH ${MLIR_CMAKE_DIR} ${LLVM_CMAKE_DIR})
include(TableGen)
include(AddLLVM)
include(AddMLIR)
separate_arguments(BLOCKS_LLVM_DEFINITIONS NATIVE_COMMAND "${LLVM_DEFINITIONS}")

add_library(blocks_mlir INTERFACE)
target_include_directories(blocks_mlir SYSTEM INTERFACE ${LLVM_INCLUDE_DIRS} ${MLIR_INCLUDE_DIRS})
target_include_directories(blocks_mlir INTERFACE ${PROJECT_BINARY_DIR})
target_compile_definitions(blocks_mlir INTERFACE ${BLOCKS_LLVM_DEFINITIONS})
include_directories(SYSTEM ${MLIR_INCLUDE_DIRS}) # tablegen reads this property

# One precompiled header for all of dialects/ and lib/: 2 s a file, not 8.
file(WRITE ${PROJECT_BINARY_DIR}/blocks_pch.cpp "")
add_library(blocks_pch OBJECT ${PROJECT_BINARY_DIR}/blocks_pch.cpp)
target_compile_options(blocks_pch PRIVATE ${BLOCKS_WARNINGS})
target_link_libraries(blocks_pch PUBLIC blocks_mlir)
target_precompile_headers(blocks_pch PRIVATE
  <mlir/IR/Builders.h> <mlir/IR/BuiltinOps.h> <mlir/IR/Dialect.h>
  <mlir/IR/Matchers.h> <mlir/IR/OpImplementation.h> <mlir/IR/PatternMatch.h>
  <mlir/IR/SymbolTable.h> <mlir/Interfaces/FunctionInterfaces.h>
  <mlir/Interfaces/FunctionImplementation.h>
  <mlir/Interfaces/SideEffectInterfaces.h> <mlir/Bytecode/BytecodeOpInterface.h>
  <mlir/Dialect/Arith/IR/Arith.h> <mlir/Dialect/Math/IR/Math.h>
  <mlir/Dialect/Func/IR/FuncOps.h> <mlir/Dialect/Linalg/IR/Linalg.h>
  <mlir/Dialect/MemRef/IR/MemRef.h> <mlir/Dialect/SCF/IR/SCF.h>
  <mlir/Dialect/Tensor/IR/Tensor.h> <mlir/Dialect/LLVMIR/LLVMDialect.h>
  <mlir/Pass/Pass.h> <mlir/Pass/PassManager.h>
  <mlir/Transforms/GreedyPatternRewriteDriver.h>)

# blocks_compiler_library(NAME sources... [LINK libs...] [DEPENDS targets...])
function(blocks_compiler_library name)
  cmake_parse_arguments(ARG "" "" "LINK;DEPENDS" ${ARGN})
  add_library(${name} STATIC ${ARG_UNPARSED_ARGUMENTS})
  target_compile_options(${name} PRIVATE ${BLOCKS_WARNINGS})
  target_link_libraries(${name} PUBLIC blocks_mlir ${ARG_LINK})
  target_precompile_headers(${name} REUSE_FROM blocks_pch)
  if(ARG_DEPENDS)
    add_dependencies(${name} ${ARG_DEPENDS})
  endif()
endfunction()

# blocks_compiler_tool(NAME sources... [LINK libs...]): a program in build/bin
# that includes MLIR's headers. It shares the precompiled header, which was made
# with -fPIC, not with an executable's -fPIE.
function(blocks_compiler_tool name)
  cmake_parse_arguments(ARG "" "" "LINK" ${ARGN})
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  target_compile_options(${name} PRIVATE -fPIC ${BLOCKS_WARNINGS})
  target_link_libraries(${name} PRIVATE blocks_mlir ${ARG_LINK} MLIR LLVM)
  target_precompile_headers(${name} REUSE_FROM blocks_pch)
endfunction()
