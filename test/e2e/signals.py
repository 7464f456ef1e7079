"""SIGTERM: the batch is finished, a checkpoint written, status 143. SIGINT: the epoch is finished, status 130."""
import signal
import time

from tools import *


def interrupted(name, *signals):
    remove(name + ".ckpt", name + ".ckpt.1", name + ".jsonl")
    process = subprocess.Popen([os.path.join(BIN, "blocks-run"), "train", MODEL, "--data", DATA, "--epochs", "200", "--json",
                                "--checkpoint", path(name + ".ckpt"), "--log", path(name + ".jsonl"), "--log-every", "1"],
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    while not os.path.exists(path(name + ".jsonl")) or os.path.getsize(path(name + ".jsonl")) < 500:
        assert process.poll() is None, process.communicate()
        time.sleep(0.01)
    for number in signals:
        process.send_signal(number)
        time.sleep(0.05)
    out, err = process.communicate(timeout=120)
    end = json.loads(out.splitlines()[-1])
    assert end["event"] == "end" and end["status"] == process.returncode, (end, process.returncode, err)
    rows = [json.loads(line) for line in open(path(name + ".jsonl"))]
    assert os.path.exists(path(name + ".ckpt")), err
    return process.returncode, end["iterations"], rows


status, iterations, rows = interrupted("term", signal.SIGTERM)
assert status == 143, status
status, iterations, rows = interrupted("int", signal.SIGINT)
assert status == 130 and iterations % 469 == 0, (status, iterations)
status, iterations, rows = interrupted("int2", signal.SIGINT, signal.SIGINT)
assert status == 130 and iterations % 469 != 0, (status, iterations)
# The checkpoint of an interrupted run goes on.
done = run("blocks-run", "train", MODEL, "--data", DATA, "--batches", iterations + 3, "--json", "--resume",
           "--checkpoint", path("int2.ckpt"), "--log", path("int2.jsonl"), "--log-every", "1")
assert events(done, "end")[0]["iterations"] == iterations + 3
