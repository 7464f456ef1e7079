# The processor's runtime. Objects for the loader come from C, as relocatable
# files in the code models that a compiler may use.
function(blocks_test_object name source)
  set(object ${CMAKE_CURRENT_BINARY_DIR}/${name}.o)
  add_custom_command(OUTPUT ${object}
    COMMAND ${CMAKE_C_COMPILER} -std=c11 -O2 ${ARGN} -I${PROJECT_SOURCE_DIR}/include
      -c ${CMAKE_CURRENT_SOURCE_DIR}/objects/${source} -o ${object}
    DEPENDS objects/${source} ${PROJECT_SOURCE_DIR}/include/blocks/abi/StepABI.h)
  set(objects ${objects} ${object} PARENT_SCOPE)
endfunction()
set(objects)
blocks_test_object(step step.c -fPIC)
blocks_test_object(shapes-pic shapes.c -fPIC)
blocks_test_object(shapes-pie shapes.c -fPIE)
blocks_test_object(shapes-large shapes.c -fno-pic -mcmodel=large)
add_custom_target(test-runtime-objects ALL DEPENDS ${objects})

blocks_runtime_test(thread-pool BlocksDevice)
blocks_runtime_test(gemm BlocksAbi)
blocks_runtime_test(images BlocksAbi)
function(blocks_object_test name)
  blocks_tool(test-runtime-${name} ${name}.cpp LINK BlocksProgram)
  set(scratch ${CMAKE_CURRENT_BINARY_DIR}/scratch/${name})
  file(MAKE_DIRECTORY ${scratch})
  add_test(NAME runtime/${name} COMMAND test-runtime-${name} ${scratch} ${objects})
endfunction()
blocks_object_test(compiled-program)
blocks_object_test(object-loader)
blocks_object_test(object-cache)
