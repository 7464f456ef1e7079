"""Kernels that the user wrote, with blocks-run: docs/examples/user_kernel.mlir
trains on the processor and, where there is NVRTC, on the PTX emulator, with the
same losses; wrong sources, files and accesses are errors that name them.

usage: user_kernels.py TOOLS MODEL EMULATOR FOLDER [NVRTC]
"""
import json
import os
import shutil
import subprocess
import sys

import h5py
import numpy

TOOLS, MODEL, EMULATOR, FOLDER = sys.argv[1:5]
NVRTC = sys.argv[5] if len(sys.argv) > 5 and os.path.exists(sys.argv[5]) else ""
# The environment in which the emulator is the GPU.
ON_EMULATOR = {f"BLOCKS_CUDA_{library}": EMULATOR for library in ("DRIVER", "CUBLAS", "CUBLASLT", "NVJITLINK")}
failures = 0


def check(condition, what):
    global failures
    if not condition:
        failures += 1
        print("FAILED:", what)


def path(name):
    return os.path.join(FOLDER, name)


def run(*arguments, status=0, **environment):
    variables = dict(os.environ, **ON_EMULATOR,
                     BLOCKS_CUDA_NVRTC=NVRTC or "/nowhere/libnvrtc.so",
                     BLOCKS_CACHE_DIR=path("cache"))
    variables.update(environment)
    done = subprocess.run([os.path.join(TOOLS, "blocks-run"), *arguments],
                          env=variables, text=True, capture_output=True, timeout=300)
    check(done.returncode == status, f"{arguments} ended with {done.returncode}, expected "
          f"{status}:\n{done.stdout}{done.stderr}")
    return done.stdout + done.stderr


def expect(text, *parts):
    for part in parts:
        check(part in text, f"'{part}' is not in '{text}'")


def write_data(rows=48):
    numbers = numpy.random.default_rng(1)
    with h5py.File(path("data.hdf5"), "w") as file:
        file["features"] = numbers.integers(0, 256, (rows, 1, 28, 28), dtype=numpy.uint8)
        file["targets"] = numbers.integers(0, 10, (rows, 1), dtype=numpy.uint8)
        split = numpy.dtype([("split", "a", 5), ("source", "a", 8), ("start", "i8"), ("stop", "i8"),
                             ("indices", h5py.special_dtype(ref=h5py.Reference)),
                             ("available", "?"), ("comment", "a", 1)])
        table = [(name, source, first, last, h5py.Reference(), True, b".")
                 for name, first, last in ((b"train", 0, 32), (b"test", 32, 48))
                 for source in (b"features", b"targets")]
        file.attrs["split"] = numpy.array(table, dtype=split)


def train(model, name, *more, status=0, **environment):
    """Output, and the numbers of the log's rows."""
    folder = path(name)
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    log = os.path.join(folder, "log.jsonl")
    text = run("train", model, "--data", path("data.hdf5"), "--valid-split", "test", "--batch-size", "16",
               "--epochs", "2", "--seed", "1", "--step-rule", "adam(learning_rate=0.001)", "--regularize",
               'dropout(p=0.2, where="role:output brick:/activation")', "--log", log, *more, status=status, **environment)
    rows = [json.loads(line) for line in open(log)] if os.path.exists(log) else []
    return text, [pair for row in rows for pair in sorted(row["values"].items()) if pair[0].endswith("/cost")]


def same(a, b, what):
    check(len(a) == len(b) and len(a) > 0, f"{what}: {len(a)} and {len(b)} numbers")
    for (key, x), (_, y) in zip(a, b):
        check(abs(x - y) <= 2e-4 * max(1, abs(x)), f"{what}: {key} is {x} and {y}")


def changed(name, *replacements):
    """A copy of the model and its source with texts replaced."""
    folder = path(name)
    os.makedirs(folder, exist_ok=True)
    for source in (MODEL, MODEL.replace(".mlir", ".cu")):
        text = open(source).read()
        for old, new in replacements:
            text = text.replace(old, new)
        open(os.path.join(folder, os.path.basename(source)), "w").write(text)
    return os.path.join(folder, os.path.basename(MODEL))


def line_of(file, part):
    lines = open(file).read().split("\n")
    return next(i for i, line in enumerate(lines, 1) if part in line)


def check_gpu(expected):
    text, losses = train(MODEL, "gpu", "--device", "cuda")
    same(expected, losses, "processor and GPU")
    check("from their bodies" not in text, "NVRTC was not used: " + text)
    _, again = train(MODEL, "again", "--device", "cuda")
    check(losses == again, "a program from the cache gives other losses")


def check_errors():
    cuda = ("--device", "cuda")
    model = changed("syntax", ("s + y[i] * (1.0f - s)", "s + y[i] * (1.0f - q)"))
    text, _ = train(model, "run", *cuda, status=1)
    line = line_of(model.replace(".mlir", ".cu"), "(1.0f - q)")
    expect(text, f'user_kernel.cu({line}): error: identifier "q" is undefined', "@swish")
    model = changed("inline", ("row[i] * row[i];", "row[i] * now[i];"))
    text, _ = train(model, "run", *cuda, status=1)
    expect(text, f'user_kernel.mlir({line_of(model, "now[i]")}): error: identifier "now" is undefined', "@rms_norm")
    model = changed("entry", ("void rms_norm(", "void norm("))
    text, _ = train(model, "run", *cuda, status=1)
    expect(text, "kernel @rms_norm", "has no function 'rms_norm'", "entry = ")
    model = changed("file", ('"user_kernel.cu"', '"other.cu"'))
    text, _ = train(model, "run", *cuda, status=1)
    expect(text, "the file 'other.cu' of its CUDA C++ source cannot be read")
    train(model, "run", "--device", "cpu")
    model = changed("bounds", ("y[i] = x[i] / (1.0f", "y[i + 100000000] = x[i] / (1.0f"))
    text, _ = train(model, "run", *cuda, status=1)
    expect(text, "BLOCKS_CUDA_BLOCKING=1")
    text, _ = train(model, "run", *cuda, status=1, BLOCKS_CUDA_BLOCKING="1")
    expect(text, "kernel 'swish'", "ILLEGAL_ADDRESS")


shutil.rmtree(FOLDER, ignore_errors=True)
os.makedirs(FOLDER)
write_data()
_, cpu = train(MODEL, "cpu", "--device", "cpu")
check(len(cpu) > 1, "nothing was logged")
message, bodies = train(MODEL, "bodies", "--device", "cuda", BLOCKS_CUDA_NVRTC="/nowhere/libnvrtc.so")
same(cpu, bodies, "processor and bodies on the GPU")
expect(message, "@swish", "from their bodies", "/nowhere/libnvrtc.so")
if NVRTC:
    check_gpu(cpu)
    check_errors()
sys.exit(1 if failures else 0)
