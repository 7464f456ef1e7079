# Targets for people: format, format-check, tidy. They need clang-format-22 and
# clang-tidy-22, which building and testing do not.

file(GLOB_RECURSE BLOCKS_SOURCES CONFIGURE_DEPENDS
  ${PROJECT_SOURCE_DIR}/include/*.h ${PROJECT_SOURCE_DIR}/dialects/*.h ${PROJECT_SOURCE_DIR}/dialects/*.cpp
  ${PROJECT_SOURCE_DIR}/lib/*.h ${PROJECT_SOURCE_DIR}/lib/*.cpp
  ${PROJECT_SOURCE_DIR}/runtime/*.h ${PROJECT_SOURCE_DIR}/runtime/*.cpp
  ${PROJECT_SOURCE_DIR}/fuel/*.h ${PROJECT_SOURCE_DIR}/fuel/*.cpp
  ${PROJECT_SOURCE_DIR}/tools/*.h ${PROJECT_SOURCE_DIR}/tools/*.cpp
  ${PROJECT_SOURCE_DIR}/test/*.h ${PROJECT_SOURCE_DIR}/test/*.cpp)

find_program(CLANG_FORMAT NAMES clang-format-22)
if(CLANG_FORMAT)
  add_custom_target(format COMMAND ${CLANG_FORMAT} -i ${BLOCKS_SOURCES} VERBATIM)
  add_custom_target(format-check COMMAND ${CLANG_FORMAT} --dry-run -Werror ${BLOCKS_SOURCES} VERBATIM)
endif()

find_program(RUN_CLANG_TIDY NAMES run-clang-tidy-22)
if(RUN_CLANG_TIDY)
  add_custom_target(tidy
    COMMAND ${RUN_CLANG_TIDY} -quiet -p ${PROJECT_BINARY_DIR} "${PROJECT_SOURCE_DIR}/(lib|runtime|fuel|dialects|tools)/.*"
    VERBATIM)
endif()
