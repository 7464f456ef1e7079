"""Clumsy use: outputs that would overwrite other files, folders that do not exist,
closed or full standard output, odd numbers, models that nest too deeply. And rules
given twice, whose numbers must not mix."""
import filecmp
import shutil

import numpy as np

from tools import *

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "golden"))
import fuel_file

random = np.random.default_rng(0)
X, Y = random.standard_normal((12, 4)).astype("f4"), random.integers(0, 3, (12, 1)).astype("u1")
SMALL, SMALL_MODEL = path("small.hdf5"), path("small.mlir")
fuel_file.write(SMALL, {"train": {"x": X, "y": Y}, "test": {"x": X[:5], "y": Y[:5]}})
TEXT = """module {
  blocks.brick @linear = "Linear" {input_dim = 4, output_dim = 3, weights_init = #blocks.isotropic_gaussian<std = 0.1>}
  blocks.brick @softmax = "Softmax" {}
  blocks.graph @cost(%x: tensor<?x4xf32> {blocks.source = "x"}, %y: tensor<?x1xui8> {blocks.source = "y"}) {
    %l = blocks.apply @linear::@apply(%x) : (tensor<?x4xf32>) -> tensor<?x3xf32>
    %c = blocks.apply @softmax::@categorical_cross_entropy(%y, %l) : (tensor<?x1xui8>, tensor<?x3xf32>) -> tensor<?xf32>
    %sum = blocks.reduce sum %c dims [0] : tensor<?xf32> to tensor<f32>
    %count = blocks.extent %c dims [0] : tensor<?xf32> to tensor<f32>
    %cost = arith.divf %sum, %count : tensor<f32>
    blocks.output %cost "cost" roles [cost] aggregate mean : tensor<f32>
  }
}
"""
with open(SMALL_MODEL, "w") as f:
    f.write(TEXT)


def train(*args, status=0, file=SMALL_MODEL, data=SMALL, epochs=1, **kwargs):
    return run("blocks-run", "train", file, "--data", data, "--epochs", epochs, "--scheme", "sequential", "--batch-size",
               4, "--no-progress", *args, status=status, **kwargs)


def fails(words, *args, status=2, **kwargs):
    before = set(os.listdir(WORK))
    done = train(*args, status=status, **kwargs)
    for word in words:
        assert word in done.stderr, f"'{word}' is missing from:\n{done.stderr}"
    assert "epoch 1" not in done.stdout, "found out too late:\n" + done.stdout
    assert set(os.listdir(WORK)) - before <= {"cache"}, set(os.listdir(WORK)) - before
    return done


# No output takes the place of an input or of another output.
data, model = path("data.hdf5"), path("model.mlir")
shutil.copy(SMALL, data)
shutil.copy(SMALL_MODEL, model)
os.path.lexists(path("link")) or os.symlink("data.hdf5", path("link"))
for option in ("--checkpoint", "--log", "--times", "--save-parameters"):
    for victim in (data, model, path("link"), os.path.join(WORK, ".", "model.mlir")):
        fails([option, "same file"], option, victim, data=data, file=model)
assert filecmp.cmp(data, SMALL, shallow=False) and filecmp.cmp(model, SMALL_MODEL, shallow=False)
fails(["--checkpoint", "--log", "same file"], "--checkpoint", path("both"), "--log", path("both"))
fails(["--times", "--log", "same file"], "--times", path("both"), "--log", os.path.join(WORK, ".", "both"))
fails(["no checkpoint"], "--checkpoint", model)

# What cannot be written is found before training.
for option in ("--checkpoint", "--log", "--times", "--save-parameters"):
    fails([option, "no folder"], option, path("absent/file"), status=1)
    fails([option, "folder"], option, WORK, status=1)
fails(["no folder"], "--log", path("absent.log"), "--plot", path("absent/page"), status=1)
fails(["regular file"], "--checkpoint", "/dev/null", status=1)

# Standard output: full is an error; closed, it must not be given to a file.
with open("/dev/full", "w") as full:
    command = [os.path.join(BIN, "blocks-run"), "train", SMALL_MODEL, "--data", SMALL, "--epochs", "1"]
    done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True)
    assert done.returncode == 1 and "standard output" in done.stderr, done
remove("closed.log")
done = subprocess.run(["sh", "-c", '"$@" >&-', "sh", *command, "--log", path("closed.log")])
assert done.returncode == 0 and [json.loads(line)["epoch"] for line in open(path("closed.log"))] == [1]
remove("closed.log")

# Numbers.
for value in ("0", "-3", "1e3", "4x", "99999999999999999999"):
    command = ["blocks-run", "train", SMALL_MODEL, "--data", SMALL, "--epochs", 1, "--batch-size", value]
    assert f"found '{value}'" in run(*command, status=2).stderr
fails(["--seed", "found '-1'"], "--seed", -1)
fails(["--seed", "found '18446744073709551616'"], "--seed", 2**64)
train("--seed", 2**64 - 1)
fails(["finite"], "--step-rule", "adam(learning_rate=1e999)")
fails(["trained on"], "--valid-split", "train")
fails(["twice"], "--valid-split", "test", "--valid-split", "test")

# Totals of 0 are numbers like others; lists of names have no comma too many.
assert "0 batches" in train("--batches", 0, epochs=5).stdout
assert "0 batches" in train(epochs=0).stdout
fails(["--batches", "found '-1'"], "--batches", -1)
for names in (",", "cost,", ",cost", "a,,b", ""):
    fails(["--monitor", f"found '{names}'"], "--monitor", names)
    run("blocks-run", "eval", SMALL_MODEL, "--data", SMALL, "--monitor", names, status=2)

