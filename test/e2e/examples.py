"""The examples of docs/recipes.md on data that are made here: what `padding` adds needs no --sources, graphs without
sources need no --input, samples end where they should, beam search finds the reversed words, and the weights of the
attention are right beside the mask.

usage: examples.py TOOLS EXAMPLES FOLDER
"""
import json
import os
import random
import subprocess
import sys

import numpy as np

TOOLS, EXAMPLES, FOLDER = sys.argv[1:]
os.makedirs(FOLDER, exist_ok=True)
os.environ["XDG_CACHE_HOME"] = os.path.join(FOLDER, "cache")
os.environ["BLOCKS_CACHE_DIR"] = os.path.join(FOLDER, "cache")


def path(name):
    return os.path.join(FOLDER, name)


def example(name):
    return os.path.join(EXAMPLES, name)


def call(tool, *arguments, status=0):
    done = subprocess.run([os.path.join(TOOLS, tool), *map(str, arguments)], capture_output=True, text=True)
    assert done.returncode == status, (tool, arguments, done.returncode, done.stderr)
    return done.stdout if status == 0 else done.stderr


def refused(words, *arguments, status=1):
    message = call("blocks-run", *arguments, status=status)
    for word in words:
        assert word in message, f"'{word}' is missing from:\n{message}"


def hypotheses(*arguments):
    lines = call("blocks-run", "generate", "--json", *arguments).splitlines()
    return [event for event in map(json.loads, lines) if event["event"] == "hypothesis"]


# Characters: a few lines, so that the model knows their letters and their end.
random.seed(1)
with open(path("lines.txt"), "w") as file:
    for _ in range(40):
        print(random.choice(["a cat", "the dog"]), random.choice(["sees", "likes"]), "me.", file=file)
call("fuel-convert", "text", path("lines.txt"), "--level", "character", "--vocabulary-size", 21, "--split",
     "train=30,valid=rest", "-o", FOLDER, "-r", "text")
TEXT = example("characters.mlir")
DATA = ["--data", path("text.hdf5"), "--batch-size", 5]
ADAM = ["--step-rule", "step_clipping(threshold=5), adam(learning_rate=0.005)"]
call("blocks-run", "train", TEXT, *DATA, "--transform", "padding", "--valid-split", "valid", "--batches", 20, *ADAM,
     "--regularize", 'weight_noise(std=0.02, where="name:W_state")', "--checkpoint", path("text.ckpt"))
# The norms of gradients and steps: one step of 0.5·gradient, from the same initial values.
for name, batches in ("before", 0), ("after", 1):
    call("blocks-run", "train", TEXT, *DATA, "--transform", "padding", "--batches", batches, "--step-rule",
         "scale(learning_rate=0.5)", "--save-parameters", path(name + ".npz"), "--log", path("norms.jsonl"), "--log-every",
         1, "--monitor", "cost,/algorithm.total_gradient_norm,/algorithm.total_step_norm")
before, after = np.load(path("before.npz")), np.load(path("after.npz"))
length = np.sqrt(sum(np.square(after[k].astype(float) - before[k]).sum() for k in before.files))
values = json.loads(open(path("norms.jsonl")).readlines()[0])["values"]
np.testing.assert_allclose(values["train//algorithm.total_step_norm"], length, rtol=1e-3)
np.testing.assert_allclose(values["train//algorithm.total_gradient_norm"], 2 * length, rtol=1e-3)
# With --sources it is the same run.
call("blocks-run", "train", TEXT, *DATA, "--transform", "padding", "--valid-split", "valid", "--batches", 20, *ADAM,
     "--sources", "features", "--regularize", 'weight_noise(std=0.02, where="name:W_state")', "--checkpoint",
     path("same.ckpt"))
for name in "text", "same":
    call("blocks-run", "infer", TEXT, "--entry", "generate", "--parameters", path(name + ".ckpt"), "--output",
         f"outputs={path(name + '.npy')}", "--output", f"costs={path('costs.npy')}", "--seed", 3)
samples, costs = np.load(path("text.npy")), np.load(path("costs.npy"))
np.testing.assert_array_equal(samples, np.load(path("same.npy")))
assert samples.shape == costs.shape == (40, 4) and (costs >= 0).all()
refused(["no source 'features_mask'"], "train", TEXT, *DATA, "--epochs", 1)
refused(["features_mask"], "train", TEXT, *DATA, "--epochs", 1, "--transform", "padding(masks=false)")
refused(["'momentum' takes its arguments as NAME=VALUE; found '0.1' at column 10"], "train", TEXT, *DATA, "--epochs", 1,
        "--step-rule", "momentum(0.1, 0.9)", status=2)

# Samples are those of the graph, up to the end, which the first output may be told not to be.
SAMPLE = [TEXT, "--parameters", path("text.ckpt"), "--sample", "--seed", 3]
for end in sorted(set(samples[0])) + [1]:
    for options, first in ([], 0), (["--ignore-first-end"], 1):
        for row, found in enumerate(hypotheses(*SAMPLE, "--end", end, *options)):
            ends = [t for t in range(first, 40) if samples[t, row] == end]
            length = ends[0] + 1 if ends else 40
            assert found["outputs"] == samples[:length, row].tolist() and found["finished"] == bool(ends)
            np.testing.assert_allclose(found["cost"], costs[:length, row].sum(), rtol=1e-5)

