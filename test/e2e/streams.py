"""Where blocks-run's batches come from: the same training, bit for bit, from a
file, with any number of workers, from a pipeline in TOML, from options in TOML and
from a fuel-server; killed in the middle of an epoch and resumed, with the server
killed and started again; and what --profile tells.
"""
import signal
import time

import numpy

from tools import *

RUN = os.path.join(BIN, "blocks-run")
FLIP = "random_flip(which=features)"
BATCHES = 200  # More than two epochs of 79 batches.
COMMON = ["--split", "test", "--batches", str(BATCHES), "--step-rule", "adam(learning_rate=0.001)", "--no-progress", "--log-every", "20"]


class Server:
    """A fuel-server of the training data, on the port of the one before."""

    def __init__(self, port=0):
        self.process = subprocess.Popen([os.path.join(BIN, "fuel-server"), DATA, "--split", "test", "--scheme", "shuffled", "--transform", FLIP,
                                         "--port", str(port), "--workers", "1", "--quiet"], stdout=subprocess.PIPE, text=True)
        self.port = int(self.process.stdout.readline().rsplit(":", 1)[1])

    def address(self, options=""):
        return f"tcp://127.0.0.1:{self.port}{options}"

    def kill(self):
        self.process.kill()
        self.process.wait()

    def stop(self):
        self.process.terminate()
        assert self.process.wait(30) == 0, "fuel-server did not end well"


def outputs(name):
    return ["--save-parameters", path(name + ".npz"), "--log", path(name + ".jsonl"), "--checkpoint", path(name + ".ckpt"),
            "--checkpoint-every", "10batches"]


def clean(name):
    remove(*(name + suffix for suffix in (".npz", ".jsonl", ".ckpt", ".ckpt.1")))


def train(name, *arguments, status=0):
    clean(name)
    return run("blocks-run", "train", MODEL, *COMMON, *outputs(name), *arguments, status=status)


def same(name, other):
    assert open(path(name + ".jsonl"), "rb").read() == open(path(other + ".jsonl"), "rb").read(), f"logs of {name}, {other}"
    mine, theirs = (numpy.load(path(n + ".npz")) for n in (name, other))
    assert mine.files == theirs.files
    for parameter in mine.files:
        assert mine[parameter].tobytes() == theirs[parameter].tobytes(), f"{parameter} of {name} and {other}"


def write(name, text):
    with open(path(name), "w") as file:
        file.write(text)
    return path(name)


def killed(name, server, seconds):
    """Trains and is killed after some time; whether it was."""
    process = subprocess.Popen([RUN, "train", MODEL, *COMMON, *outputs(name), "--resume", "--data", server],
                               stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    try:
        _, messages = process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGKILL)
        process.communicate()
        return True
    assert process.returncode == 0, messages.decode()
    return False


# A file, without and with threads; the reference of all that follows.
began = time.time()
train("whole", "--data", DATA, "--transform", FLIP, "--workers", 0)
duration = time.time() - began
train("threads", "--data", DATA, "--transform", FLIP, "--workers", 3, "--prefetch-depth", 2)
same("threads", "whole")

# A pipeline of its own file; and options of the command line in TOML.
pipeline = write("pipeline.toml", f"""file = "{DATA}"
split = "test"
scheme = "shuffled"
seed = 1
workers = 2
[[transform]]
name = "random_flip"
which = ["features"]
""")
clean("pipeline")
run("blocks-run", "train", MODEL, *COMMON[2:], *outputs("pipeline"), "--data", pipeline)
same("pipeline", "whole")
config = write("run.toml", f"""[train]
data = "{DATA}"
transform = ["{FLIP}"]
workers = 2
batch-size = 128
""")
train("config", "--config", config)
same("config", "whole")

# A server; with validation, which is not its affair.
server = Server()
train("served", "--data", server.address())
same("served", "whole")
done = run("blocks-run", "train", MODEL, "--data", server.address(), "--batches", 3, "--valid-split", "test", status=2)
assert "--valid-data" in done.stderr, done.stderr
done = run("blocks-run", "train", MODEL, "--data", server.address(), "--epochs", 1, "--split", "test", "--valid-split", "train",
           "--valid-data", DATA, "--no-progress")
assert "train/error_rate" in done.stdout, done.stdout

done = run("blocks-run", "eval", MODEL, "--data", server.address(), "--json")
assert [event["split"] for event in events(done, "eval")] == ["served"], done.stdout

# Random transformers are for training alone, if the validation has its own.
done = run("blocks-run", "train", MODEL, *COMMON[:2], *COMMON[4:], "--data", DATA, "--epochs", 1, "--transform", FLIP, "--valid-split", "train",
           "--valid-transform", "", "--save-parameters", path("plain.npz"), "--json")
[row] = events(done, "epoch")
done = run("blocks-run", "eval", MODEL, "--data", DATA, "--split", "train", "--parameters", path("plain.npz"), "--json")
[found] = events(done, "eval")
assert found["values"]["train/cost"] == row["values"]["train/cost"], (found, row)

# Killed in the middle, resumed; the server is killed and comes again at the same
# port, between runs and beneath a run, which waits for it.
clean("resumed")
kills = 0
for attempt in range(8):
    if killed("resumed", server.address("?reconnect=30"), 0.15 + duration * 0.25):
        kills += 1
        if attempt % 2:
            server.kill()
            server = Server(server.port)
        continue
    break
assert kills >= 1, "never killed"
assert os.path.exists(path("resumed.npz")) or not killed("resumed", server.address("?reconnect=30"), 500)
same("resumed", "whole")
clean("beneath")
process = subprocess.Popen([RUN, "train", MODEL, *COMMON, *outputs("beneath"), "--data", server.address("?reconnect=30")],
                           stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
time.sleep(0.1 + duration * 0.3)
server.kill()
time.sleep(0.3)
server = Server(server.port)
_, messages = process.communicate(timeout=300)
assert process.returncode == 0, messages.decode()
same("beneath", "whole")

# What a served run began a local one ends, and the other way round.
for first, second in (([server.address()], [DATA, "--transform", FLIP]), ([DATA, "--transform", FLIP], [server.address()])):
    clean("moved")
    for batches, where in ((111, first), (BATCHES, second)):
        run("blocks-run", "train", MODEL, *COMMON[:2], *COMMON[4:], "--batches", batches, *outputs("moved"), "--resume", "--data", *where)
    same("moved", "whole")
server.stop()
done = run("blocks-run", "train", MODEL, "--data", server.address(), "--batches", 3, status=1)
assert str(server.port) in done.stderr, done.stderr

# Where the time went.
done = run("blocks-run", "train", MODEL, "--data", DATA, "--batches", 300, "--profile", "--json", "--no-progress")
profile = events(done, "profile")[0]
assert profile["batches"] == 300 and 0 <= profile["waited"] < profile["trained"] < profile["seconds"], profile
assert profile["workers"] == 1 and profile["layers"][0]["name"] == "read", profile
assert "waiting for data" in done.stderr and "training steps" in done.stderr, done.stderr

# Wrong descriptions.
for words, arguments in ((["no data"], ["--data", write("empty.toml", "seed = 3\n")]),
                         (["line 1", "sead"], ["--data", write("wrong.toml", "sead = 3\n")]),
                         (["--scheme", "random", "shuffled"], ["--data", DATA, "--scheme", "random"]),
                         (["--workers"], ["--data", DATA, "--workers", "-1"])):
    done = run("blocks-run", "train", MODEL, "--batches", 1, *arguments, status=2)
    for word in words:
        assert word in done.stderr, f"'{word}' is missing from:\n{done.stderr}"
