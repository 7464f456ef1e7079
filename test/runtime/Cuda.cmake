# The GPU's runtime, on the PTX emulator: a test gets the object and the kernels
# of the hand-written program, and the emulator as driver and as cuBLAS.
blocks_test_object(cuda-step cuda-step.c -fPIC)
add_custom_target(test-runtime-cuda-objects ALL DEPENDS ${CMAKE_CURRENT_BINARY_DIR}/cuda-step.o)
function(blocks_cuda_test name)
  blocks_tool(test-runtime-${name} ${name}.cpp LINK ${ARGN})
  add_dependencies(test-runtime-${name} test-runtime-cuda-objects blocks-ptx-emulator)
  set(scratch ${CMAKE_CURRENT_BINARY_DIR}/scratch/${name})
  file(MAKE_DIRECTORY ${scratch})
  add_test(NAME runtime/${name} COMMAND test-runtime-${name} ${scratch}
    ${CMAKE_CURRENT_BINARY_DIR}/cuda-step.o ${CMAKE_CURRENT_SOURCE_DIR}/objects/cuda-kernels.ptx)
  set_tests_properties(runtime/${name} PROPERTIES ENVIRONMENT
    "${BLOCKS_ON_EMULATOR}")
endfunction()
blocks_cuda_test(cuda-libraries BlocksCuda)
blocks_cuda_test(cuda-products BlocksCuda)
blocks_cuda_test(cuda-program BlocksProgram)
blocks_cuda_test(cuda-errors BlocksProgram)
blocks_cuda_test(cuda-training BlocksTrain BlocksProgram)

# What is declared by hand against NVIDIA's headers, where they are.
find_path(BLOCKS_TEST_CUDA_HEADERS cublasLt.h PATHS /usr/local/cuda/include)
if(BLOCKS_TEST_CUDA_HEADERS)
  blocks_cuda_test(cuda-headers BlocksCuda)
  target_include_directories(test-runtime-cuda-headers SYSTEM PRIVATE ${BLOCKS_TEST_CUDA_HEADERS})
endif()

# The commands, with a stand-in for the compiler.
add_library(blocks-fake-compiler SHARED objects/fake-compiler.cpp)
target_compile_options(blocks-fake-compiler PRIVATE ${BLOCKS_WARNINGS})
add_test(NAME runtime/cuda-commands COMMAND /usr/bin/python3
  ${CMAKE_CURRENT_SOURCE_DIR}/cuda-commands.py $<TARGET_FILE:blocks-run>
  $<TARGET_FILE:blocks-fake-compiler> ${CMAKE_CURRENT_SOURCE_DIR}/CudaTestProgram.h
  ${CMAKE_CURRENT_BINARY_DIR}/cuda-step.o ${CMAKE_CURRENT_SOURCE_DIR}/objects/cuda-kernels.ptx
  $<TARGET_FILE:blocks-ptx-emulator> ${CMAKE_CURRENT_BINARY_DIR}/scratch/cuda-commands)
