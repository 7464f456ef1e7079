"""Bad input: each a clear error with status 1 or 2, and nothing half-written."""
import glob
import resource
import shutil

import numpy as np

from tools import *

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "golden"))
import fuel_file

text = open(MODEL).read()
x = np.arange(64 * 784, dtype=np.uint8).reshape(64, 1, 28, 28)
y = (np.arange(64) % 10).astype(np.uint8).reshape(64, 1)
SMALL = path("small.hdf5")
fuel_file.write(SMALL, {"train": {"features": x, "targets": y}})


def model(name, old, new):
    """The model with `old` replaced; returns the new file's path."""
    assert old in text, old
    with open(path(name), "w") as f:
        f.write(text.replace(old, new))
    return path(name)


def fails(words, *args, status=1, file=MODEL, data=SMALL, **kwargs):
    """Training must fail with all of `words` on standard error, and leave no files."""
    before = set(os.listdir(WORK))
    size = [] if "--batch-size" in args else ["--batch-size", 32]
    done = run("blocks-run", "train", file, "--data", data, "--batches", 2, *size, "--no-progress", *args, status=status,
               **kwargs)
    for word in words:
        assert word in done.stderr, f"'{word}' is missing from:\n{done.stderr}"
    assert "::" not in done.stderr.replace("@mlp::", "").replace("::@", ""), "C++ names: " + done.stderr
    left = {f for f in set(os.listdir(WORK)) - before if not f.startswith("cache")}
    assert not left, f"left behind: {left}"
    return done


# The model.
fails(["MLPs", "MLP"], file=model("unknown_brick.mlir", '"MLP"', '"MLPs"'))
fails(["/mlp", "783", "784"], file=model("dims.mlir", "dims = [784,", "dims = [783,"))
fails(["/mlp/linear_0", "tensor<784x500000000000000000xf32>", "would take", "more than a machine can address"],
      file=model("absurd.mlir", "dims = [784, 500,", "dims = [784, 500000000000000000,"))
fails(["/mlp/linear_0.W", "784x1000000000", "3.14 TB", "this machine has"],
      file=model("large.mlir", "dims = [784, 500,", "dims = [784, 1000000000,"))
fails(["/mlp", "dims", "positive"], file=model("zero.mlir", "dims = [784, 500,", "dims = [784, 0,"))
with open(path("duplicate.mlir"), "w") as f:
    f.write("""module {
  blocks.brick @a {
    blocks.parameter @W : tensor<2xf32> roles [weight] init #blocks.constant<0.0>
    blocks.parameter @W : tensor<2xf32> roles [weight] init #blocks.constant<0.0>
  }
}
""")
fails(["W"], file=path("duplicate.mlir"))
fails(["no_such_file.mlir"], file=path("no_such_file.mlir"))

# Half precision on a processor without instructions for it.
cast = "    %pixels = blocks.cast %features : tensor<?x1x28x28xui8> to tensor<?x1x28x28xf32>"
half = model("half.mlir", cast, cast.replace("f32", "f16").replace("%pixels", "%half") + """
    %pixels = blocks.cast %half : tensor<?x1x28x28xf16> to tensor<?x1x28x28xf32>""")
fails(["the model converts f16", "'x86-64-v2'", "F16C", "--cpu-level x86-64-v3"], "--cpu-level", "x86-64-v2", file=half)

