# Compiler tests: .mlir files whose RUN lines drive build/bin through FileCheck.
# test/CMakeLists.txt makes each folder of them one test of ctest.
import ctypes
import os
import shutil

import lit.formats

config.name = "Blocks"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test"]
config.excludes = ["data", "Inputs", "CMakeLists.txt", "lit.cfg.py"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.blocks_build, "test")

# Our programs come first on PATH, then FileCheck, not, mlir-opt.
path = os.pathsep.join([config.blocks_bin, config.llvm_tools, config.environment["PATH"]])
config.environment["PATH"] = path
config.environment["XDG_CACHE_HOME"] = os.path.join(config.blocks_build, "test", "cache")
for variable in ("ASAN_OPTIONS", "UBSAN_OPTIONS", "LSAN_OPTIONS", "TSAN_OPTIONS"):
    if variable in os.environ:
        config.environment[variable] = os.environ[variable]

config.substitutions.append(("%bin", config.blocks_bin))
config.substitutions.append(("%source", config.blocks_source))
config.substitutions.append(("%python", "/usr/bin/python3"))

for program in ("blocks-run", "fuel-cat"):
    if os.path.exists(os.path.join(config.blocks_bin, program)):
        config.available_features.add(program)
emulator = os.path.join(config.blocks_build, "lib", "libblocks-ptx-emulator.so")
config.substitutions.append(("%emulator", emulator))
# The environment in which the emulator is the GPU.
config.substitutions.append(("%on-emulator", " ".join(
    f"BLOCKS_CUDA_{library}={emulator}" for library in ("DRIVER", "CUBLAS", "CUBLASLT", "NVJITLINK"))))
if os.path.exists(emulator):
    config.available_features.add("ptx-emulator")
config.substitutions.append(("%nvrtc", config.nvrtc))
if os.path.exists(config.nvrtc):
    config.available_features.add("nvrtc")
try:
    ctypes.CDLL("libnvJitLink.so.13")
    config.available_features.add("nvjitlink")
except OSError:
    pass
if shutil.which("ptxas", path=path):
    config.available_features.add("cuda-toolkit")
if config.sanitize:
    # Our code's arena poisons memory that MLIR's, built without ASan, then uses.
    config.environment.setdefault("ASAN_OPTIONS", "allow_user_poisoning=0:detect_leaks=0")
    config.available_features.add("sanitizer")