# A graph whose outputs are no sequences of classes.
with open(path("rows.mlir"), "w") as file:
    file.write("""
blocks.brick @linear = "Linear" {input_dim = 2, output_dim = 3}
blocks.graph @generate(%x: tensor<?x2xf32> {blocks.source = "x", blocks.axes = ["batch", ""]}) {
  %y = blocks.apply @linear::@apply(%x) : (tensor<?x2xf32>) -> tensor<?x3xf32>
  blocks.output %y "outputs" : tensor<?x3xf32>
  blocks.output %y "costs" : tensor<?x3xf32>
}""")
np.save(path("x.npy"), np.ones((4, 2), np.float32))
refused(["needs 'outputs' of i64", "4x3 f32"], "generate", path("rows.mlir"), "--sample", "--input",
        f"x={path('x.npy')}")
refused(["needs source 'x'; add --input x=FILE.npy"], "infer", path("rows.mlir"), "--entry", "generate", "--output",
        f"outputs={path('y.npy')}", status=2)

# Reversed words: the best hypothesis is right, and each word was looked up where it stands.
with open(path("pairs.tsv"), "w") as file:
    for _ in range(2000):
        words = [random.choice("abcdefgh") for _ in range(random.randint(2, 5))]
        print(" ".join(words), " ".join(words[::-1]), sep="\t", file=file)
call("fuel-convert", "parallel-text", path("pairs.tsv"), "-o", FOLDER, "-r", "pairs")
REVERSE = example("reverse.mlir")
call("blocks-run", "train", REVERSE, "--data", path("pairs.hdf5"), "--transform", "padding", "--batch-size", 50,
     "--epochs", 10, "--step-rule", "step_clipping(threshold=5), adam(learning_rate=0.005)", "--checkpoint",
     path("reverse.ckpt"))
LINES = [[0, 3, 4, 5, 6, 1], [0, 10, 9, 7, 1], [0, 5, 8, 1]]
WANTED = [[0, 6, 5, 4, 3, 1], [0, 7, 9, 10, 1], [0, 8, 5, 1]]
for name, lines in ("source", LINES), ("target", WANTED):
    np.save(path(name + ".npy"), np.array([line + [0] * (6 - len(line)) for line in lines]))
np.save(path("mask.npy"), np.array([[t < len(line) for t in range(6)] for line in LINES], np.float32))
SOURCE = ["--input", f"source={path('source.npy')}", "--input", f"source_mask={path('mask.npy')}"]
found = hypotheses(REVERSE, "--parameters", path("reverse.ckpt"), *SOURCE, "--beam-size", 4, "--end", 1,
                   "--length-penalty", 1)
for sentence, wanted in enumerate(WANTED):
    own = [h for h in found if h["sentence"] == sentence]
    assert len(own) == 4 and own[0]["outputs"] == wanted, (wanted, own)
    scores = [h["cost"] / len(h["outputs"]) for h in own]
    assert scores == sorted(scores), scores
WORDS = ["--input", f"words={path('source.npy')}"]
refused(["no source 'words' in 'search_start', 'search_step'"], "generate", REVERSE, *SOURCE, *WORDS, status=2)
refused(["no source 'words' in 'generate'"], "generate", *SAMPLE, *WORDS, status=2)
call("blocks-run", "infer", REVERSE, "--entry", "cost", "--parameters", path("reverse.ckpt"), *SOURCE, "--input",
     f"target={path('target.npy')}", "--input", f"target_mask={path('mask.npy')}", "--output",
     f"/generator.weights={path('weights.npy')}")
weights = np.load(path("weights.npy"))
for row, line in enumerate(LINES):
    own = weights[: len(line), row]
    np.testing.assert_allclose(own.sum(1), 1, atol=1e-5)
    assert (own[:, len(line):] == 0).all()

# DRAW's loop, and its graph without sources.
images = np.zeros((60, 1, 8, 8), np.uint8)
images[:, :, 2:5, 3:6] = 255
np.savez(path("boxes.npz"), features=images)
call("fuel-convert", "npz", path("boxes.npz"), "--axes", "features=batch,channel,height,width", "-o", FOLDER, "-r",
     "boxes")
call("blocks-run", "train", example("draw.mlir"), "--data", path("boxes.hdf5"), "--batch-size", 20, "--epochs", 40,
     "--step-rule", "step_clipping(threshold=10), adam(learning_rate=0.005)", "--checkpoint", path("draw.ckpt"))
call("blocks-run", "infer", example("draw.mlir"), "--entry", "sample", "--parameters", path("draw.ckpt"), "--output",
     f"canvases={path('canvases.npy')}")
canvases = np.load(path("canvases.npy"))
assert canvases.shape == (8, 5, 64)
assert np.abs(canvases[-1] - images[0].reshape(64) / 255).mean() < 0.1
print("the examples train, generate and draw")