# Words in the place of a command, and axes that no source has.
done = run("blocks-run", "nope", status=2)
assert done.stderr.startswith("error: there is no command 'nope'; there are train, eval, infer, generate, bench"), done.stderr
assert run("blocks-run", status=2).stderr.startswith("error: "), "another prefix"
bench = ["blocks-run", "bench", SMALL_MODEL, "--steps", 1]
done = run(*bench, "--shape", "foo=2", status=2)
assert "axis 'foo'" in done.stderr and "batch" in done.stderr, done.stderr
run(*bench, "--shape", "batch=2")
run(*bench)
assert "larger than" in run(*bench, "--shape", f"batch={2**62}", status=1).stderr

# Library bricks in f64, trained like those in f32.
with open(path("f64.mlir"), "w") as f:
    f.write(TEXT.replace("output_dim = 3,", "output_dim = 3, dtype = f64,").replace("f32", "f64").replace(
        "%x: tensor<?x4xf64> {", "%x32: tensor<?x4xf32> {").replace(
        "    %l = ", "    %x = blocks.cast %x32 : tensor<?x4xf32> to tensor<?x4xf64>\n    %l = "))
train("--save-parameters", path("f64.npz"), "--step-rule", "adam()", file=path("f64.mlir"))
with np.load(path("f64.npz")) as z:
    assert {z[k].dtype for k in z.files} == {np.dtype("f8")}
remove("f64.npz")

# A configuration: a misspelled key is an error, not a default.
CONFIG = path("config.toml")
for text, word in (("epochs = 1", "epochs"), ("[train]\nbatch_size = 2", "train.batch_size"), ("[trian]\nseed = 2", "trian"),
                   ("[train]\nepochs = {a = 1}", "train.epochs"), ("[train]\nseed = 1.5", "found '1.5'"),
                   ("[train]\nseed = = 1", "line 2"), ("[train]\nseed = 1979-05-27", "no text, number")):
    with open(CONFIG, "w") as f:
        f.write(text)
    fails([word], "--config", CONFIG)
with open(CONFIG, "w") as f:
    f.write('[train]\nvalid-split = ["test"]\nseed = 3\n[eval]\nsplit = "test"')
assert "test/cost" in train("--config", CONFIG).stdout
fails(["absent.toml"], "--config", path("absent.toml"))

# Models.
for name, text, words in (("empty", "", ["is empty"]), ("deep", "module {" * 50000, ["nested", "deep.mlir:1"]),
                          ("braces", "module {\n}\n" + "[" * 100000, ["nested", "braces.mlir:3"])):
    with open(path(name + ".mlir"), "w") as f:
        f.write(text)
    fails(words, file=path(name + ".mlir"), status=1)
with open(path("comment.mlir"), "w") as f:
    f.write("// " + "(" * 2000 + "\n" + TEXT.replace('"cost" roles', '"((((" roles'))
train("--cost", "((((", file=path("comment.mlir"))

# A resumed run: another step rule is named; a log that is gone is missed.
C, LOG = path("c.ckpt"), path("c.jsonl")
remove("c.ckpt", "c.ckpt.1", "c.jsonl")
train("--checkpoint", C, "--log", "c.jsonl", cwd=WORK)
fails(["--step-rule", "adam", "scale"], "--checkpoint", C, "--resume", "--step-rule", "adam()", epochs=2)
remove("c.jsonl")
fails(["c.jsonl", "missing"], "--checkpoint", C, "--log", "c.jsonl", "--resume", epochs=2, status=1, cwd=WORK)

# Two rules of one name keep their own numbers: compared with NumPy.
P = path("p.npz")


def parameters(*args):
    train("--save-parameters", P, *args)
    with np.load(P) as z:
        return {k.removesuffix(".npy").strip("/"): z[k].astype("f8") for k in z.files}


def gradients(p, x, y):
    z = x @ p["linear.W"] + p["linear.b"]
    d = np.exp(z - z.max(1, keepdims=True))
    d /= d.sum(1, keepdims=True)
    d[np.arange(len(y)), y[:, 0]] -= 1
    d /= len(y)
    return {"linear.W": x.T @ d, "linear.b": d.sum(0)}


p = parameters("--step-rule", "scale(learning_rate=0)")
velocities = [{k: 0 for k in p} for _ in range(2)]
for start in range(0, 12, 4):
    steps = gradients(p, X[start:start + 4].astype("f8"), Y[start:start + 4])
    for velocity, (rate, momentum) in zip(velocities, ((0.1, 0.9), (0.3, 0.5))):
        for k in p:
            velocity[k] = steps[k] = momentum * velocity[k] + rate * steps[k]
    p = {k: p[k] - steps[k] for k in p}
found = parameters("--step-rule", "momentum(learning_rate=0.1, momentum=0.9), momentum(learning_rate=0.3, momentum=0.5)")
assert all(np.allclose(found[k], p[k], rtol=0, atol=1e-6) for k in p), (found, p)

# Softplus reads its argument several times; a penalty given twice, its weights.
with open(path("softplus.mlir"), "w") as f:
    f.write(TEXT.replace('  blocks.brick @softmax', '  blocks.brick @plus = "Softplus" {}\n  blocks.brick @softmax').replace(
        "    %c = ", "    %s = blocks.apply @plus::@apply(%l) : (tensor<?x3xf32>) -> tensor<?x3xf32>\n    %c = ").replace("(%y, %l)", "(%y, %s)"))
train(file=path("softplus.mlir"))
train("--regularize", "penalty(l2=0.1)", "--regularize", "penalty(l2=0.1)")
