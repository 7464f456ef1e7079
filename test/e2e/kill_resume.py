"""A run killed at random moments and resumed, at changing numbers of threads, ends like an uninterrupted one.

usage: kill_resume.py BIN MODEL DATA WORK KILLS [SEED]
Compared bit for bit: the parameters, every row of the log. The long form is 50 kills or more.
"""
import random
import signal
import time

from tools import *

kills = int(REST[0])
seed = int(REST[1]) if len(REST) > 1 else int(time.time())
print("seed", seed)
rng = random.Random(seed)
DROPOUT = 'dropout(p=0.2, where="role:output brick:/mlp/rectifier_*")'


def command(name, threads):
    return [os.path.join(BIN, "blocks-run"), "train", MODEL, "--data", DATA, "--valid-split", "test", "--batches", str(60 * kills),
            "--step-rule", "adam(learning_rate=0.001)", "--regularize", DROPOUT, "--checkpoint", path(name + ".ckpt"),
            "--checkpoint-every", "25batches", "--log", path(name + ".jsonl"), "--log-every", "10", "--save-parameters",
            path(name + ".npz"), "--resume", "--no-progress", "--threads", str(threads)]


for name in ("whole", "killed"):
    remove(*(name + suffix for suffix in (".ckpt", ".ckpt.1", ".jsonl", ".npz")))
begin = time.time()
subprocess.run(command("whole", 2), check=True, stdout=subprocess.DEVNULL)
duration = time.time() - begin

done = 0
for attempt in range(kills + 1):
    process = subprocess.Popen(command("killed", rng.choice([1, 2, 3])), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    # A start, and on average half of what would end the run within so many kills.
    wait = 0.05 + duration / kills * rng.random() if done < kills else 600
    try:
        _, messages = process.communicate(timeout=wait)
        if process.returncode != 0:
            sys.exit(f"a resumed run ended with {process.returncode}: {messages.decode()}")
        break
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGKILL)
        process.communicate()
        done += 1
print(f"{done} kills")
assert done >= 0.8 * kills, "the run ended before it was killed often enough"
assert open(path("whole.jsonl"), "rb").read() == open(path("killed.jsonl"), "rb").read(), "the logs differ"
import numpy
whole, killed = (numpy.load(path(name + ".npz")) for name in ("whole", "killed"))
assert whole.files == killed.files
for parameter in whole.files:
    assert whole[parameter].tobytes() == killed[parameter].tobytes(), parameter + " differs"
