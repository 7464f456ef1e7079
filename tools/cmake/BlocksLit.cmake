# blocks_lit_folders(): one ctest test for each folder below this one that
# holds .mlir or .test files, run by lit. New folders are found by themselves.

configure_file(${PROJECT_SOURCE_DIR}/test/lit.site.cfg.py.in
               ${PROJECT_BINARY_DIR}/test/lit.site.cfg.py @ONLY)
find_program(BLOCKS_LIT NAMES lit llvm-lit HINTS ${LLVM_TOOLS_BINARY_DIR} NO_DEFAULT_PATH REQUIRED)

function(blocks_lit_folders)
  file(GLOB_RECURSE files CONFIGURE_DEPENDS RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} *.mlir *.test)
  list(FILTER files EXCLUDE REGEX "(^|/)(data|Inputs)/")
  set(folders)
  foreach(file ${files})
    get_filename_component(folder ${file} DIRECTORY)
    list(APPEND folders "${folder}")
  endforeach()
  list(REMOVE_DUPLICATES folders)
  file(RELATIVE_PATH here ${PROJECT_SOURCE_DIR}/test ${CMAKE_CURRENT_SOURCE_DIR})
  foreach(folder ${folders})
    set(own)
    # Only the folder's own files: those of folders below have their own test.
    foreach(file ${files})
      get_filename_component(of ${file} DIRECTORY)
      if("${of}" STREQUAL "${folder}")
        list(APPEND own ${PROJECT_BINARY_DIR}/test/${here}/${file})
      endif()
    endforeach()
    add_test(NAME lit:${here}/${folder} COMMAND ${BLOCKS_LIT} -sv -j2 ${own})
  endforeach()
endfunction()
