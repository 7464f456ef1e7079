"""blocks-run with --device cuda, on the PTX emulator and the hand-written
program of objects/cuda-step.c, which a stand-in for the compiler returns: every
command, the cache, checkpoints, the options' errors, and what doctor says.

usage: cuda-commands.py BLOCKS_RUN FAKE_COMPILER HEADER OBJECT PTX EMULATOR FOLDER
"""
import json
import os
import re
import shutil
import subprocess
import sys

import h5py
import numpy

RUN, COMPILER, HEADER, OBJECT, PTX, EMULATOR, FOLDER = sys.argv[1:]
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
    """Output and errors of a command, which must end with `status`."""
    variables = dict(os.environ, **ON_EMULATOR,
                     BLOCKS_COMPILER_LIBRARY=COMPILER,
                     BLOCKS_FAKE_MANIFEST=path("manifest.json"),
                     BLOCKS_FAKE_OBJECT=OBJECT, BLOCKS_FAKE_DEVICE_TEXT=PTX,
                     BLOCKS_CACHE_DIR=path("cache"), **environment)
    done = subprocess.run([RUN, *arguments], env=variables, text=True,
                          capture_output=True, timeout=300)
    check(done.returncode == status,
          f"{arguments} ended with {done.returncode}, expected {status}:\n"
          f"{done.stdout}{done.stderr}")
    return done.stdout, done.stderr


def expect(text, part):
    check(part in text, f"'{part}' is not in '{text}'")


def prepare():
    shutil.rmtree(FOLDER, ignore_errors=True)
    os.makedirs(FOLDER)
    # The manifest stands in the C++ tests' header, once.
    text = open(HEADER).read()
    open(path("manifest.json"), "w").write(
        re.search(r'cudaManifest = R"\((.*?)\)"', text, re.S).group(1))
    open(path("model.mlir"), "w").write("module {}\n")
    rows = 40
    with h5py.File(path("data.hdf5"), "w") as file:
        numbers = numpy.random.default_rng(1)
        file["features"] = numbers.random((rows, 5), dtype=numpy.float32)
        file["targets"] = numpy.arange(rows, dtype=numpy.int64) % 10
        split = numpy.dtype([("split", "a", 5), ("source", "a", 8),
                             ("start", "i8"), ("stop", "i8"),
                             ("indices", h5py.special_dtype(
                                 ref=h5py.Reference)),
                             ("available", "?"), ("comment", "a", 1)])
        table = [(name, source, first, last, h5py.Reference(), True, b".")
                 for name, first, last in ((b"train", 0, 30), (b"test", 30, 40))
                 for source in (b"features", b"targets")]
        file.attrs["split"] = numpy.array(table, dtype=split)
    numpy.save(path("x.npy"), numpy.ones((3, 5), dtype=numpy.float32))
    numpy.save(path("labels.npy"), numpy.zeros(3, dtype=numpy.int64))


MODEL = path("model.mlir")
CUDA = [MODEL, "--device", "cuda"]
DATA = ["--data", path("data.hdf5"), "--batch-size", "10"]


def weights(name):
    return numpy.load(path(name))["/w.W"]


def training():
    train = ["train", *CUDA, *DATA, "--valid-split", "test", "--checkpoint",
             path("run.ckpt"), "--log", path("run.jsonl"), "--save-parameters",
             path("w.npz"), "--no-progress"]
    out, _ = run(*train, "--batches", "4")
    expect(out, "Compiled")
    check((weights("w.npz") == 1.5 + 4).all(), "weights after 4 batches")
    # The cache has the kernels, too.
    out, err = run(*train, "--epochs", "3", "--resume")
    expect(out, "from the cache")
    expect(out, "resuming from")
    check("last bits" not in err, "the platform is the same")
    check((weights("w.npz") == 1.5 + 9).all(), "weights after 9 batches")
    with h5py.File(path("run.ckpt")) as file:
        check((file["parameters/w/W"][:] == 1.5 + 9).all(), "the checkpoint")
    # On another GPU it goes on, and says so.
    _, err = run(*train, "--epochs", "4", "--resume",
                 BLOCKS_PTX_EMULATOR_ARCH="120")
    expect(err, "last bits of results may differ")
    # The table of a configuration file holds the device as well.
    open(path("run.toml"), "w").write('[eval]\ndevice = "cuda:0"\ntf32 = true\n')
    out, _ = run("eval", MODEL, *DATA, "--config", path("run.toml"),
                 "--parameters", path("run.ckpt"))
    expect(out, "test (10 examples): test/cost ")


