"""The quick start's network reaches 88 % test accuracy, with and without dropout; dropout is absent from evaluation."""
from tools import *

ADAM = "adam(learning_rate=0.001)"
DROPOUT = 'dropout(p=0.5, where="role:output brick:/mlp/rectifier_*")'


def train(name, *extra):
    remove(name + ".ckpt", name + ".ckpt.1", name + ".jsonl")
    run("blocks-run", "train", MODEL, "--data", DATA, "--valid-split", "test", "--epochs", 10, "--step-rule", ADAM,
        "--checkpoint", path(name + ".ckpt"), "--log", path(name + ".jsonl"), "--no-progress", *extra)
    rows = [json.loads(line) for line in open(path(name + ".jsonl"))]
    assert [r["epoch"] for r in rows if r["values"].get("test/error_rate") is not None][-1] == 10
    return rows


def evaluate(name, seed):
    done = run("blocks-run", "eval", MODEL, "--parameters", path(name + ".ckpt"), "--data", DATA, "--split", "test",
               "--json", "--seed", seed)
    event, = events(done, "eval")
    assert event["examples"] == 10000
    return event["values"]


plain = train("plain")
values = evaluate("plain", 1)
print("plain:", values)
assert values["test/error_rate"] <= 0.12
assert values == {k: v for k, v in plain[-1]["values"].items() if k.startswith("test/")}

dropped = train("dropout", "--regularize", DROPOUT)
values = evaluate("dropout", 1)
print("dropout:", values)
assert values["test/error_rate"] <= 0.15  # it learns, more slowly
assert values == evaluate("dropout", 2), "evaluation depends on the seed, so dropout is still there"
assert dropped[0]["values"]["train/cost"] > plain[0]["values"]["train/cost"], "dropout changed nothing"
