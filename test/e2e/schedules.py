"""Schedules and the best model, through blocks-run and a compiled program.

usage: schedules.py BIN MODEL DATA WORK
A run whose learning rate falls by a schedule has the very parameters of one that was stopped and resumed with the next
rate by hand. The best model is kept, evaluates to its value in the log, and training ends when it stays the best.
"""
from tools import *
import numpy as np


def train(name, *options):
    return run("blocks-run", "train", MODEL, "--data", DATA, "--checkpoint", path(name + ".ckpt"), "--log",
               path(name + ".jsonl"), "--save-parameters", path(name + ".npz"), "--no-progress", *options)


def momentum(rate):
    return ["--step-rule", f"momentum(learning_rate={rate}, momentum=0.5)"]


def same(a, b):
    a, b = np.load(path(a + ".npz")), np.load(path(b + ".npz"))
    assert a.files == b.files
    for key in a.files:
        assert np.array_equal(a[key], b[key]), key


train("scheduled", *momentum(0.25), "--batches", 12, "--schedule", "step(every=4batches, factor=0.5)")
for batches, rate in (4, 0.25), (8, 0.125), (12, 0.0625):
    train("by_hand", *momentum(rate), "--batches", batches, *(["--resume"] if batches > 4 else []))
same("scheduled", "by_hand")

# With a rate of 0 after the first epoch nothing improves.
best = ["--valid-split", "test", "--best", "test/cost", "--patience", 2, "--epochs", 9, "--batch-size", 2000]
text = train("best", *momentum(0.1), *best, "--schedule", "linear(over=2epochs)").stdout
assert "training ended after 4 epochs, 120 batches: test/cost has not improved for 2 epochs" in text, text
rows = [json.loads(line)["values"] for line in open(path("best.jsonl"))]
assert [row["best/test/cost"] for row in rows] == [row["test/cost"] for row in rows[:2]] + [rows[1]["test/cost"]] * 2
done = run("blocks-run", "eval", MODEL, "--data", DATA, "--parameters", path("best.ckpt.best"), "--batch-size", 2000, "--json")
[found] = events(done, "eval")
assert found["values"]["test/cost"] == rows[1]["test/cost"], found

text = run("blocks-run", "train", MODEL, "--data", DATA, "--batches", 1, "--schedule", "cosine(over=10)", status=2).stderr
assert "'10' is no duration" in text, text
print("schedules and the best model: as by hand")
