"""A training that is killed in the middle of an epoch on one device, and resumed on the other.

usage: checkpoints.py BIN MODEL DATA WORK [BATCHES]
Both ways: the numbers of batches and epochs are those of an uninterrupted run, so is the batch that each row of the log
saw (costs agree to rounding; another batch's would differ in the second digit), masks of dropout and the schedule of the learning rate included, and the
parameters agree. A row that was written before the change is not written again. The run says that the device changed.
"""
import pathlib
import signal
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "e2e"))
from tools import *
import numpy as np

batches = int(REST[0]) if REST else 30
DROPOUT = 'dropout(p=0.2, where="role:output brick:/mlp/rectifier_*")'
TOLERANCE = 2e-4


def command(name, device, *options):
    return ["blocks-run", "train", MODEL, "--data", DATA, "--batch-size", 64, "--batches", batches, "--step-rule",
            "momentum(learning_rate=0.05, momentum=0.9)", "--schedule", "warmup(over=5batches), exponential(every=9batches)",
            "--regularize", DROPOUT, "--checkpoint", path(name + ".ckpt"),
            "--checkpoint-every", "4batches", "--log", path(name + ".jsonl"), "--log-every", 1, "--save-parameters",
            path(name + ".npz"), "--no-progress", "--device", device, *options]


def rows(name):
    if not os.path.exists(path(name + ".jsonl")):
        return []
    return [json.loads(line) for line in open(path(name + ".jsonl")) if line.endswith("\n")]


def kill_in_the_middle(name, device):
    program, *arguments = command(name, device)
    process = subprocess.Popen([os.path.join(BIN, program), *map(str, arguments)], stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL)
    # A checkpoint, and rows after it which the resumed run has to write again.
    until = time.time() + 240
    while len(rows(name)) < batches // 3 or not os.path.exists(path(name + ".ckpt")):
        assert process.poll() is None and time.time() < until, f"the run on {device} could not be killed in time"
        time.sleep(0.002)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    return len(rows(name))


def compare(name, whole):
    found = rows(name)
    assert [row["iterations"] for row in found] == [row["iterations"] for row in whole], name + ": other batches"
    for a, b in zip(found, whole):
        assert a["epoch"] == b["epoch"], (name, a, b)
        for key, value in b["values"].items():
            assert abs(a["values"][key] - value) <= TOLERANCE * max(1, abs(value)), (name, a, b)
    parameters, expected = np.load(path(name + ".npz")), np.load(path("whole.npz"))
    assert parameters.files == expected.files
    worst = max(np.abs(parameters[key] - expected[key]).max() for key in expected.files)
    print(f"{name}: {len(found)} rows; parameters differ by at most {worst:.1e}")
    assert worst <= TOLERANCE, worst


for name in "whole", "cuda-cpu", "cpu-cuda":
    remove(*(name + suffix for suffix in (".ckpt", ".ckpt.1", ".jsonl", ".npz")))
run(*command("whole", "cpu"))
whole = rows("whole")
for first, second in ("cuda", "cpu"), ("cpu", "cuda"):
    name = f"{first}-{second}"
    killed_after = kill_in_the_middle(name, first)
    assert killed_after < batches, "the run ended before it was killed"
    done = run(*command(name, second, "--resume"))
    for part in first, second, "last bits":
        assert part in done.stderr, (part, done.stderr)
    compare(name, whole)