def others():
    run("infer", *CUDA, "--entry", "train", "--input",
        "features=" + path("x.npy"), "--input", "targets=" + path("labels.npy"),
        "--output", "y=" + path("y.npy"), "--cuda-arch", "sm_75")
    # 5 ones times 1.5, times the rate.
    check((numpy.load(path("y.npy")) == 3.75).all(), "what infer wrote")
    out, _ = run("bench", *CUDA, "--steps", "5", "--shape", "batch=6", "--json")
    events = [json.loads(line) for line in out.splitlines()]
    check(events[-1]["status"] == 0, "bench's last event")
    check([e["bytes"] for e in events if e["event"] == "plan"] == [104],
          "the plan's bytes")
    requests = '{"cmd":"losses","n":3}\n{"cmd":"losses","n":3}\n{"cmd":"quit"}\n'
    variables = dict(os.environ, **ON_EMULATOR,
                     BLOCKS_CACHE_DIR=path("cache"),
                     BLOCKS_COMPILER_LIBRARY=COMPILER)
    done = subprocess.run([RUN, "bench", *CUDA, "--serve", "--shape", "batch=6"],
                          input=requests, env=variables, text=True,
                          capture_output=True, timeout=300)
    losses = [json.loads(line) for line in done.stdout.splitlines()][1:]
    check(losses[0] == losses[1] and len(set(losses[0]["losses"])) == 3,
          f"a reset bench starts again: {losses}")


def errors():
    evaluate = ["eval", *CUDA, *DATA]
    _, err = run("eval", MODEL, *DATA, "--device", "tpu", status=2)
    expect(err, "takes cpu, cuda or cuda:N (the GPU's number from 0), found "
                "'tpu'")
    run("eval", MODEL, *DATA, "--device", "cuda:x", status=2)
    _, err = run("eval", MODEL, *DATA, "--device", "cuda:4", status=1)
    expect(err, "there is no GPU number 4: this machine has 1")
    _, err = run(*evaluate, "--cuda-arch", "sm_91", status=2)
    expect(err, "'sm_91' is no GPU architecture; known are sm_75, sm_80")
    _, err = run(*evaluate, status=1, BLOCKS_PTX_EMULATOR_FAIL="no-device")
    expect(err, "finds no GPU on this machine; run with --device cpu")
    _, err = run("bench", *CUDA, "--shape", "batch=500000", status=1,
                 BLOCKS_PTX_EMULATOR_MEMORY="36")
    expect(err, "of memory on the GPU")
    # A compiler that makes none for the processor.
    _, err = run("eval", MODEL, *DATA, status=1)
    expect(err, "makes no programs for 'cpu'")
    _, err = run("eval", *CUDA, *DATA, "--stop-after", "inline", status=2,
                 BLOCKS_PTX_EMULATOR_FAIL="no-device")
    expect(err, "name the architecture with --cuda-arch")


def doctor():
    out, _ = run("doctor", "--json")
    report = json.loads(out)
    gpu = report["gpus"][0]
    check(gpu["number"] == 0 and gpu["arch"] == "sm_90" and
          gpu["compute_capability"] == 90 and gpu["memory_bytes"] > 0,
          f"the GPU in {report}")
    check(report["cuda_driver"]["file"] == EMULATOR, "the driver's file")
    for library in "cublas", "cublaslt", "nvjitlink":
        check(report[library]["file"] == EMULATOR, "the file of " + library)
    out, _ = run("doctor")
    expect(out, "cuda:0 " + gpu["name"])
    expect(out, "models are compiled for sm_90")
    out, _ = run("doctor", BLOCKS_PTX_EMULATOR_FAIL="no-device",
                 BLOCKS_CUDA_NVRTC="/nowhere/libnvrtc.so")
    expect(out, "finds no GPU on this machine")
    expect(out, "NVRTC:        not found: $BLOCKS_CUDA_NVRTC names /nowhere")


prepare()
training()
others()
errors()
doctor()
sys.exit(1 if failures else 0)