# The data.
fails(["absent", "train"], "--split", "absent")
fails(["no_such.hdf5"], data=path("no_such.hdf5"))
fuel_file.write(path("one_source.hdf5"), {"train": {"features": x}})
fails(["targets", "features"], data=path("one_source.hdf5"))
fuel_file.write(path("wrong_type.hdf5"), {"train": {"features": x.astype(np.float32), "targets": y}})
fails(["features", "f32", "ui8"], data=path("wrong_type.hdf5"))
fuel_file.write(path("wrong_rank.hdf5"), {"train": {"features": x.reshape(64, 784), "targets": y}})
fails(["features", "784", "28"], data=path("wrong_rank.hdf5"))
whole = open(SMALL, "rb").read()
for length in (0, 7, 100, len(whole) // 2, len(whole) - 1):
    with open(path("truncated.hdf5"), "wb") as f:
        f.write(whole[:length])
    fails(["truncated.hdf5"], data=path("truncated.hdf5"))
bad = y.copy()
bad[5] = 17
fuel_file.write(path("bad_label.hdf5"), {"train": {"features": x, "targets": bad}})
remove("label.ckpt")
fails(["17", "row 5"], "--scheme", "sequential", "--checkpoint", path("label.ckpt"), data=path("bad_label.hdf5"))

# Options.
fails(["adm", "adam"], "--step-rule", "adm(learning_rate=0.1)", status=2)
fails(["rate", "learning_rate"], "--step-rule", "adam(rate=0.1)", status=2)
fails(["dropuot", "dropout"], "--regularize", "dropuot(p=0.5)", status=2)
fails(["q", "dropout"], "--regularize", "dropout(q=0.5)", status=2)
fails(["rectifer"], "--regularize", 'dropout(p=0.5, where="brick:/mlp/rectifer_*")')
fails(["--scheme"], "--scheme", "random", status=2)
fails(["--frobnicate"], "--frobnicate", status=2)
run("blocks-opt", MODEL, "--blocks-no-such-pass", status=1)

# Checkpoints.
C, LOG = path("c.ckpt"), path("c.jsonl")
remove("c.ckpt", "c.ckpt.1", "c.jsonl")
good = ["--checkpoint", C, "--log", LOG, "--checkpoint-every", "1batches"]
run("blocks-run", "train", MODEL, "--data", SMALL, "--batches", 2, "--batch-size", 32, "--no-progress", *good)
other = model("other.mlir", "dims = [784, 500, 500, 10]", "dims = [784, 300, 500, 10]")
fails(["/mlp/linear_0.W", "500", "300"], *good, "--resume", file=other)
# Another model whose parameters have the same names and shapes; layout, comments and the file's name do not count.
tanh = model("tanh.mlir", '"Rectifier", "Rectifier"', '"Rectifier", "Tanh"')
fails(["the model changed", "brick @mlp has the hash", "--allow-changed-model"], *good, "--resume", file=tanh)
with open(path("comment.mlir"), "w") as f:
    f.write("// A comment.\n\n" + text.replace("= [784", "=   [784"))
resumed = ["--data", SMALL, "--batches", 2, "--batch-size", 32, "--no-progress", "--resume", *good]
done = run("blocks-run", "train", path("comment.mlir"), *resumed)
assert "resuming" in done.stdout and "changed" not in done.stderr, done
saved = {name: open(path(name), "rb").read() for name in ("c.ckpt", "c.ckpt.1", "c.jsonl")}
done = run("blocks-run", "train", tanh, *resumed, "--allow-changed-model")
assert "goes on with a changed model" in done.stderr, done.stderr
for name, content in saved.items():
    with open(path(name), "wb") as f:
        f.write(content)
fails(["--batch-size", "32", "16"], *good, "--resume", "--batch-size", 16, status=2)
newest = open(C, "rb").read()
with open(C, "wb") as f:
    f.write(newest[: len(newest) // 2] + b"x" + newest[len(newest) // 2 + 1 :])
done = run("blocks-run", "train", MODEL, "--data", SMALL, "--batches", 3, "--batch-size", 32, "--no-progress", "--resume", *good)
assert "c.ckpt" in done.stderr and "c.ckpt.1" in done.stderr, done.stderr
# A full disk: no file may grow beyond 1 MB, a checkpoint needs more.
before = open(C, "rb").read()
full = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20))
done = run("blocks-run", "train", MODEL, "--data", SMALL, "--batches", 5, "--batch-size", 32, "--no-progress", "--resume",
           *good, status=1, preexec_fn=full)
assert "c.ckpt" in done.stderr, done.stderr
assert open(C, "rb").read() == before, "the checkpoint on disk was touched"
assert not [f for f in os.listdir(WORK) if "tmp" in f], os.listdir(WORK)

# NaN: the step is named; training stops, or goes on when asked.
nan = ["--step-rule", "scale(learning_rate=1e30)", "--batches", 8, "--scheme", "sequential"]
done = run("blocks-run", "train", MODEL, "--data", SMALL, "--batch-size", 32, "--no-progress", *nan, status=1)
assert "NaN" in done.stderr or "not finite" in done.stderr or "infinite" in done.stderr, done.stderr
run("blocks-run", "train", MODEL, "--data", SMALL, "--batch-size", 32, "--no-progress", *nan, "--on-nan", "continue")
