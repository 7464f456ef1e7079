# Compiler flags and the two helpers that every CMakeLists.txt here uses.

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # Precompiled headers need both sloppiness settings to be cacheable.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env
      CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
      CCACHE_NOHASHDIR=1 ${CCACHE_PROGRAM})
endif()

set(BLOCKS_WARNINGS -Wall -Wextra -Wno-unused-parameter -Wno-missing-field-initializers)
if(BLOCKS_WERROR)
  list(APPEND BLOCKS_WARNINGS -Werror)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  # With a precompiled header ccache can only tell two headers apart by this.
  add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:SHELL:-Xclang -fno-pch-timestamp>")
  find_program(BLOCKS_LLD NAMES ld.lld-22 ld.lld)
  if(BLOCKS_LLD)
    add_link_options(-fuse-ld=lld)
  endif()
endif()
if(BLOCKS_SANITIZE)
  add_compile_options(-fsanitize=${BLOCKS_SANITIZE} -fno-omit-frame-pointer -g1)
  add_link_options(-fsanitize=${BLOCKS_SANITIZE})
endif()

# blocks_library(NAME sources... [LINK libs...]): a static library of our own.
function(blocks_library name)
  cmake_parse_arguments(ARG "" "" "LINK" ${ARGN})
  add_library(${name} STATIC ${ARG_UNPARSED_ARGUMENTS})
  target_compile_options(${name} PRIVATE ${BLOCKS_WARNINGS})
  target_link_libraries(${name} PUBLIC ${ARG_LINK})
endfunction()

# blocks_tool(NAME sources... [LINK libs...]): a program in build/bin.
function(blocks_tool name)
  cmake_parse_arguments(ARG "" "" "LINK" ${ARGN})
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  target_compile_options(${name} PRIVATE ${BLOCKS_WARNINGS})
  target_link_libraries(${name} PRIVATE ${ARG_LINK})
endfunction()
