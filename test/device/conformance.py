"""One conformance suite for all devices: every operation and every brick, forward and backward, against the reference.

usage: conformance.py SOURCE BUILD WORK [--device cuda] [--jobs 2] [--long] [--store FOLDER] [--only TEXT]

There is no list of cases. Every compiler test below test/lib that compares compiled code with the reference
(test-compiled-graphs in a RUN line) runs again on the device, with the same options; a test of gradients that does not
(blocks-gradcheck alone) runs with random parameters. So who adds a test of an operation or a brick adds it for all
devices. Outputs, gradients and updated state agree to the tolerances of Checks.h, and on a GPU repeat bit for bit.

Nothing may be missing: the operations of docs/generated/Blocks.md, those of other dialects in docs/status.md, and all
kinds of bricks of the library have to be among what ran, bricks with their gradients.

The short form takes one seed, and of a file's lines the first, and one in double precision or else the second. --store keeps programs, inputs and results for
test-device-cases (run.sh), instead of running anything on the device.
"""
import argparse
import concurrent.futures
import pathlib
import re
import shlex
import subprocess
import sys
import time

# Operations that no entry holds when it runs, and why.
NOT_RUN = {
    "application": "inlined where it is applied", "apply": "inlined", "assign": "made by the step rules; checked as a step",
    "brick": "holds parameters", "graph": "the entry itself", "image_call": "made by the lowering of convolution and pool",
    "kernel": "a declaration, which call_kernel calls", "kernel_launch": "made by the lowering of call_kernel",
    "output": "names a result", "parameter": "a declaration", "return": "ends an application", "step": "a gradient's end",
}
# Bricks without gradients, and why.
FORWARD_ONLY = {"MisclassificationRate": "counts errors"}
# Modules that only the reference runs: no device has them, and the compiler says so.
REFERENCE_ONLY = {
    ("Autodiff/gradients/recurrent.mlir", "nested"): "steps along the batch",
    ("Autodiff/gradients/tensor.mlir", "shapes"): "slices with strides",
}


def arguments():
    parser = argparse.ArgumentParser()
    for name in "source", "build", "work":
        parser.add_argument(name, type=lambda text: pathlib.Path(text).resolve())
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--long", action="store_true")
    parser.add_argument("--store", type=pathlib.Path)
    parser.add_argument("--only", default="")
    parser.add_argument("--times", action="store_true")
    parser.add_argument("--options", default="", help="further options of test-compiled-graphs")
    return parser.parse_args()


def run_lines(file):
    return re.findall(r"^(?:// )?RUN: (.*)$", file.read_text(), flags=re.M)


def rows_of(file, long):
    """The commands that compare this file's graphs with the reference, without what checks their text."""
    lines = run_lines(file)
    rows = [re.sub(r"\|\s*FileCheck[^|]*$", "", line).strip() for line in lines
            if "test-compiled-graphs" in line and "--device" not in line]
    checks = [line for line in lines if line.startswith("blocks-gradcheck %s")]
    if not rows and checks:
        shape = re.search(r"--shape \S+", checks[0])
        rows = ["test-compiled-graphs %s --random-parameters " + (shape.group() if shape else "")]
    if not long:
        wide = [row for row in rows if "--f64" in row]
        rows = [re.sub(r"--seeds \d+", "", row) for row in rows[:1] + (wide or rows[1:])[:1]]
    return [row.replace("%s", str(file)) for row in rows]


def excused(row, text):
    """True if nothing but modules for the reference alone differs."""
    differing = re.findall(r"^(\S+) differs$", text, flags=re.M)
    return bool(differing) and all(
        any(name in row and module == found for name, module in REFERENCE_ONLY) for found in differing)


def run(row, a, number):
    """(right, output, seconds)"""
    options = ["--device", a.device, "--coverage", str(a.work / f"coverage-{number}.txt"), *shlex.split(a.options)]
    if a.store:
        options += ["--store", str(a.store / f"{number:03d}-")]
    command = row.replace("test-compiled-graphs", f"{a.build}/bin/test-compiled-graphs " + shlex.join(options))
    command = re.sub(r"^blocks-opt", f"{a.build}/bin/blocks-opt", command)
    start = time.time()
    done = subprocess.run(["bash", "-o", "pipefail", "-c", command], capture_output=True, text=True)
    text = done.stdout + done.stderr
    return done.returncode == 0 or excused(row, text), text, time.time() - start


def operations(source):
    page = (source / "docs/generated/Blocks.md").read_text()
    own = set(re.findall(r"^### `blocks\.(\w+)`", page, flags=re.M)) - set(NOT_RUN)
    table = (source / "docs/status.md").read_text().split("## Upstream operations", 1)[1].split("\n## ", 1)[0]
    other = set()
    for dialect, names in re.findall(r"^\| `(arith|math)` ([a-z0-9 ,]+?) \|", table, flags=re.M):
        other |= {f"{dialect}.{name}" for name in re.findall(r"\w+", names)}
    other |= {"arith." + name for name in re.findall(r"^\| `arith\.(\w+)`", table, flags=re.M)}
    tensor = re.findall(r"^\| `tensor[.`]([^|]*)\|", table, flags=re.M)
    other |= {"tensor." + name for row in tensor for name in re.findall(r"\w+", row)}
    return {"blocks." + name for name in own} | other - {"arith.integer", "arith.arithmetic"}


def missing(a, found):
    kinds = subprocess.run([a.build / "bin/test-compiled-graphs", "--list-bricks"], check=True, capture_output=True,
                           text=True).stdout.split()
    for operation in sorted(operations(a.source)):
        if not found & {f"forward op {operation}", f"backward op {operation}"}:
            yield f"operation {operation}: no test of compiled code has it"
    for kind in kinds:
        if kind in FORWARD_ONLY and f"forward brick {kind}" in found:
            continue
        if f"backward brick {kind}" not in found:
            yield f"brick {kind}: no test of compiled code has its gradients"


def main():
    a = arguments()
    a.work.mkdir(parents=True, exist_ok=True)
    for old in a.work.glob("coverage-*.txt"):
        old.unlink()
    files = sorted((a.source / "test/lib").rglob("*.mlir"))
    rows = [row for file in files for row in rows_of(file, a.long) if a.only in row]
    failures = 0
    with concurrent.futures.ThreadPoolExecutor(a.jobs) as pool:
        results = list(pool.map(lambda i: run(rows[i], a, i), range(len(rows))))
    for row, (right, text, seconds) in sorted(zip(rows, results), key=lambda pair: -pair[1][2]):
        if not right:
            failures += 1
            print(f"FAILED: {row}\n{text}")
        elif a.times:
            print(f"{seconds:6.2f} s  {row}")
    found = {line for file in a.work.glob("coverage-*.txt") for line in file.read_text().splitlines()}
    lacking = [] if a.only else list(missing(a, found))
    print(*lacking, sep="\n", end="\n" if lacking else "")
    print(f"{len(rows)} commands on {a.device}, {failures} failed; {len(found)} kinds of operations and bricks, "
          f"{len(lacking)} missing")
    sys.exit(1 if failures or lacking else 0)


main()
